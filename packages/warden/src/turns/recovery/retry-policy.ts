/** How often and when an activation is retried automatically before it fails. */
import { isRetryable } from "../../models/index.ts";
import type { ErrorBody, ErrorCode } from "@hearth/protocol";

/**
 * An activation fails after this many crashes of the daemon without a new journal step. Only
 * crashes while the activation ran count. The limit stops a message that always kills the daemon.
 */
export const MAX_DAEMON_DEATHS = 10;
/** After fewer crashes the activation runs at once, so an update or power cut delays no reply. */
export const DEATHS_WITHOUT_PAUSE = 3;
/**
 * The first pause after crashes. Each pause is twice the one before: 250 ms to 16 s, half a minute
 * in all. If the daemon is killed every second for another reason, most of these crashes fall into
 * the pauses and do not count.
 */
export const FIRST_DEATH_PAUSE_MS = 250;
/**
 * An activation fails after this many deaths of its cell without a new journal step. The limit is
 * low, because the activation is the likely cause.
 */
export const MAX_CELL_DEATHS = 3;

/** The first pause before a retry. Each pause is twice the one before. */
export const FIRST_RETRY_MS = 2_000;
/** The longest pause, so replies resume within this time after an outage. */
export const LONGEST_RETRY_MS = 5 * 60_000;
/**
 * Number of retries after transient failures of a provider. They span about half an hour, longer
 * than most outages. A later reply would confuse more than it helps.
 */
export const MAX_RETRIES = 12;
/** Fewer retries after an empty answer, which mostly repeats, and each call costs money. */
export const MAX_EMPTY_RETRIES = 3;

/** Whether the same request may succeed later, so that the activation is retried. */
export const isTransient = (code: ErrorCode): boolean => code === "provider.empty" || isRetryable(code);

/** The pause before the next retry, or undefined if no retry is left. */
export const retryDelayMs = (retries: number, { code }: ErrorBody): number | undefined =>
  retries >= (code === "provider.empty" ? MAX_EMPTY_RETRIES : MAX_RETRIES)
    ? undefined
    : Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS);

/** The pause before the next run, after this many crashes of the daemon without a new step. */
export const deathPauseMs = (deaths: number): number =>
  deaths < DEATHS_WITHOUT_PAUSE || deaths >= MAX_DAEMON_DEATHS
    ? 0
    : FIRST_DEATH_PAUSE_MS * 2 ** (deaths - DEATHS_WITHOUT_PAUSE);
