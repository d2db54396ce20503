/**
 * Sends the files of a turn's messages to the cell, before the first tool call that uses the
 * workspace. A turn without such a call sends no files.
 */
import type { CellLease } from "../../cells/index.ts";
import type { ReadFile } from "../../models/index.ts";
import {
  type FilePart,
  filesOf,
  type FrameScope,
  inboxPath,
  MAX_INBOX_BYTES,
  MAX_INBOX_FILE_BYTES,
  type ModelMessage,
} from "@hearth/protocol";

export interface TurnInbox {
  /** Adds the files of messages that were added to the turn after its start. */
  addMessages(messages: readonly ModelMessage[]): void;
  /** Sends the files that the cell does not have yet, newest first, up to a total size. */
  fill(): Promise<void>;
}

export interface TurnInboxOptions {
  readonly scope: FrameScope;
  readonly history: readonly ModelMessage[];
  readonly cellLease: Pick<CellLease, "send">;
  readonly readFile: ReadFile;
  /** Labels files in the workspace. Durable when it resolves. */
  readonly labelFiles: (paths: readonly string[]) => Promise<void>;
}

/** Number of bytes per frame. */
const PIECE_BYTES = 1024 * 1024;

export const createTurnInbox = ({ scope, history, cellLease, readFile, labelFiles }: TurnInboxOptions): TurnInbox => {
  const waiting: FilePart[] = [];
  const sent = new Set<string>();
  let leftBytes = MAX_INBOX_BYTES;

  const addMessages = (messages: readonly ModelMessage[]): void => {
    for (const message of messages)
      if (message.role === "user")
        waiting.unshift(...filesOf(message.parts).filter(({ upload }) => upload !== undefined));
  };
  addMessages(history);

  const takeWaiting = (): readonly FilePart[] =>
    waiting.splice(0).filter((part) => {
      const path = inboxPath(part);
      if (part.sizeBytes > MAX_INBOX_FILE_BYTES || part.sizeBytes > leftBytes || sent.has(path)) return false;
      sent.add(path);
      leftBytes -= part.sizeBytes;
      return true;
    });

  const send = (path: string, bytes: Uint8Array): void => {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const data = bytes.subarray(start, start + PIECE_BYTES).toBase64();
      cellLease.send({ type: "file-piece", ...scope, path, data, isLast: start + PIECE_BYTES >= bytes.length });
    }
  };

  return {
    addMessages,
    async fill() {
      const parts = takeWaiting();
      if (parts.length === 0) return;
      // Labels come first: a file without a label would count as written by the agent.
      await labelFiles(parts.map(inboxPath));
      for (const part of parts) {
        const bytes = await readFile(part);
        if (bytes !== undefined) send(inboxPath(part), bytes);
      }
    },
  };
};
