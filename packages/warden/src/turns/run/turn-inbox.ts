/**
 * Sends files to the cell of a turn. Files of the turn's messages are sent before the first tool
 * call that uses the workspace, and are removed after the turn. Files that host tools made stay.
 */
import type { CellLease } from "../../cells/index.ts";
import type { ReadFile } from "../../models/index.ts";
import type { WorkspaceCopy } from "../../agents/index.ts";
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
  sendReceived(): Promise<void>;
  /** Sends files that stay in the workspace. */
  sendPermanent(files: readonly WorkspaceCopy[]): Promise<void>;
}

export interface TurnInboxOptions {
  readonly scope: FrameScope;
  readonly history: readonly ModelMessage[];
  readonly cellLease: Pick<CellLease, "send">;
  readonly readFile: ReadFile;
  /** Labels files in the workspace. Durable when it resolves. */
  readonly labelReceived: (paths: readonly string[]) => Promise<void>;
  /** Labels files that stay after the turn. Durable when it resolves. */
  readonly labelPermanent: (paths: readonly string[]) => Promise<void>;
}

/** Number of bytes per frame. */
const PIECE_BYTES = 1024 * 1024;

export const createTurnInbox = ({
  scope,
  history,
  cellLease,
  readFile,
  labelReceived,
  labelPermanent,
}: TurnInboxOptions): TurnInbox => {
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

  const send = (path: string, bytes: Uint8Array, stays?: true): void => {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const data = bytes.subarray(start, start + PIECE_BYTES).toBase64();
      const isLast = start + PIECE_BYTES >= bytes.length;
      cellLease.send({ type: "file-piece", ...scope, path, data, isLast, ...(stays === undefined ? {} : { stays }) });
    }
  };

  return {
    addMessages,
    async sendReceived() {
      const parts = takeWaiting();
      if (parts.length === 0) return;
      // Labels come first: a file without a label would count as written by the agent.
      await labelReceived(parts.map(inboxPath));
      for (const part of parts) {
        const bytes = await readFile(part);
        if (bytes !== undefined) send(inboxPath(part), bytes);
      }
    },
    async sendPermanent(files) {
      if (files.length === 0) return;
      await labelPermanent(files.map(({ path }) => path));
      for (const { path, bytes } of files) send(path, bytes, true);
    },
  };
};
