/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// approval-card.tsx
export const formerMember = "Former member";
export const reason = "Reason (optional)";
export const deny = "Deny";
export const reasonHint = "Shown to the agent";
export const inHiddenRoom = "In a room you cannot see";
export const inRoom = "In";
export const requested = "requested";
export const requestedInRoom = "Requested";
export const expiresOn = (date: string): string => `expires on ${date} at`;

// approved-scope.ts
/** The fields of calls. They are parts of a sentence, and titles of values. */
export const fieldTitles = {
  agent: "agent",
  answer: "answer",
  args: "arguments",
  background: "background",
  caption: "caption",
  command: "command",
  content: "content",
  from: "page",
  input: "input",
  limit: "number of results",
  mask: "mask",
  maxToolCalls: "number of tool calls",
  n: "number of pictures",
  name: "name",
  new: "new text",
  old: "old text",
  patch: "patch",
  path: "file",
  prompt: "prompt",
  query: "search",
  question: "question",
  room: "room",
  size: "size",
  source: "file",
  spec: "chart",
  task: "task",
  text: "text",
  timeoutSeconds: "time limit",
  tools: "tools",
  url: "address",
} as const;
export const thisCall = "This call, once.";
export const exactCallOnly = "Only this exact call";
export const similarCalls = (same: string, others: string): string =>
  `Calls with the same ${same} (${others} may differ)`;
export const scopeEnds = {
  session: (calls: string): string => `${calls}, until a new session begins in this room.`,
  rule: (calls: string): string => `${calls}, in every room, until you remove the rule.`,
} as const;
export const sameModel = "More calls of this model beyond the limit, until a new session begins in this room.";
export const nothingElse = "Nothing else may differ.";
export const mayDiffer = (others: string): string => `May differ: ${others}.`;

// ask-words.ts
export const asksBeforeChanges = "This agent asks before each call that does more than read.";
export const cannotBeUndone = "The call cannot be undone.";
const afterReading = (sources: string | undefined): string =>
  sources === undefined ? "" : ` The agent has read text from ${sources}.`;
export const foreignLink = (sources: string | undefined): string =>
  `The call contains a link that you did not write.${afterReading(sources)}`;
export const foreignDestination = (sources: string | undefined): string =>
  `The call sends data to a place that you did not name.${afterReading(sources)}`;
export const unknownDestination =
  "The call does not say where it sends data, and the agent has read text by strangers.";

// change-lines.ts
export const allOf = (names: string): string => `All of ${names}`;
export const thePatch = "The patch";

// call-summary.ts
export const folder = "Folder";
export const workspaceRoot = "Root of the workspace";
export const files = "Files";

// call.tsx
export const risk = "Risk";
export const why = "Why";
export const exactCall = "Exact call";

// pending-count.tsx
export const pending = " pending";

// outcome-words.ts
export const scopeButtons = { once: "Allow once", session: "Allow in this chat", rule: "Always allow" } as const;
export const scopeTitles = { session: "This chat", rule: "Always" } as const;
export const wantsToRunCommand = (agent: string): string => `${agent} wants to run a command`;
export const asksFor = (agent: string, tool: string): string => `${agent} asks for approval: ${tool}`;
export const wantsToCallModel = (agent: string, model: string): string => `${agent} wants to call the model ${model}`;
/** These two are the `who` of the texts that follow. */
export const decidedByAdmin = "An admin";
export const decidedByYou = "You";
export const allowedWords = {
  once: (who: string): string => `${who} allowed this once.`,
  session: (who: string): string => `${who} allowed this until the next session.`,
  rule: (who: string): string => `${who} saved a rule that allows this.`,
} as const;
export const callHasStarted = "The call has started.";
export const deniedWords = (who: string): string => `${who} denied this.`;
export const expiredWithoutAnswer = "Expired without an answer, so the call was denied.";
export const closedWithoutRunning = "Closed without running.";

// rules.tsx
export const savedRules = "Saved rules";
export const ruleRemoved = "Rule removed. The agent asks again before such calls.";
export const you = "You";
export const noSavedRules = "No saved rules. Agents ask every time.";
export const savedRulesDetail = "Agents do not ask before calls that match these rules.";
export const mayRunCommand = (agent: string): string => `${agent} may run this command without approval.`;
export const mayCall = (agent: string, tool: string): string => `${agent} may do this without approval: ${tool}.`;
export const inEveryRoom = "In every room.";
export const inRoomUntilSession = (room: string): string => `In ${room}, until a new session begins there.`;
export const aRoomYouCannotSee = "a room that you cannot see";
export const exactRule = "Exact rule";
export const removeRule = "Remove rule";
export const allowedBy = (name: string): string => `${name} allowed this`;

// use-decision.ts
export const pressAgain = "This request just appeared or moved. Read it, then press again.";
export const tooLate = "Too late: this request was already decided, or it expired.";
export const tooLatePrefix = "Too late. ";

// waiting.tsx
export const waitsForAdmin = "waits for an admin of its house.";
