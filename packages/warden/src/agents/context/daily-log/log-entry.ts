/**
 * Formats a turn as one line of an agent's daily log: time, requester, answer, tools and activation
 * id. Leaves out the question, because its author may edit or delete it later.
 */
import type { ActivationId } from "@hearth/protocol";

export interface LoggedTurn {
  readonly activation: ActivationId;
  /** "14:05", in the house's time zone. */
  readonly time: string;
  /** The person who asked, with the room's name if it is a group. */
  readonly who: string;
  /** The answer. It is absent if the turn did not answer. */
  readonly answer?: string;
  /** The names of the tools that may have changed something, one name per call. */
  readonly tools: readonly string[];
}

/** Maximum length of the quoted answer, in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 160;

export const logEntry = ({ activation, time, who, answer, tools }: LoggedTurn): string => {
  const summary = [...(answer === undefined ? [] : [quote(answer)]), ...countTools(tools)].join(", ");
  return `- ${time} ${oneLine(who)} → ${summary} (${activation})`;
};

/** Returns the id at the end of a line, or other text if the line has no id. */
export const activationOf = (line: string): string => line.slice(line.lastIndexOf("(") + 1, -1);

/**
 * Returns the activation of a line that has an answer and no tools, or undefined for any other
 * line.
 */
export const answeredIn = (line: string): string | undefined => ANSWERED_LINE.exec(line)?.[1];

const ANSWERED_LINE = /^- \d\d:\d\d .* → “.*” \((act_[0-9a-z]+)\)$/u;

const countTools = (tools: readonly string[]): readonly string[] =>
  [...new Set(tools)].map((name) => {
    const count = tools.filter((tool) => tool === name).length;
    return count === 1 ? name : `${name} ${count}×`;
  });

const quote = (text: string): string => {
  const line = oneLine(text);
  return `“${line.length <= MAX_QUOTE_LENGTH ? line : `${line.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…`}”`;
};

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
