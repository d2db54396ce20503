/** How often and when an activation is retried automatically before it fails. */
import { mayPass } from "../../models/index.ts";
import type { ErrorBody, ErrorCode } from "@hearth/protocol";

/**
 * How many deaths of the daemon without a new journal step end an activation. A power cut, an
 * update or a supervisor that restarts the daemon every few seconds says nothing about the
 * activation, so the limit is well above what such an incident causes.
 */
export const MAX_DAEMON_DEATHS = 10;
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
export const isTransient = (code: ErrorCode): boolean => code === "provider.empty" || mayPass(code);

/** The pause before the next retry, or undefined when none is left. */
export const retryDelayMs = (retries: number, { code }: ErrorBody): number | undefined =>
  retries >= (code === "provider.empty" ? MAX_EMPTY_RETRIES : MAX_RETRIES)
    ? undefined
    : Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS);
