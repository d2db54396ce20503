/** Limits of a run, and the agent that listens. */

/** Things that happen in one run at most: one that has not come to rest by then never will. */
export const MAX_EVENTS = 60_000;
/** A call that waits for a word and gets none ends after hours, and one may ask after the other. */
export const WEEK_MS = 7 * 24 * 60 * 60_000;

/** By then a daemon that was just opened has swept once. */
export const SWEEP_MS = 70_000;

/** It follows the talk of the group, and speaks where a small model, or a word of it, says that it should. */
export const LISTENER = {
  ...{ name: "Ear", kind: "bot", model: "fake/model", prompt: "handle=ear", description: "Hears every ping." },
  ...{ triggerMode: "ambient", ambient: { debounceMs: 40, model: "fake/small" } },
} as const;
