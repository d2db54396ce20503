/**
 * A memory that answers though its process does not: by words, from the files themselves, and it says so. One that fails is left alone for a while,
 * longer each time, so that what cannot start is not started over and over.
 */
import type { Log } from "../../kernel/index.ts";
import { type Clock, isHearthError, type Recalled } from "@hearth/protocol";
import type { MemoryBackend, MemoryQuestion } from "./backend.ts";

export interface FallbackMemoryOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
  readonly main: MemoryBackend;
  /** Made when it is needed for the first time. */
  readonly scan: () => Promise<MemoryBackend>;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

export interface FallbackMemory extends AsyncDisposable {
  recall(question: MemoryQuestion): Promise<Recalled>;
  /** Does something with the index, unless it is left alone at present. Whether it was done. */
  attempt(work: (main: MemoryBackend) => Promise<void>): Promise<boolean>;
}

export const createFallbackMemory = ({ clock, log, main, scan }: FallbackMemoryOptions): FallbackMemory => {
  let pauseMs = FIRST_PAUSE_MS;
  let until = -Infinity;

  const attempt: FallbackMemory["attempt"] = async (work) => {
    if (clock.monotonic() < until) return false;
    try {
      await work(main);
      pauseMs = FIRST_PAUSE_MS;
      return true;
    } catch (error) {
      if (isHearthError(error, "memory.aborted")) throw error;
      until = clock.monotonic() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      log.write("warn", "memory answers by words alone for now", { error });
      return false;
    }
  };

  return {
    attempt,
    async recall(question) {
      let answer: Recalled | undefined;
      await attempt(async (index) => {
        answer = await index.recall(question);
      });
      if (answer?.rebuilding === false) return answer;
      await using files = await scan();
      return { ...(await files.recall(question)), rebuilding: true };
    },
    [Symbol.asyncDispose]: () => main[Symbol.asyncDispose](),
  };
};
