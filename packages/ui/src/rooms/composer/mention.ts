/** Autocompletion of @mentions. Pure. */
import type { AgentRecord } from "@hearth/protocol";

/** An unfinished mention before the cursor. */
export interface MentionQuery {
  readonly start: number;
  readonly query: string;
}

const MAX_SUGGESTIONS = 6;
/**
 * Matches a mention that ends at the cursor. Like the protocol's rule, it does not match inside a
 * word or an address.
 */
const BEFORE_CURSOR = /(?<![\p{L}\p{M}\p{N}_@/.])@([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)?$/u;
const MAX_HANDLE = 65;

export const findMentionQuery = (text: string, cursor: number): MentionQuery | undefined => {
  const start = Math.max(0, cursor - MAX_HANDLE);
  const match = BEFORE_CURSOR.exec(text.slice(start, cursor));
  return match === null ? undefined : { start: start + match.index, query: (match[1] ?? "").toLowerCase() };
};

/** Returns the agents whose handle or name starts with the query. Matches of handles come first. */
export const suggestAgents = (query: string, agents: readonly AgentRecord[]): readonly AgentRecord[] => {
  const byHandle = agents.filter(({ handle }) => handle.startsWith(query));
  const byName = agents.filter(
    (agent) =>
      !byHandle.includes(agent) &&
      agent.content.name
        .toLowerCase()
        .split(/\s+/)
        .some((word) => word.startsWith(query)),
  );
  return [...byHandle, ...byName].slice(0, MAX_SUGGESTIONS);
};

/** Returns the text with the completed handle, and the new position of the cursor. */
export const completeMention = (
  text: string,
  { start, query }: MentionQuery,
  { handle }: AgentRecord,
): { readonly text: string; readonly cursor: number } => {
  const textAfter = text.slice(start + 1 + query.length);
  const separator = /^\s/.test(textAfter) ? "" : " ";
  const textBefore = `${text.slice(0, start)}@${handle}`;
  return { text: `${textBefore}${separator}${textAfter}`, cursor: textBefore.length + 1 };
};
