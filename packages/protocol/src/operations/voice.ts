/** Operations on speech: transcripts of attached audio, and spoken messages. */
import { z } from "zod";
import { EventId, UploadId } from "../base/ids.ts";
import { AttachedTranscript, EditTranscript } from "../events/attachment.ts";
import { Name } from "./parameters.ts";
import { operations } from "./operation.ts";

export const voiceOperations = operations("Attachments", {
  transcript: {
    id: "showTranscript",
    method: "GET",
    path: "/api/rooms/{room}/attachments/{attachment}/transcript",
    needs: "r on room {room}",
    summary: "Shows what is said in attached audio",
    description:
      "A turn of an agent whose model does not hear makes the transcript. It exists as long as a message names the audio. `error` says why there is no text.",
    params: { room: Name, attachment: UploadId },
    answers: { status: 200, schema: AttachedTranscript },
    errors: ["record.not-found", "attachment.not-found", "transcript.none"],
  },
  transcribe: {
    id: "transcribe",
    method: "POST",
    path: "/api/rooms/{room}/attachments/{attachment}/transcript",
    needs: "w on room {room}",
    summary: "Transcribes attached audio",
    description:
      "Returns the transcript that there is. Without one, or after a failure, the audio goes to the transcriber of `[voice]`, and the house pays.",
    params: { room: Name, attachment: UploadId },
    answers: { status: 200, schema: AttachedTranscript },
    errors: ["record.not-found", "attachment.not-found", "voice.off"],
  },
  editTranscript: {
    id: "editTranscript",
    method: "PATCH",
    path: "/api/rooms/{room}/attachments/{attachment}/transcript",
    needs: "w on room {room}",
    summary: "Corrects the transcript of your audio",
    description: "For the person who sent the audio. Wakes no agent. Turns that begin later read the new text.",
    params: { room: Name, attachment: UploadId },
    body: EditTranscript,
    answers: { status: 200, schema: AttachedTranscript },
    errors: ["record.not-found", "attachment.not-found", "transcript.none"],
  },
  speech: {
    id: "readSpeech",
    method: "GET",
    path: "/api/rooms/{room}/messages/{message}/speech",
    needs: "r on room {room}",
    summary: "Reads a message aloud",
    description:
      "Audio of the present text, without its code and links, at most the first 4,000 characters. The house pays the first time and keeps the audio. Takes one `Range`.",
    params: { room: Name, message: EventId },
    answers: { status: 200, schema: z.string(), type: "application/octet-stream", text: "The audio." },
    otherwise: { status: 206, schema: z.string(), type: "application/octet-stream", text: "The requested range." },
    errors: ["record.not-found", "message.not-found", "attachment.range", "voice.off"],
  },
});
