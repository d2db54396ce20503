/**
 * Sends files to the cell of a turn. Files of the turn's messages are sent before the first tool
 * call that uses the workspace, and are removed after the turn. Files that host tools made stay.
 */
import type { CellLease } from "../../cells/index.ts";
import type { ReadFile } from "../../models/index.ts";
import type { WorkspaceCopy } from "../../agents/index.ts";
import {
  type CellLimits,
  type Clock,
  type FilePart,
  filesOf,
  type FrameScope,
  inboxPath,
  inboxStreamLabel,
  isHearthError,
  MAX_INBOX_FILE_BYTES,
  type ModelMessage,
} from "@hearth/protocol";

export interface TurnInbox {
  /** Adds the files of messages that were added to the turn after its start. */
  addMessages(messages: readonly ModelMessage[]): void;
  /**
   * Sends the files that the cell does not have yet, newest first, up to a total size. Resolves when
   * the larger ones are in the workspace.
   */
  sendReceived(): Promise<void>;
  /** Sends files that stay in the workspace. */
  sendPermanent(files: readonly WorkspaceCopy[]): Promise<void>;
}

/** Opens a file of the turn's messages. Returns undefined if no message names it now. */
export type OpenFile = (part: FilePart) => Promise<AsyncIterable<Uint8Array> | undefined>;

export interface TurnInboxOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly scope: FrameScope;
  readonly history: readonly ModelMessage[];
  readonly cellLease: Pick<CellLease, "send" | "openStream" | "limits" | "reportViolation">;
  readonly readFile: ReadFile;
  readonly openFile: OpenFile;
  /** Ends files that are being sent. */
  readonly signal: AbortSignal;
  /** Labels files in the workspace. The labels are durable when it resolves. */
  readonly labelReceived: (paths: readonly string[]) => Promise<void>;
  /** Labels files that stay after the turn. The labels are durable when it resolves. */
  readonly labelPermanent: (paths: readonly string[]) => Promise<void>;
}

/** Number of bytes per frame. A larger file of a message is streamed, so that it is never whole in memory. */
export const PIECE_BYTES = 1024 * 1024;
/** Frames are not limited by what the cell has read, so a turn sends at most this much in them. */
const MAX_FRAMED_BYTES = 32 * 1024 * 1024;
/** The part of a cell's disk that files of messages may use. The rest is for the agent's own files. */
const INBOX_SHARE_OF_DISK = 1 / 4;
const MIB = 1024 * 1024;
/** A cell that takes no bytes for this long is closed. */
export const STALL_TIMEOUT_MS = 60_000;

export const createTurnInbox = (options: TurnInboxOptions): TurnInbox => {
  const { scope, history, cellLease, readFile, openFile, labelReceived, labelPermanent } = options;
  const waitingParts: FilePart[] = [];
  const sentPaths = new Set<string>();
  const maxFileBytes = Math.min(MAX_INBOX_FILE_BYTES, cellLease.limits.fileMiB * MIB);
  let remainingBytes = totalBytesOf(cellLease.limits);
  let remainingFramedBytes = MAX_FRAMED_BYTES;

  const addMessages = (messages: readonly ModelMessage[]): void => {
    for (const message of messages)
      if (message.role === "user")
        waitingParts.unshift(...filesOf(message.parts).filter(({ upload }) => upload !== undefined));
  };
  addMessages(history);

  const takeWaiting = (): readonly FilePart[] =>
    waitingParts.splice(0).filter((part) => {
      const path = inboxPath(part);
      if (part.sizeBytes > maxFileBytes || part.sizeBytes > remainingBytes || sentPaths.has(path)) return false;
      sentPaths.add(path);
      remainingBytes -= part.sizeBytes;
      return true;
    });

  const send = (path: string, bytes: Uint8Array, stays?: true): void => {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const data = bytes.subarray(start, start + PIECE_BYTES).toBase64();
      const isLast = start + PIECE_BYTES >= bytes.length;
      cellLease.send({ type: "file-piece", ...scope, path, data, isLast, ...(stays === undefined ? {} : { stays }) });
    }
  };

  const sendOne = async (part: FilePart): Promise<void> => {
    const path = inboxPath(part);
    if (part.sizeBytes > PIECE_BYTES || part.sizeBytes > remainingFramedBytes) {
      const bytes = await openFile(part);
      return bytes === undefined ? undefined : stream(options, path, bytes);
    }
    remainingFramedBytes -= part.sizeBytes;
    const bytes = await readFile(part);
    if (bytes !== undefined) send(path, bytes);
  };

  return {
    addMessages,
    async sendReceived() {
      const parts = takeWaiting();
      if (parts.length === 0) return;
      // Labels come first: a file without a label would count as written by the agent.
      await labelReceived(parts.map(inboxPath));
      for (const part of parts) await sendOne(part);
    },
    async sendPermanent(files) {
      if (files.length === 0) return;
      await labelPermanent(files.map(({ path }) => path));
      for (const { path, bytes } of files) send(path, bytes, true);
    },
  };
};

const totalBytesOf = ({ diskMiB }: CellLimits): number => diskMiB * MIB * INBOX_SHARE_OF_DISK;

/**
 * Sends a file, and resolves when the inmate has stored or refused it. The inmate reports a refusal to
 * the model.
 */
const stream = async (
  { clock, scope, cellLease, signal }: TurnInboxOptions,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  if (signal.aborted) return;
  const file = cellLease.openStream(inboxStreamLabel(scope.activation, path));
  signal.addEventListener("abort", file.reset, { once: true });
  /** Closes a cell that does not take the bytes, because the turn would wait without end. */
  const closeIfStalled = async (work: Promise<unknown>): Promise<void> => {
    const doneController = new AbortController();
    const stallCheck = clock.sleep(STALL_TIMEOUT_MS, doneController.signal).then(() => {
      if (!doneController.signal.aborted) cellLease.reportViolation("it did not take a file of a message");
    });
    await work.finally(() => doneController.abort());
    await stallCheck;
  };
  try {
    for await (const piece of bytes) await closeIfStalled(file.write(piece));
    file.end();
    await closeIfStalled(readToEnd(file.bytes));
  } catch (error) {
    // The inmate does not have the whole file, and reports this to the model.
    file.reset();
    if (!isHearthError(error, "cell.lost") && !isHearthError(error, "store.damaged")) throw error;
  } finally {
    signal.removeEventListener("abort", file.reset);
  }
};

const readToEnd = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const piece of bytes) if (piece.length > 0) return;
};
