/** How often, and when, an activation is tried again by itself before it fails. */
import { mayPass } from "../../models/index.ts";
import type { ErrorBody, ErrorCode } from "@hearth/protocol";

/**
 * Deaths of the daemon without a new journal step before an activation is given up. Only deaths while the activation ran count, not
 * those while it was queued or paused as below. A message that really kills the daemon is given up after this many tries.
 */
export const MAX_DAEMON_DEATHS = 10;
/** Deaths after which the activation still runs at once when the daemon is back: one update or power cut must not delay an answer. */
export const DEATHS_WITHOUT_PAUSE = 3;
/**
 * The pause before the next run after more deaths. Each next one is twice as long: 250 ms to 16 s, half a minute in all. Of a daemon
 * that is killed again and again, most deaths fall into the pauses and do not count.
 */
export const FIRST_DEATH_PAUSE_MS = 250;
/** Deaths of cells without a new journal step before an activation is given up. Little but the activation runs in its cell. */
export const MAX_CELL_DEATHS = 3;

/** The first pause is about as long as a person waits without wondering. Each next one is twice as long. */
export const FIRST_RETRY_MS = 2_000;
/** After an outage, answers come within this time. */
export const LONGEST_RETRY_MS = 5 * 60_000;
/**
 * Retries after transient failures of a provider: with these pauses about half an hour, which is longer than most outages. Later than
 * that an answer would surprise more than help.
 */
export const MAX_RETRIES = 12;
/** A model that returns nothing mostly does so again, and each call is paid for. */
export const MAX_EMPTY_RETRIES = 3;

/** Whether the same request may succeed later, so that the activation is tried again. */
export const isTransient = (code: ErrorCode): boolean => code === "provider.empty" || mayPass(code);

/** The pause before the next try, after so many; nothing when there is no next one. */
export const retryDelayMs = (retries: number, { code }: ErrorBody): number | undefined =>
  retries >= (code === "provider.empty" ? MAX_EMPTY_RETRIES : MAX_RETRIES)
    ? undefined
    : Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS);

/** How long an activation waits before it runs again, after so many deaths of the daemon without a new step. */
export const deathPauseMs = (deaths: number): number =>
  deaths < DEATHS_WITHOUT_PAUSE || deaths >= MAX_DAEMON_DEATHS
    ? 0
    : FIRST_DEATH_PAUSE_MS * 2 ** (deaths - DEATHS_WITHOUT_PAUSE);
