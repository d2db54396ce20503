/** User-facing texts of this folder, in the order of its files. */

// sandboxes-page.tsx
export const openSandboxes = "Open sandboxes";
export const openSandboxesIntroduction =
  "Where agents run commands now. A sandbox that is closed opens again for the next run.";
export const hiddenAgent = "An agent you cannot see";
export const privateAudience = "Private";
export const hiddenRoom = "A room you cannot see";
export const agent = "Agent";
export const allAgents = "All agents";
export const closeCount = (count: number): string => (count === 1 ? "Close 1 sandbox" : `Close ${count} sandboxes`);
export const closedCount = (count: number): string =>
  count === 1 ? "1 sandbox closed." : `${count} sandboxes closed.`;
export const noSandboxes = "No open sandboxes";
export const noSandboxesDetail = "A sandbox opens when an agent uses a tool.";
export const isolation = "Isolation";
export const limits = "Limits";
export const state = "Status";
export const opened = "Opened";
export const close = "Close";
