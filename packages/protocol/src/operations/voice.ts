/** Operations on speech: transcripts of attached audio, and spoken messages. */
import { z } from "zod";
import { EventId, UploadId } from "../base/ids.ts";
import { AttachedTranscript, AttachedTranscriptList, EditTranscript, TranscriptsQuery } from "../events/attachment.ts";
import { VoiceChoices } from "../people/push.ts";
import { IdOrHandle } from "./parameters.ts";
import { declareOperations } from "./operation.ts";

export const voiceOperations = declareOperations("Attachments", {
  transcripts: {
    id: "listTranscripts",
    method: "GET",
    path: "/api/rooms/{room}/transcripts",
    needs: "r on room {room}",
    summary: "Lists the transcripts of the named attachments",
    description: "An attachment that has none, or that no message of the room names, is left out.",
    params: { room: IdOrHandle },
    query: TranscriptsQuery,
    answers: { status: 200, schema: AttachedTranscriptList },
    errors: ["record.not-found"],
  },
  transcript: {
    id: "showTranscript",
    method: "GET",
    path: "/api/rooms/{room}/attachments/{attachment}/transcript",
    needs: "r on room {room}",
    summary: "Shows what is said in attached audio",
    description:
      "A turn of an agent whose model does not hear makes the transcript. It exists as long as a message names the audio. `error` says why there is no text.",
    params: { room: IdOrHandle, attachment: UploadId },
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
    params: { room: IdOrHandle, attachment: UploadId },
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
    params: { room: IdOrHandle, attachment: UploadId },
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
    params: { room: IdOrHandle, message: EventId },
    answers: { status: 200, schema: z.string(), type: "application/octet-stream", text: "The audio." },
    otherwise: { status: 206, schema: z.string(), type: "application/octet-stream", text: "The requested range." },
    errors: ["record.not-found", "message.not-found", "attachment.range", "voice.off"],
  },
  choices: {
    id: "showVoiceChoices",
    method: "GET",
    path: "/api/voice",
    needs: "credential",
    requiresKey: "whole",
    summary: "Shows which replies to you are spoken",
    answers: { status: 200, schema: VoiceChoices },
    errors: ["auth.denied", "grant.exceeds"],
  },
  choose: {
    id: "changeVoiceChoices",
    method: "PATCH",
    path: "/api/voice",
    needs: "credential",
    requiresKey: "whole",
    summary: "Chooses which replies to you are spoken",
    description:
      "Applies to replies of agents to your messages in direct rooms, and in chats of linked platforms, where the audio follows the text. The provider may charge for the audio.",
    body: VoiceChoices,
    answers: { status: 200, schema: VoiceChoices },
    errors: ["auth.denied", "grant.exceeds"],
  },
});
