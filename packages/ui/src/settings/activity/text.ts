/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// activity-page.tsx
export const activityOf = (name: string): string => `Activity of ${name}`;
export const oneLinePerRun = "One line per run.";
export const outcome = "Outcome";
export const all = "All";
export const reasonForNoReply = "Reason for no reply";
export const anyReason = "Any reason";
export const showMore = "Show more";
export const noRunsMatch = "No runs match. Older runs may have been deleted.";

// activity-row.tsx
export const formerMember = "Former member";
export const time = "Time";
export const message = "Message";
export const deleted = "Deleted";
export const messagesInARow = "Agent messages in a row";
export const noCalls = "No model or tool calls";
export const steps = "Steps";
export const showRun = "Show run";
// These two follow the description of a step on the same line.
export const failed = " Failed";
export const unknownResult = " Unknown result";
