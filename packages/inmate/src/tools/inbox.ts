/**
 * The files of messages in the workspace while turns run. The warden sends them before the first
 * call that may use them; they are removed with the last turn that has them.
 */
import { type ActivationId, isHearthError, toErrorBody, type WardenFrame } from "@hearth/protocol";
import type { Tools } from "./index.ts";

export interface Inbox {
  take(piece: Extract<WardenFrame, { type: "file-piece" }>): void;
  /** Resolves when the files are in place. Returns an explanation for the model if one is not. */
  ready(activation: ActivationId): Promise<string | undefined>;
  /** Removes the turn's files. */
  drop(activation: ActivationId): Promise<void>;
}

interface Own {
  readonly paths: Set<string>;
  readonly pieces: Map<string, Uint8Array[]>;
  work: Promise<void>;
}

export const createInbox = (tools: Pick<Tools, "inbox">): Inbox => {
  const turns = new Map<ActivationId, Own>();
  /** Files that a cell which ended early has left. */
  let cleared: Promise<void> | undefined;

  const isElsewhere = (path: string): boolean => [...turns.values()].some(({ paths }) => paths.has(path));

  const place = async (own: Own, path: string, bytes: Uint8Array): Promise<void> => {
    cleared ??= tools.inbox.clear();
    await cleared;
    if (!isElsewhere(path)) await tools.inbox.put(path, bytes);
    own.paths.add(path);
  };

  return {
    take({ activation, path, data, isLast }) {
      const own = turns.get(activation) ?? { paths: new Set(), pieces: new Map(), work: Promise.resolve() };
      turns.set(activation, own);
      const pieces = [...(own.pieces.get(path) ?? []), Uint8Array.fromBase64(data)];
      own.pieces.set(path, pieces);
      if (!isLast) return;
      own.pieces.delete(path);
      own.work = own.work.then(() => place(own, path, join(pieces)));
      // `ready` reports it.
      own.work.catch(() => {});
    },
    async ready(activation) {
      const own = turns.get(activation);
      try {
        await own?.work;
        return undefined;
      } catch (error) {
        // The other files are in place, so only this call fails.
        if (own !== undefined) own.work = Promise.resolve();
        return `A file of a message is not in your workspace: ${toErrorBody(error).message}`;
      }
    },
    async drop(activation) {
      const own = turns.get(activation);
      turns.delete(activation);
      await own?.work.catch(() => {});
      for (const path of own?.paths ?? []) {
        if (isElsewhere(path)) continue;
        await tools.inbox.remove(path).catch((error: unknown) => {
          // A command moved or replaced it: what is there now belongs to the agent.
          if (!isHearthError(error)) throw error;
        });
      }
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
