/**
 * Receives files from the warden. Files of messages are in the workspace while turns run. The
 * warden sends them before the first call that may use them, and the end of the last turn that has
 * them removes them. Files that a tool on the host made stay.
 */
import { type ActivationId, isHearthError, toErrorBody, type WardenFrame } from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import type { Tools } from "./index.ts";

export interface Inbox {
  /** Accepts files of this turn from now on. Removes files that an earlier cell left. */
  open(activation: ActivationId): void;
  /** Takes a piece of a file. Ignores pieces for a turn that is not open. */
  addPiece(piece: Extract<WardenFrame, { type: "file-piece" }>): void;
  /** Waits until the files are in place. Resolves with an explanation for the model if a file is not. */
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

  const place = async (own: TurnFiles, path: string, bytes: Uint8Array): Promise<void> => {
    await clear();
    if (!isUsedByTurn(path)) await tools.inbox.put(path, bytes);
    own.paths.add(path);
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
      // A failure also happens when a file is placed, which reports it.
      enqueue(clear).catch(() => {});
    },
    addPiece({ activation, path, data, isLast, stays }) {
      const own = turns.get(activation);
      if (own === undefined) return;
      const pieces = [...(own.pieces.get(path) ?? []), Uint8Array.fromBase64(data)];
      own.pieces.set(path, pieces);
      if (!isLast) return;
      own.pieces.delete(path);
      const before = own.placement;
      own.placement = enqueue(() =>
        stays ? tools.inbox.keep(path, join(pieces)) : place(own, path, join(pieces)),
      ).then(() => before);
      // `ready` reports the failure.
      own.placement.catch(() => {});
    },
    async whenReady(activation) {
      const own = turns.get(activation);
      try {
        await own?.placement;
        return undefined;
      } catch (error) {
        // Only this call fails. Other calls can use the files that are in place.
        if (own !== undefined) own.placement = Promise.resolve();
        return `A file is not in your workspace: ${toErrorBody(error).message}`;
      }
    },
    async drop(activation) {
      const own = turns.get(activation);
      turns.delete(activation);
      await enqueue(async () => {
        for (const path of own?.paths ?? []) await remove(path);
      });
    },
  };
};

const join = (pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};
