/**
 * Collects garbage after a start, because little happens after it that would trigger a collection.
 */
import type { Clock } from "@hearth/protocol";

/** By then, requests that waited for the start have been served. */
const REST_MS = 2000;

/** Collects once. An abort of the signal before that cancels it. */
export const giveBackAfterStart = async (
  sleep: Clock["sleep"],
  collect: () => void,
  signal: AbortSignal,
): Promise<void> => {
  await sleep(REST_MS, signal);
  if (!signal.aborted) collect();
};
