/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// inbox-bulk.tsx
export const selectedRequests = "Selected requests";
export const selectedCount = (count: number): string => `${count} selected`;
export const denyCount = (count: number): string => `Deny ${count}`;
export const denySelected = (count: number): string => (count === 1 ? "Deny 1 request?" : `Deny ${count} requests?`);
export const denySelectedEffect = "The agents read that you denied their requests, and continue without them.";
export const deniedCount = (count: number): string => `${count} denied.`;

// inbox-filters.tsx
export const filters = "Filters";
export const agent = "Agent";
export const allAgents = "All";
export const kind = "Kind";
export const allKinds = "All";
export const kinds = { approval: "Approvals", proposal: "Proposals" } as const;
export const kindWords = { approval: "Approval", proposal: "Proposal" } as const;
export const state = "Status";
export const pendingState = "Pending";
export const decidedState = "Decided";

// inbox-history.tsx
export const decidedRequests = "Decided requests";
export const nothingDecided = "Nothing has been decided yet.";
export const noMatches = "No request matches these filters.";
export const request = "Request";
export const outcome = "Outcome";
export const time = "Time";

// inbox-page.tsx
export const formerMember = "Former member";
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

// pending-proposals.tsx
export const changesToAgents = "Changes to agents";
export const agentPausedUntilYouDecide = "The agent is paused until you decide.";
export const changesTo = (count: number, agent: string): string =>
  `${count === 1 ? "1 change" : `${count} changes`} to ${agent}`;
export const changeBy = (path: string, agent: string): string => `Change to ${path} · ${agent}`;

// picked.tsx
export const select = (name: string): string => `Select ${name}`;
