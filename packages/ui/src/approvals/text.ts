/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// approval-card.tsx
export const formerMember = "Former member";
export const reason = "Reason (optional)";
export const deny = "Deny";
export const reasonHint = "The agent reads it";
export const inHiddenRoom = "In a room you cannot see";
export const inRoom = "In";
export const requested = "requested";
export const requestedInRoom = "Requested";
export const expiresOn = (date: string): string => `expires on ${date} at`;

// inbox-page.tsx
export const inbox = "Inbox";
export const onlyAdmins = "Only admins can answer requests. You are not an admin of any house.";
export const tryAgain = "Try again";
export const loading = "Loading";
export const pendingApprovals = "Pending approvals";
export const approvalsIntroduction =
  "Agents ask here, and in the room where they work, before they use a tool that needs approval.";
export const noPendingApprovals = "No pending approvals";
export const onePendingApproval = "1 pending approval. The agent waits for your answer.";
export const pendingApprovalCount = (count: number): string =>
  `${count} pending approvals. The agents wait for your answers.`;
export const keysMove = "or arrow keys: next and previous request.";
export const keyAllows = "Allow once.";
export const keyDenies = "Deny.";

// change-lines.ts
export const allOf = (names: string): string => `All of ${names}`;
export const thePatch = "The patch";

// call-summary.ts
export const folder = "Folder";
export const workspaceRoot = "Root of the workspace";
export const files = "Files";

// call.tsx
export const risk = "Risk";
export const exactCall = "Exact call";
export const added = "Added: ";
export const removed = "Removed: ";

// pending-count.tsx
export const pending = " pending";

// pending-proposals.tsx
export const changesToAgents = "Changes to agents";
export const agentPausedUntilYouDecide = "The agent is paused until you decide.";
export const changesTo = (count: number, agent: string): string =>
  `${count === 1 ? "1 change" : `${count} changes`} to ${agent}`;

// rules.tsx
export const savedRules = "Saved rules";
export const ruleRemoved = "Rule removed. The agent asks again before such calls.";
export const you = "You";
export const noSavedRules = "No saved rules. Agents ask every time.";
export const savedRulesDetail = "Agents do not ask before calls that match these rules.";
export const removeRule = "Remove rule";
export const allowedBy = (name: string): string => `${name} allowed this`;

// use-decision.ts
export const pressAgain = "This request just appeared or moved. Read it, then press again.";
export const tooLate = "Too late: this request was already decided, or it expired.";
export const tooLatePrefix = "Too late. ";

// waiting.tsx
export const waitsForAdmin = "waits for an admin of its house.";
