/**
 * Describes the tool calls of the agent's latest failed or stopped turns in a room, so that the
 * model of the next turn does not repeat their effects.
 */
import {
  readFrozen,
  labelMessages,
  labelOf,
  stampIn,
  type SessionRanges,
  type FindUnfinished,
  type Inbox,
} from "../../agents/index.ts";
import { readLabel, type Journal, type JournaledStep, type Blobs, type Store, type Row } from "../../kernel/index.ts";
import type { Rooms } from "../../people/index.ts";
import { readFrozenText } from "../../kernel/lazy.ts";
import { isScheduled, type ActivationPart, type InboxId, joinLabels, type Label, OWNER_LABEL } from "@hearth/protocol";
import { toParts } from "../run/activation-parts.ts";

type ActivationRow = Row<"activations">;
type ToolPart = Extract<ActivationPart, { kind: "tool" }>;

const UNFINISHED_STATES = ["failed", "stopped"];
/** Maximum numbers of activations to search, and of turns to describe. */
const MAX_ROWS = 30;
const MAX_TURNS = 5;
/** Limits for all turns together: number of calls, and length of the text in UTF-16 code units. */
export const MAX_CALLS = 20;
export const MAX_LENGTH = 6_000;
/** Longest quote of a call's arguments and of its result. */
const MAX_QUOTE_LENGTH = 160;

export interface UnfinishedOptions {
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get">;
  readonly journal: Pick<Journal, "load">;
  readonly sessionRanges: Pick<SessionRanges, "read">;
  readonly inbox: Pick<Inbox, "rows">;
  readonly rooms: Pick<Rooms, "isRemoved">;
}

export const createUnfinishedTurns = (options: UnfinishedOptions): FindUnfinished => {
  const { store, blobs, journal, sessionRanges, inbox, rooms } = options;

  /** Returns the unfinished turns that ended after the latest turn with a reply began, oldest first. */
  const find = async (
    { id, agent, room, ...turn }: ActivationRow,
    start: number,
  ): Promise<readonly ActivationRow[]> => {
    const latestQuery = {
      table: "activations",
      where: { agent, room, parent: null },
      order: [{ column: "created_at", descending: true }],
      limit: MAX_ROWS,
    } as const;
    const unfinishedRows = (
      await store.select({ ...latestQuery, and: [{ column: "state", is: "in", value: UNFINISHED_STATES }] })
    )
      .filter((row) => row.id !== id && row.started_at !== null)
      // Turns of earlier sessions are not shown.
      .filter((row) => isScheduled(turn) || row.cause_offset > start);
    if (unfinishedRows.length === 0) return [];
    const rows = await store.select(latestQuery);
    const latestReplyStart = Math.max(
      0,
      ...rows.flatMap(({ state, started_at: at }) => (state === "replied" ? (at ?? []) : [])),
    );
    return unfinishedRows
      .filter(({ ended_at: at }) => (at ?? 0) > latestReplyStart)
      .slice(0, MAX_TURNS)
      .toReversed();
  };

  /** Returns the joined label of every value that the turn read, because its calls may derive from any of them. */
  const labelOfTurn = async (row: ActivationRow, steps: Iterable<JournaledStep>): Promise<Label> => {
    const text = await readFrozenText(blobs, row);
    if (text === undefined) return labelOf();
    const {
      range,
      standings,
      names,
      summary,
      inbox: inboxMessages,
    } = readFrozen(text, {
      startedAt: row.started_at ?? row.created_at,
    });
    const [current, inboxRows] = await Promise.all([
      sessionRanges.read(row.room, range),
      inbox.rows(inboxMessages.map(({ id }): InboxId => id)),
    ]);
    const messages = labelMessages({ current, cause: range.cause, agent: row.agent, standings, names });
    return [
      ...messages.map(({ label }) => label),
      ...inboxRows.map(({ labels }) => readLabel(labels) ?? OWNER_LABEL),
      ...[...steps].map(({ label }) => label ?? OWNER_LABEL),
      summary?.label ?? OWNER_LABEL,
      // The agent wrote the arguments, possibly because a message asked it to.
    ].reduce<Label>(joinLabels, labelOf("trusted"));
  };

  return async (turn, start, zone) => {
    const turns: { readonly head: string; readonly calls: readonly string[] }[] = [];
    let label: Label = OWNER_LABEL;
    for (const row of await find(turn, start)) {
      const steps = await journal.load(row.id);
      const calls = toParts(steps, true).flatMap((part) => (part.kind === "tool" ? [part] : []));
      if (calls.length === 0) continue;
      const isQuoted = !(await rooms.isRemoved(row.room, row.cause));
      turns.push({ head: headingOf(row, stampIn(zone)), calls: calls.map((call) => describeCall(call, isQuoted)) });
      label = joinLabels(label, await labelOfTurn(row, steps.values()));
    }
    return turns.length === 0 ? undefined : { text: formatWithinLimits(turns), label };
  };
};

const headingOf = (row: ActivationRow, when: (at: number) => string): string =>
  `Turn ${row.id}, ${when(row.ended_at ?? row.created_at)}, ${row.state}${row.reason === null ? "" : `: ${oneLine(row.reason)}`}`;

/** Describes a call. Quotes nothing (`isQuoted` false) if the message of the turn was deleted. */
const describeCall = ({ name, input, state, output }: ToolPart, isQuoted: boolean): string => {
  const argument = isQuoted ? ` ${oneLine(JSON.stringify(input))}` : "";
  const result = output === undefined || !isQuoted ? "" : `: ${oneLine(output)}`;
  return `- ${name}${argument} → ${OUTCOME_TEXTS[state]}${result}`;
};

const OUTCOME_TEXTS: Readonly<Record<ToolPart["state"], string>> = {
  running: "outcome unknown: check before you do it again",
  unknown: "outcome unknown: check before you do it again",
  failed: "failed",
  done: "done",
};

/** Formats the latest calls that fit the limits, below the headings of their turns. */
const formatWithinLimits = (turns: readonly { readonly head: string; readonly calls: readonly string[] }[]): string => {
  const lines: string[] = [];
  let [remainingCalls, length] = [MAX_CALLS, 0];
  for (const { head, calls } of turns.toReversed()) {
    const turnLines: string[] = [];
    for (const line of calls.toReversed()) {
      length += line.length + 1;
      if (remainingCalls === 0 || length + head.length > MAX_LENGTH) break;
      remainingCalls -= 1;
      turnLines.unshift(line);
    }
    if (turnLines.length === 0) break;
    const isCut = turnLines.length < calls.length;
    length += head.length + 1;
    lines.unshift(
      head,
      ...(isCut ? [`- … ${calls.length - turnLines.length} earlier calls not shown`] : []),
      ...turnLines,
    );
    if (isCut) break;
  }
  return lines.join("\n");
};

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= MAX_QUOTE_LENGTH ? line : `${line.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…`;
};
