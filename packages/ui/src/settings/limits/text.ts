/** User-facing texts of this folder, in the order of its files. */

// limits-page.tsx
export const budget = "Budget";
export const budgetIntroduction =
  "Limits of what all agents together may spend on models, in US dollars. Each agent can also have limits.";
export const perDay = "Per day";
export const perMonth = "Per month";
export const perRun = "Per run";
export const sandboxes = "Sandboxes";
export const sandboxesIntroduction =
  "Where agents run commands. To change these limits, first log in with a login link or a passkey. You can then change them for 15 minutes.";
export const openAtOnce = "Maximum open sandboxes";
export const idleSeconds = "Idle time before closing (seconds)";
export const memory = "Memory (MiB)";
export const processes = "Processes";
export const files = "Files in messages";
export const perFile = "Largest file (MiB)";
export const perPerson = "All files of a person (MiB)";
export const perHouse = "All files of the house (MiB)";
export const keeping = "Retention";
export const keepingIntroduction = "Messages in rooms stay until they are deleted.";
export const activityDays = "Details of runs (days)";
export const deliveryDays = "Sent messages of channels (days)";
export const jobDays = "Past runs of automations (days)";
export const usageDays = "Usage of models (days)";
export const approvalHours = "Unanswered approvals (hours)";

// limit-group.tsx
export const noLimit = "No limit";
export const notANumber = "Enter a number, or leave the field empty.";
export const save = "Save";
export const saveGroup = (group: string): string => `Save ${group.toLowerCase()}`;
export const saved = (group: string): string => `${group} saved.`;
export const savedForRestart = (group: string): string => `${group} saved. The change applies after a restart.`;
