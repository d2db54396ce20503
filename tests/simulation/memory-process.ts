/** The memory process of one daemon: it indexes files and answers queries, and may die or hang. */
import { createMemoryBackend } from "@hearth/memory";
import { HearthError } from "@hearth/protocol";
import { hash, type MemoryParts } from "@hearth/warden/memory-warden";
import type { Life } from "./life.ts";

export type MemoryTrouble = "dies" | "hangs";

/** How long the client of the process waits for an answer. */
const PATIENCE_MS = 20_000;

export const createMemoryProcess = (life: Life, trouble: () => MemoryTrouble | undefined): MemoryParts => {
  const open = async (
    source: Parameters<MemoryParts["openWordSearch"]>[0],
    troubleOf: typeof trouble,
  ): ReturnType<MemoryParts["openWordSearch"]> => {
    const backend = createMemoryBackend("markdown", {
      ...{ source, hash, idleMs: 1000 },
      start: () => {
        throw new Error("This backend starts no process.");
      },
    });
    const ask = async <Answer>(what: string, answer: () => Promise<Answer>): Promise<Answer> => {
      const how = troubleOf();
      if (how === "hangs") await life.world.clock.sleep(PATIENCE_MS);
      if (how !== undefined) throw new HearthError("memory.lost", "The memory process ended.");
      return life.cross(`memory.${what}`, answer);
    };
    return {
      put: (agent, file) => ask("put", () => backend.put(agent, file)),
      remove: (agent, paths) => ask("remove", () => backend.remove(agent, paths)),
      recall: (question) => ask("recall", () => backend.recall(question)),
      status: (agent) => ask("status", () => backend.status(agent)),
      reindex: (agent) => ask("reindex", () => backend.reindex(agent)),
      whenIndexed: (agent) => ask("settled", () => backend.whenIndexed(agent)),
      [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
    };
  };
  return {
    open: (source) => open(source, trouble),
    // It reads the files in the daemon, so it needs no process.
    openWordSearch: (source) => open(source, () => undefined),
    idleMs: 60_000,
    topK: 5,
    tuning: {},
  };
};
