/**
 * The files of messages as parts for a model. Text files are read here, so that their text is
 * labelled, scanned for secrets and cut like every other text; other files stay references.
 */
import type { MessageParts } from "./history.ts";
import type { Uploads } from "../../people/index.ts";
import {
  type Attachment,
  type EventId,
  isHearthError,
  type Part,
  type RoomId,
  type StoredMessage,
  toFilePart,
} from "@hearth/protocol";

/** Returns the parts of each message with attachments. Deterministic for the same messages. */
export type AttachedParts = (
  room: RoomId,
  messages: readonly Pick<StoredMessage, "id" | "attachments">[],
) => Promise<MessageParts>;

const TEXT = "text/plain";
/** Longest text of one file, and of all files of a turn, in bytes. */
const MAX_FILE_BYTES = 20_000;
const MAX_TURN_BYTES = 60_000;
/** Digits of the hash that mark where the text of a file ends. A file cannot contain its own hash. */
const MARK_LENGTH = 10;

export const createAttachedParts = ({ uploads }: { readonly uploads: Pick<Uploads, "open"> }): AttachedParts => {
  /** Undefined if the file is no longer stored. */
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
    const mark = hash.slice(0, MARK_LENGTH);
    const rest = readBytes < sizeBytes ? `\n[cut: the first ${readBytes} of ${sizeBytes} bytes]` : "";
    return {
      kind: "text",
      file: toFilePart(attachment),
      text: `[file ${mark}: the text of ${JSON.stringify(name)}, until ${mark} ends]\n${text}${rest}\n[end ${mark}]`,
    };
  };

  return async (room, messages) => {
    const found = new Map<EventId, Part[]>();
    let leftBytes = MAX_TURN_BYTES;
    // The newest messages come first, because the limit of a turn leaves out the oldest texts.
    for (const { id, attachments = [] } of messages.toReversed()) {
      const parts: Part[] = [];
      for (const attachment of attachments) {
        const readBytes = Math.min(attachment.sizeBytes, MAX_FILE_BYTES);
        const isRead = attachment.type === TEXT && readBytes <= leftBytes;
        const text = isRead ? await readText(room, attachment) : undefined;
        if (text !== undefined) leftBytes -= readBytes;
        parts.push(text ?? toFilePart(attachment));
      }
      if (parts.length > 0) found.set(id, parts);
    }
    return found;
  };
};
