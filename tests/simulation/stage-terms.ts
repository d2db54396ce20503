/** Limits of a run, and the listening agent. */

/** Maximum number of callbacks of a run. A run that is not at rest by then never will be. */
export const MAX_EVENTS = 60_000;
/** Maximum virtual time of a phase. Approvals expire after hours, and one may follow the other. */
export const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Time in which a daemon that just opened has swept once. */
export const SWEEP_MS = 70_000;

/**
 * Follows the conversation of the group, and replies where a small model decides that it concerns
 * the agent.
 */
export const LISTENER = {
  ...{ name: "Ear", kind: "bot", model: "fake/model", prompt: "handle=ear", description: "Hears every ping." },
  ...{ triggerMode: "ambient", ambient: { debounceMs: 40, model: "fake/small" } },
} as const;
