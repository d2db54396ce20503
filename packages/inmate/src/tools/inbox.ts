/**
 * Receives files from the warden. Files of messages are in the workspace while turns run. The
 * warden sends them before the first call that may use them, and the end of the last turn that has
 * them removes them. Files that a tool on the host made stay.
 */
import {
  type ActivationId,
  type ByteStream,
  HearthError,
  isHearthError,
  readInboxStreamLabel,
  toErrorBody,
  type WardenFrame,
} from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import type { Tools } from "./index.ts";
import { quotePath } from "./path.ts";

export interface Inbox {
  /** Accepts files of this turn from now on. Removes files that an earlier cell left. */
  open(activation: ActivationId): void;
  /** Takes a piece of a file. Ignores pieces for a turn that is not open. */
  addPiece(piece: Extract<WardenFrame, { type: "file-piece" }>): void;
  /** Takes a larger file from its stream. Resets a stream that it does not take. */
  takeStream(stream: ByteStream): void;
  /** Waits until the files are in place. Resolves with an explanation for the model if a file is not in place. */
  whenReady(activation: ActivationId): Promise<string | undefined>;
  /** Removes the turn's files. */
  drop(activation: ActivationId): Promise<void>;
}

interface TurnFiles {
  readonly paths: Set<string>;
  readonly pieces: Map<string, Uint8Array[]>;
  placement: Promise<void>;
}

export const createInbox = (tools: Pick<Tools, "inbox">): Inbox => {
  const turns = new Map<ActivationId, TurnFiles>();
  let isCleared = false;

  /** Changes the folder, one change after another. */
  const enqueue = createSerialQueue();

  const clear = async (): Promise<void> => {
    if (isCleared) return;
    await tools.inbox.clear();
    isCleared = true;
  };

  const isUsedByTurn = (path: string): boolean => [...turns.values()].some(({ paths }) => paths.has(path));

  const placeFile = async (
    turnFiles: TurnFiles,
    path: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<"written" | "known"> => {
    await clear();
    const isKnown = isUsedByTurn(path);
    if (!isKnown) await tools.inbox.writeReceived(path, bytes);
    turnFiles.paths.add(path);
    return isKnown ? "known" : "written";
  };

  const remove = async (path: string): Promise<void> => {
    if (isUsedByTurn(path)) return;
    await tools.inbox.remove(path).catch((error: unknown) => {
      // A command moved or replaced the file. The present file belongs to the agent.
      if (!isHearthError(error)) throw error;
    });
  };

  return {
    open(activation) {
      turns.set(activation, { paths: new Set(), pieces: new Map(), placement: Promise.resolve() });
      // The next placed file fails in the same way and reports the failure.
      enqueue(clear).catch(() => {});
    },
    addPiece({ activation, path, data, isLast, stays }) {
      const turnFiles = turns.get(activation);
      if (turnFiles === undefined) return;
      const pieces = [...(turnFiles.pieces.get(path) ?? []), Uint8Array.fromBase64(data)];
      turnFiles.pieces.set(path, pieces);
      if (!isLast) return;
      turnFiles.pieces.delete(path);
      const previousPlacement = turnFiles.placement;
      turnFiles.placement = enqueue(async () => {
        if (stays) await tools.inbox.writePermanent(path, join(pieces));
        else await placeFile(turnFiles, path, join(pieces));
      }).then(() => previousPlacement);
      // `whenReady` reports the failure.
      turnFiles.placement.catch(() => {});
    },
    takeStream(stream) {
      const { activation, path } = readInboxStreamLabel(stream.label) ?? {};
      const turnFiles = activation === undefined ? undefined : turns.get(activation);
      if (turnFiles === undefined || path === undefined) return stream.reset();
      const previousPlacement = turnFiles.placement;
      const outcome = enqueue(() => placeFile(turnFiles, path, readWhole(path, stream.bytes)));
      turnFiles.placement = outcome.then(() => previousPlacement);
      // The warden waits for the end of the stream, also of one that is not read. `whenReady` reports the failure.
      turnFiles.placement.catch(() => {});
      outcome.then((result) => (result === "written" ? stream.end() : stream.reset()), stream.reset);
    },
    async whenReady(activation) {
      const turnFiles = turns.get(activation);
      try {
        await turnFiles?.placement;
        return undefined;
      } catch (error) {
        // Only this call fails. Other calls can use the files that are in place.
        if (turnFiles !== undefined) turnFiles.placement = Promise.resolve();
        return `A file is not in your workspace: ${toErrorBody(error).message}`;
      }
    },
    async drop(activation) {
      const turnFiles = turns.get(activation);
      turns.delete(activation);
      await enqueue(async () => {
        for (const path of turnFiles?.paths ?? []) await remove(path);
      });
    },
  };
};

/** Yields the bytes of a stream. Throws an error for the model if the stream breaks off. */
const readWhole = async function* (path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    throw new HearthError("tool.failed", `${quotePath(path)} did not arrive completely.`, { cause });
  }
};

const join = (pieces: readonly Uint8Array[]): Uint8Array => {
  const joinedBytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joinedBytes.set(piece, offset);
    offset += piece.length;
  }
  return joinedBytes;
};
