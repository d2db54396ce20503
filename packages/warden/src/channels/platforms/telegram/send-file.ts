/**
 * Sends files by the method that shows them best: «sendPhoto», «sendVoice», «sendAudio»,
 * «sendVideo», otherwise «sendDocument». A file that Telegram refuses in such a method is sent once
 * more, as a document.
 */
import type { OutboundFile } from "../../channel.ts";
import type { BotApiAnswer, BotApi } from "./bot-api.ts";
import { shorten, toId } from "./fields.ts";

/** «Sending files»: the largest file, and the largest photo. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
/** Longest caption, in UTF-16 code units. */
const MAX_CAPTION = 1024;
/** Enough for a large file on a slow connection. */
const UPLOAD_TIMEOUT_MS = 300_000;

type Field = "photo" | "voice" | "audio" | "video" | "document";

const METHODS_BY_FIELD: Readonly<Record<Field, string>> = {
  photo: "sendPhoto",
  voice: "sendVoice",
  audio: "sendAudio",
  video: "sendVideo",
  document: "sendDocument",
};

/** Fields by media type. Telegram plays no other formats of sound or film. */
const FIELDS_BY_TYPE: Readonly<Record<string, Field>> = {
  "image/jpeg": "photo",
  "image/png": "photo",
  "image/webp": "photo",
  "audio/ogg": "voice",
  "audio/opus": "voice",
  "audio/mpeg": "audio",
  "audio/mp4": "audio",
  "audio/x-m4a": "audio",
  "video/mp4": "video",
};

/** The formats in which a spoken message is a voice message. */
const voiceTypes: ReadonlySet<string> = new Set(["audio/ogg", "audio/opus", "audio/mpeg", "audio/mp4", "audio/x-m4a"]);

const fieldOf = ({ type, bytes, isVoice }: OutboundFile): Field => {
  if (isVoice === true && voiceTypes.has(type)) return "voice";
  const field = (Object.hasOwn(FIELDS_BY_TYPE, type) ? FIELDS_BY_TYPE[type] : undefined) ?? "document";
  return field === "photo" && bytes.length > MAX_PHOTO_BYTES ? "document" : field;
};

export const createSendFile =
  (api: BotApi) =>
  async (file: OutboundFile, signal: AbortSignal): Promise<BotApiAnswer> => {
    const sendAs = (field: Field): Promise<BotApiAnswer> => {
      const [chat = "", thread] = file.conversation.split("/");
      const { replyTo, caption, durationMs } = file;
      const isPlayed = field === "voice" || field === "audio" || field === "video";
      return api.call({
        method: METHODS_BY_FIELD[field],
        parameters: {
          chat_id: toId(chat),
          ...(thread === undefined ? {} : { message_thread_id: toId(thread) }),
          ...(caption === undefined ? {} : { caption: shorten(caption, MAX_CAPTION) }),
          ...(replyTo === undefined
            ? {}
            : { reply_parameters: { message_id: toId(replyTo), allow_sending_without_reply: true } }),
          ...(isPlayed && durationMs !== undefined ? { duration: Math.round(durationMs / 1000) } : {}),
        },
        file: { field, name: file.name, type: file.type, bytes: file.bytes },
        signal,
        timeoutMs: UPLOAD_TIMEOUT_MS,
      });
    };
    const field = fieldOf(file);
    const answer = await sendAs(field);
    const isRefused = answer.kind === "no" && answer.status === 400 && field !== "document";
    return isRefused ? sendAs("document") : answer;
  };
