/** How often and when an activation is retried automatically before it fails. */
import { isRetryable } from "../../models/index.ts";
import type { ErrorBody, ErrorCode } from "@hearth/protocol";

/**
 * How many deaths of the daemon without a new journal step end an activation. Only deaths while the
 * activation ran count, not those while it was queued or paused. A message that kills the daemon
 * whenever it runs is given up after this many tries.
 */
export const MAX_DAEMON_DEATHS = 10;
/**
 * After fewer deaths the activation runs at once: an update or a power cut must not delay a reply.
 */
export const DEATHS_WITHOUT_PAUSE = 3;
/**
 * The pause before the next run after that many deaths. Each pause is twice the last: 250 ms to 16
 * s, half a minute in all. When a daemon is killed every second, most deaths fall into the pauses.
 */
export const FIRST_DEATH_PAUSE_MS = 250;
/**
 * How many deaths of cells without a new journal step end an activation. The limit is low because
 * hardly anything else runs in its cell.
 */
export const MAX_CELL_DEATHS = 3;

/**
 * The first pause is short enough that a person does not notice it. Each pause is twice the last.
 */
export const FIRST_RETRY_MS = 2_000;
/** After an outage, replies resume within this time. */
export const LONGEST_RETRY_MS = 5 * 60_000;
/**
 * Retries after transient provider failures. With these pauses they span about half an hour, longer
 * than most outages. A reply that comes even later confuses more than it helps.
 */
export const MAX_RETRIES = 12;
/** A model that returned nothing will mostly do so again, and each call costs money. */
export const MAX_EMPTY_RETRIES = 3;

/** Whether the same request may succeed later, so that the activation is retried. */
export const isTransient = (code: ErrorCode): boolean => code === "provider.empty" || isRetryable(code);

/** The pause before the next retry, or undefined when none is left. */
export const retryDelayMs = (retries: number, { code }: ErrorBody): number | undefined =>
  retries >= (code === "provider.empty" ? MAX_EMPTY_RETRIES : MAX_RETRIES)
    ? undefined
    : Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS);

/**
 * How long an activation waits before it runs again, after so many deaths of the daemon without a
 * new step.
 */
export const deathPauseMs = (deaths: number): number =>
  deaths < DEATHS_WITHOUT_PAUSE || deaths >= MAX_DAEMON_DEATHS
    ? 0
    : FIRST_DEATH_PAUSE_MS * 2 ** (deaths - DEATHS_WITHOUT_PAUSE);
