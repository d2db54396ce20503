/** Calls about speech: transcripts of attached audio, spoken messages and choices. Loaded on demand. */
import { voiceOperations } from "@hearth/protocol/operations";
import { createCalls, pathOf } from "./calls.ts";
import { type Connection, request } from "./request.ts";

export const createVoiceCalls = (connection: Connection) => {
  const { transcripts, transcript, transcribe, editTranscript, choices, choose } = createCalls(
    connection,
    voiceOperations,
  );
  const { method, path } = voiceOperations.speech;
  return {
    transcripts,
    transcript,
    transcribe,
    editTranscript,
    choices,
    choose,
    /** Returns a message as audio. */
    speech: (room: string, message: string, signal?: AbortSignal): Promise<Response> =>
      request(connection, method, pathOf(path, { room, message }), { accept: "*/*", signal }),
  };
};
