/**
 * Converts the files of messages to parts for a model. The house reads text files itself, so that
 * their text is labelled, scanned for secrets and cut like every other text. Other files stay
 * references.
 */
import type { Config } from "../../kernel/index.ts";
import type { CandidateModel, Catalog } from "../../models/index.ts";
import { modelInfo } from "../../models/lazy.ts";
import type { MessageParts } from "./history.ts";
import type { PictureDescriptions } from "../descriptions/picture-descriptions.ts";
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

const PLAIN_TEXT = "text/plain";
/** The limit that the schema of a part sets. */
const MAX_REASON_LENGTH = 500;
const TRANSCRIPTION_OFF = "the house does not transcribe: an administrator can turn it on in Settings → Models";
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
/** Maximum number of pictures of a turn that are described, newest first. */
const MAX_PICTURES = 10;
/** Maximum length of a transcript in a prompt, in UTF-16 code units. */
const MAX_TRANSCRIPT_LENGTH = 20_000;

export interface AttachedPartsOptions {
  readonly uploads: Pick<Uploads, "open">;
  readonly transcripts: Pick<Transcripts, "make">;
  readonly descriptions: Pick<PictureDescriptions, "make">;
  readonly candidates: Catalog["candidates"];
  readonly config: { current(): Pick<Config, "models" | "descriptions"> };
}

export const createAttachedParts = (options: AttachedPartsOptions): AttachedParts => {
  const { uploads, transcripts, descriptions, candidates, config } = options;

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
    const cutNote = readBytes < sizeBytes ? `\n[cut: the first ${readBytes} of ${sizeBytes} bytes]` : "";
    return {
      kind: "text",
      file: toFilePart(attachment),
      text: `[file ${mark}: the text of ${JSON.stringify(name)}, until ${mark} ends]\n${text}${cutNote}\n[end ${mark}]`,
    };
  };

  const readRecording = async (room: RoomId, attachment: Attachment): Promise<Part> => {
    const file = toFilePart(attachment);
    const transcript = await transcripts.make(room, attachment.id).catch((error: unknown): "later" => {
      // A file that was deleted has no other description. If the house is stopping, it transcribes
      // the file later.
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "provider.aborted")) return "later";
      throw error;
    });
    if (transcript === "later") return file;
    if (transcript === undefined) return { ...file, untranscribed: TRANSCRIPTION_OFF };
    const { text, error, language, editedBy } = transcript;
    if (text === undefined)
      return {
        ...file,
        untranscribed: `it was not transcribed: ${error?.message ?? "unknown"}`.slice(0, MAX_REASON_LENGTH),
      };
    const mark = attachment.hash.slice(0, MARK_LENGTH);
    const by = editedBy === undefined ? "by a machine" : "corrected by its sender";
    const facts = [by, ...(language === undefined ? [] : [`language ${language}`])].join(", ");
    const visibleText = text.slice(0, MAX_TRANSCRIPT_LENGTH).toWellFormed();
    const cutNote =
      visibleText.length < text.length ? `\n[cut: the first ${visibleText.length} of ${text.length} characters]` : "";
    return {
      kind: "text",
      file,
      text: `[transcript ${mark} of ${JSON.stringify(attachment.name)}, ${facts}, until ${mark} ends]\n${visibleText}${cutNote}\n[end ${mark}]`,
    };
  };

  /**
   * Returns the description of a picture, or the picture itself. A model that sees gets the picture in
   * place of its description.
   */
  const readPicture = async (room: RoomId, attachment: Attachment): Promise<Part> => {
    const file = toFilePart(attachment);
    const description = await descriptions.make(room, attachment.id).catch((error: unknown) => {
      // If the house is stopping, it describes the picture later.
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "provider.aborted")) return undefined;
      throw error;
    });
    if (description === undefined) return file;
    const { text, source, error } = description;
    if (text === undefined)
      return {
        ...file,
        untranscribed: `it was not described: ${error?.message ?? "unknown"}`.slice(0, MAX_REASON_LENGTH),
      };
    const mark = attachment.hash.slice(0, MARK_LENGTH);
    return {
      kind: "text",
      file,
      text: `[description ${mark} of the picture ${JSON.stringify(attachment.name)} by the model ${source}, until ${mark} ends. You do not see the picture itself]\n${text}\n[end ${mark}]`,
    };
  };

  /** Whether every model that may answer has the ability. */
  const haveAll = (models: readonly string[], ability: "hears" | "sees"): boolean => {
    const candidateModels = candidates(models);
    const hasAbility = (model: CandidateModel): boolean => modelInfo(model, config.current().models)[ability];
    return candidateModels.length > 0 && candidateModels.every(hasAbility);
  };

  const isAcceptedAsAudio = ({ type }: Attachment, models: readonly string[]): boolean =>
    kindOfType(type) === "audio" && haveAll(models, "hears");

  return async (room, messages, models) => {
    const partsByMessage = new Map<EventId, Part[]>();
    let remainingBytes = MAX_TURN_BYTES;
    let remainingRecordings = MAX_RECORDINGS;
    let remainingPictures = MAX_PICTURES;

    const toPart = async (attachment: Attachment): Promise<Part> => {
      if (isAudioType(attachment.type) && !isAcceptedAsAudio(attachment, models)) {
        remainingRecordings -= 1;
        return remainingRecordings < 0
          ? { ...toFilePart(attachment), untranscribed: "newer recordings fill the turn" }
          : readRecording(room, attachment);
      }
      if (kindOfType(attachment.type) === "image") {
        if (config.current().descriptions === undefined || haveAll(models, "sees")) return toFilePart(attachment);
        remainingPictures -= 1;
        return remainingPictures < 0
          ? { ...toFilePart(attachment), untranscribed: "newer pictures fill the turn" }
          : readPicture(room, attachment);
      }
      const readBytes = Math.min(attachment.sizeBytes, MAX_FILE_BYTES);
      const isRead = attachment.type === PLAIN_TEXT && readBytes <= remainingBytes;
      const text = isRead ? await readText(room, attachment) : undefined;
      if (text?.kind === "text") remainingBytes -= readBytes;
      return text ?? toFilePart(attachment);
    };

    // The newest messages come first, because the limit of a turn then leaves out the oldest texts.
    for (const { id, attachments = [] } of messages.toReversed()) {
      const parts: Part[] = [];
      for (const attachment of attachments) parts.push(await toPart(attachment));
      if (parts.length > 0) partsByMessage.set(id, parts);
    }
    return partsByMessage;
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
