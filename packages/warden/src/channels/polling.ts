/**
 * The poll loop of channels. After a failure it continues with growing pauses until it is aborted.
 */
import type { Clock, ErrorBody } from "@hearth/protocol";
import type { InboundBatch } from "./channel.ts";

export type PollResult =
  /** The platform answered. `batch` is absent if there was nothing new. */
  | { readonly kind: "answered"; readonly batch?: InboundBatch }
  | { readonly kind: "failed"; readonly error: ErrorBody; readonly retryAfterMs?: number };

export interface Polling {
  readonly clock: Clock;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  readonly onFailure: (error: ErrorBody) => void;
  /**
   * Requests the updates after the cursor. Waits for updates and returns when the signal aborts.
   * Never throws.
   */
  poll(cursor: string | undefined, signal: AbortSignal): Promise<PollResult>;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const MAX_REQUESTED_WAIT_MS = 3_600_000;
/** Minimum interval between polls of a platform that answers at once. */
const MIN_INTERVAL_MS = 1_000;

export const pollForever = async function* (polling: Polling): AsyncGenerator<InboundBatch> {
  const { clock, signal } = polling;
  let { cursor } = polling;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const requestedAt = clock.monotonic();
    const result = await polling.poll(cursor, signal);
    if (signal.aborted) return;
    if (result.kind === "failed") {
      polling.onFailure(result.error);
      await clock.sleep(Math.min(result.retryAfterMs ?? waitMs, MAX_REQUESTED_WAIT_MS), signal);
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
      continue;
    }
    waitMs = FIRST_WAIT_MS;
    if (result.batch === undefined) {
      await clock.sleep(Math.max(0, requestedAt + MIN_INTERVAL_MS - clock.monotonic()), signal);
      continue;
    }
    yield result.batch;
    ({ cursor } = result.batch);
  }
};
