/**
 * A memory that searches the files by words while its index process is unavailable, and reports
 * this. Retries a failed index with increasing backoff.
 */
import type { Log } from "../../kernel/index.ts";
import { type Clock, isHearthError, type MemoryBackend, type MemoryQuestion } from "@hearth/protocol";
import type { RecallResult } from "@hearth/protocol/memory-frames";

export interface FallbackMemoryOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
  readonly main: MemoryBackend;
  /** Opens the search by words, on first use. */
  readonly scan: () => Promise<MemoryBackend>;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

export interface FallbackMemory extends AsyncDisposable {
  recall(question: MemoryQuestion): Promise<RecallResult>;
  /** Runs work on the index unless it is backing off. Returns whether it ran. */
  attempt(work: (main: MemoryBackend) => Promise<void>): Promise<boolean>;
}

export const createFallbackMemory = ({ clock, log, main, scan }: FallbackMemoryOptions): FallbackMemory => {
  let pauseMs = FIRST_PAUSE_MS;
  let pausedUntil = -Infinity;

  const attempt: FallbackMemory["attempt"] = async (work) => {
    if (clock.monotonic() < pausedUntil) return false;
    try {
      await work(main);
      pauseMs = FIRST_PAUSE_MS;
      return true;
    } catch (error) {
      if (isHearthError(error, "memory.aborted")) throw error;
      pausedUntil = clock.monotonic() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      log.write("warn", "the memory index is unavailable; searching by words alone", { error });
      return false;
    }
  };

  return {
    attempt,
    async recall(question) {
      let answer: RecallResult | undefined;
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
