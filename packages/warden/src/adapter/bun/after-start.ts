/** What a start needs and a house at rest does not is given back to the machine: little happens after a start that would have it collected. */
import type { Clock } from "@hearth/protocol";

/** Whoever waited for the start has been served by then. */
const REST_MS = 2000;

/** Once. A signal that aborts before ends it. */
export const giveBackAfterStart = async (
  sleep: Clock["sleep"],
  collect: () => void,
  signal: AbortSignal,
): Promise<void> => {
  await sleep(REST_MS, signal);
  if (!signal.aborted) collect();
};
