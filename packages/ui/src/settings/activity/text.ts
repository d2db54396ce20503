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
export const hiddenRoom = "a room you cannot see";
export const inRoom = (room: string): string => `In ${room}`;
export const time = "Time";
export const message = "Message";
export const deleted = "Deleted";
export const openRoom = (room: string): string => `Open ${room}`;
export const messagesInARow = "Agent messages in a row";
export const noCalls = "No model or tool calls";
export const steps = "Steps";
export const showRun = "Show run";
// activity-words.ts
export const triggers = {
  direct: "Direct message",
  mention: "Mention",
  ambient: "Group message",
  wake: "Message from a member who wakes all agents",
  inbox: "Message from another agent",
  job: "Scheduled job",
  heartbeat: "Scheduled check-in",
} as const;
export const outcomes = {
  queued: "Queued",
  running: "Running",
  waiting: "Waiting for approval",
  replied: "Replied",
  skipped: "No reply",
  failed: "Failed",
  stopped: "Stopped",
} as const;
export const skipTitles = {
  cooldown: "Cooldown",
  relevance: "Not relevant",
  dedup: "Answered with a later message",
  admission: "Author not allowed",
  permission: "No write access",
  depth: "Limit of agent messages in a row",
  replies: "Limit of agent replies",
  budget: "Budget spent",
} as const;
export const skipReasons = {
  cooldown: "The agent wrote one of the last five messages, so it let others reply.",
  relevance: "The message was not relevant to the agent.",
  dedup: "Several messages arrived together; the agent answered the last one.",
  admission: "The author of the message may not wake agents in this room.",
  permission: "The agent has no write access to this room.",
  depth: "The limit of consecutive agent messages without a person was reached.",
  replies: "The limit of agent replies to one message of a person was reached.",
  budget: "The agent's budget is spent.",
} as const;
/** For example "No reply: cooldown". */
export const skippedBecause = (title: string): string =>
  `${outcomes.skipped}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
export const answeredTogether = "Answered together with another message";
export const agentStatuses = {
  idle: "Idle",
  queued: "Queued",
  running: "Running",
  waiting: "Waiting for approval",
  held: "Stopped",
} as const;
export const tokensNotReported = "tokens not reported";
export const tokensInAndOut = (input: string, output: string): string => `${input} tokens in, ${output} out`;
export const estimated = (counts: string): string => `${counts} (estimated)`;
export const relevanceCheck = "Relevance check";
export const modelCall = "Model call";
export const receivedNewMessages = "Received new messages";
export const toolCall = (tool: string): string => `Tool call: ${tool}`;

// activity-row.tsx
// These two follow the description of a step on the same line.
export const failed = " Failed";
export const unknownResult = " Unknown result";
