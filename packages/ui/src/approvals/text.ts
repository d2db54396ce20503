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

// pending-count.tsx
export const pending = " pending";

// outcome-words.ts
export const scopeButtons = { once: "Allow once", session: "Allow in this chat", rule: "Always allow" } as const;
export const scopeTitles = { session: "This chat", rule: "Always" } as const;
export const wantsToRunCommand = (agent: string): string => `${agent} wants to run a command`;
export const wantsToUse = (agent: string, tool: string): string => `${agent} wants to use ${tool}`;
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
export const removeRule = "Remove rule";
export const allowedBy = (name: string): string => `${name} allowed this`;

// use-decision.ts
export const pressAgain = "This request just appeared or moved. Read it, then press again.";
export const tooLate = "Too late: this request was already decided, or it expired.";
export const tooLatePrefix = "Too late. ";

// waiting.tsx
export const waitsForAdmin = "waits for an admin of its house.";
