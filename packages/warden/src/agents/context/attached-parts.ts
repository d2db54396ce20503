/**
 * Converts the files of messages to parts for a model. The house reads text files itself, so that
 * their text is labelled, scanned for secrets and cut like every other text. Other files stay
 * references.
 */
import type { Config } from "../../kernel/index.ts";
import type { CandidateModel, Catalog } from "../../models/index.ts";
import { modelInfo } from "../../models/lazy.ts";
import type { MessageParts } from "./history.ts";
import type { Transcripts } from "../voice/transcripts.ts";
import type { Uploads } from "../../people/index.ts";
import { isMail, isHtml, isTable } from "@hearth/protocol/documents";
import {
  type Attachment,
  type EventId,
  isAudioType,
  isHearthError,
  kindOfType,
  type Part,
  type RoomId,
  type StoredMessage,
  toFilePart,
} from "@hearth/protocol";

/** Returns the parts of each message with attachments. Equal messages give equal parts. */
export type AttachedParts = (
  room: RoomId,
  messages: readonly Pick<StoredMessage, "id" | "attachments">[],
  /** The models that may answer. */
  models: readonly string[],
) => Promise<MessageParts>;

const TEXT = "text/plain";
/** The limit that the schema of a part sets. */
const MAX_REASON = 500;
const OFF = "the house does not transcribe: an administrator can turn it on in Settings → Models";
/** Maximum size of the text of one file, and of all files of a turn. */
const MAX_FILE_BYTES = 20_000;
const MAX_TURN_BYTES = 60_000;
/**
 * Number of digits of the hash that mark where the text of a file ends. A file cannot contain its
 * own hash.
 */
const MARK_LENGTH = 10;

/** Maximum number of recordings of a turn that become text, newest first. */
const MAX_RECORDINGS = 10;
/** Maximum length of a transcript in a prompt, in UTF-16 code units. */
const MAX_TRANSCRIPT = 20_000;

export interface AttachedPartsOptions {
  readonly uploads: Pick<Uploads, "open">;
  readonly transcripts: Pick<Transcripts, "make">;
  readonly leaves: Catalog["candidates"];
  readonly config: { current(): Pick<Config, "models"> };
}

export const createAttachedParts = (options: AttachedPartsOptions): AttachedParts => {
  const { uploads, transcripts, leaves, config } = options;

  /**
   * Returns the text, or a reference with the type from which text is converted. Returns
   * undefined if the file is no longer stored.
   */
  const readText = async (room: RoomId, attachment: Attachment): Promise<Part | undefined> => {
    const { id, name, hash, sizeBytes } = attachment;
    const readBytes = Math.min(sizeBytes, MAX_FILE_BYTES);
    const decoder = new TextDecoder();
    let text = "";
    try {
      const { read } = await uploads.open(room, id);
      for await (const piece of read(0, readBytes)) text += decoder.decode(piece, { stream: true });
    } catch (error) {
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "store.damaged")) return undefined;
      throw error;
    }
    const type = convertedType(text, readBytes < sizeBytes);
    if (type !== undefined) return { ...toFilePart(attachment), type };
    const mark = hash.slice(0, MARK_LENGTH);
    const rest = readBytes < sizeBytes ? `\n[cut: the first ${readBytes} of ${sizeBytes} bytes]` : "";
    return {
      kind: "text",
      file: toFilePart(attachment),
      text: `[file ${mark}: the text of ${JSON.stringify(name)}, until ${mark} ends]\n${text}${rest}\n[end ${mark}]`,
    };
  };

  const readRecording = async (room: RoomId, attachment: Attachment): Promise<Part> => {
    const file = toFilePart(attachment);
    const made = await transcripts.make(room, attachment.id).catch((error: unknown): "later" => {
      // A file that was deleted has no other description. If the house is stopping, it transcribes
      // the file later.
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "provider.aborted")) return "later";
      throw error;
    });
    if (made === "later") return file;
    if (made === undefined) return { ...file, untranscribed: OFF };
    const { text, error, language, editedBy } = made;
    if (text === undefined)
      return { ...file, untranscribed: `it was not transcribed: ${error?.message ?? "unknown"}`.slice(0, MAX_REASON) };
    const mark = attachment.hash.slice(0, MARK_LENGTH);
    const by = editedBy === undefined ? "by a machine" : "corrected by its sender";
    const facts = [by, ...(language === undefined ? [] : [`language ${language}`])].join(", ");
    const shown = text.slice(0, MAX_TRANSCRIPT).toWellFormed();
    const rest = shown.length < text.length ? `\n[cut: the first ${shown.length} of ${text.length} characters]` : "";
    return {
      kind: "text",
      file,
      text: `[transcript ${mark} of ${JSON.stringify(attachment.name)}, ${facts}, until ${mark} ends]\n${shown}${rest}\n[end ${mark}]`,
    };
  };

  /** Whether every model that may answer takes this file as audio. */
  const isHeard = ({ type }: Attachment, models: readonly string[]): boolean => {
    const candidates = leaves(models);
    const hears = (leaf: CandidateModel): boolean => modelInfo(leaf, config.current().models).hears;
    return kindOfType(type) === "audio" && candidates.length > 0 && candidates.every(hears);
  };

  return async (room, messages, models) => {
    const found = new Map<EventId, Part[]>();
    let leftBytes = MAX_TURN_BYTES;
    let leftRecordings = MAX_RECORDINGS;

    const toPart = async (attachment: Attachment): Promise<Part> => {
      if (isAudioType(attachment.type) && !isHeard(attachment, models)) {
        leftRecordings -= 1;
        return leftRecordings < 0
          ? { ...toFilePart(attachment), untranscribed: "newer recordings fill the turn" }
          : readRecording(room, attachment);
      }
      const readBytes = Math.min(attachment.sizeBytes, MAX_FILE_BYTES);
      const isRead = attachment.type === TEXT && readBytes <= leftBytes;
      const text = isRead ? await readText(room, attachment) : undefined;
      if (text?.kind === "text") leftBytes -= readBytes;
      return text ?? toFilePart(attachment);
    };

    // The newest messages come first, because the limit of a turn then leaves out the oldest texts.
    for (const { id, attachments = [] } of messages.toReversed()) {
      const parts: Part[] = [];
      for (const attachment of attachments) parts.push(await toPart(attachment));
      if (parts.length > 0) found.set(id, parts);
    }
    return found;
  };
};

/**
 * Returns the type of a text that needs conversion: a web page, an email, or a table that would be
 * cut.
 */
const convertedType = (text: string, isCut: boolean): string | undefined => {
  if (isHtml(text)) return "text/html";
  if (isMail(text)) return "message/rfc822";
  return isCut && isTable(text) ? "text/csv" : undefined;
};
