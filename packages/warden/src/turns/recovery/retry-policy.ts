/** How often, and when, an activation is tried again by itself before it fails. */
import { mayPass } from "../../models/index.ts";
import type { ErrorBody, ErrorCode } from "@hearth/protocol";

/**
 * Deaths of the daemon without a new journal step before an activation is given up. A power cut, an update or a supervisor that
 * restarts the daemon every few seconds says nothing about the activation, so this is far more than one bad minute brings.
 */
export const MAX_DAEMON_DEATHS = 10;
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
