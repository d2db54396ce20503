/**
 * A turn as one line of an agent's daily log: when, who asked, what was answered and done, and the turn's name. Not what was asked: a person
 * may edit or take back what they said, and a log would say it all the same. Pure.
 */
import type { ActivationId } from "@hearth/protocol";

export interface LoggedTurn {
  readonly activation: ActivationId;
  /** "14:05", where the house is. */
  readonly time: string;
  /** Who asked, and the room where it was a group's. */
  readonly who: string;
  /** What was answered. Absent: nothing. */
  readonly answered?: string;
  /** Names of the tools that may have changed something, one for each call. */
  readonly tools: readonly string[];
}

/** Longest answer, in UTF-16 code units. */
const MAX_QUOTED = 160;

export const logEntry = ({ activation, time, who, answered, tools }: LoggedTurn): string => {
  const did = [...(answered === undefined ? [] : [quote(answered)]), ...counted(tools)].join(", ");
  return `- ${time} ${oneLine(who)} → ${did} (${activation})`;
};

const counted = (tools: readonly string[]): readonly string[] =>
  [...new Set(tools)].map((name) => {
    const count = tools.filter((one) => one === name).length;
    return count === 1 ? name : `${name} ${count}×`;
  });

const quote = (text: string): string => {
  const line = oneLine(text);
  return `“${line.length <= MAX_QUOTED ? line : `${line.slice(0, MAX_QUOTED).toWellFormed()}…`}”`;
};

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
