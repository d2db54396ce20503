/** The rows of a room: messages, runs, author groups and date headings. Pure. */
import type { EndedActivation, LiveActivation, PendingMessage, RoomMessage, RoomSnapshot } from "@hearth/client";
import { type ActivationId, type AgentId, isNewCommand } from "@hearth/protocol";
import * as texts from "../text.ts";

/** Messages of one author within this time form a group. */
export const GROUP_MS = 5 * 60_000;

interface RowPlacement {
  /** Unique in the room. A reply takes over the key of its live run. */
  readonly key: string;
  /** Start of the day, if this row is the first one of that day. */
  readonly day: number | undefined;
  /** Whether to show author and time. */
  readonly isGroupStart: boolean;
}

export type Row =
  | (RowPlacement & { readonly kind: "message"; readonly message: RoomMessage })
  | (RowPlacement & { readonly kind: "ended"; readonly activation: EndedActivation; readonly cause: RoomMessage })
  | (RowPlacement & { readonly kind: "pending"; readonly message: PendingMessage })
  | (RowPlacement & { readonly kind: "live"; readonly activation: LiveActivation; readonly isSole: boolean });

/** The properties of the previous row that the next one depends on. */
interface PreviousRow {
  readonly author: AgentId | undefined;
  readonly at: number;
}

/**
 * Returns rows for stored messages. Each message is followed by the runs that it started and that
 * ended without a reply.
 */
export const placeMessages = ({ messages, ended }: Pick<RoomSnapshot, "messages" | "ended">): readonly Row[] => {
  const endedByCause = Map.groupBy(ended, (activation) => activation.cause);
  const rows: Row[] = [];
  const activations = new Set<ActivationId>();
  let previousRow: PreviousRow | undefined;
  for (const message of messages) {
    const { activation } = message;
    const isFirstOfActivation = activation !== undefined && !activations.has(activation);
    if (activation !== undefined) activations.add(activation);
    rows.push({
      kind: "message",
      key: isFirstOfActivation ? activation : message.id,
      ...placeRow(previousRow, speakerOf(message), message.at),
      message,
    });
    previousRow = { author: speakerOf(message), at: message.at };
    for (const followUp of endedByCause.get(message.id) ?? []) {
      rows.push({
        kind: "ended",
        key: followUp.id,
        day: undefined,
        isGroupStart: false,
        activation: followUp,
        cause: message,
      });
      // The next message starts a new group.
      previousRow = { author: undefined, at: message.at };
    }
  }
  return rows;
};

/**
 * Returns the author of a message. The prompt of a job has no author here, because its owner did
 * not write it.
 */
const speakerOf = ({ author, job }: RoomMessage): AgentId | undefined => (job === undefined ? author : undefined);

/** Whether the message starts a new session. Only messages of people can. */
export const beginsSession = ({ text, isDeleted, activation }: RoomMessage): boolean =>
  !isDeleted && activation === undefined && isNewCommand(text);

/** Returns rows that are not stored yet: pending messages, then active runs. */
export const placeUnstored = (
  { messages, pending, live }: Pick<RoomSnapshot, "messages" | "pending" | "live">,
  me: AgentId | undefined,
): readonly Row[] => {
  const lastMessage = messages.at(-1);
  let previousRow: PreviousRow | undefined =
    lastMessage === undefined ? undefined : { author: speakerOf(lastMessage), at: lastMessage.at };
  const rows: Row[] = [];
  for (const message of pending) {
    rows.push({ kind: "pending", key: message.key, ...placeRow(previousRow, me, message.at), message });
    previousRow = { author: me, at: message.at };
  }
  for (const activation of live) {
    rows.push({
      kind: "live",
      key: activation.id,
      ...placeRow(previousRow, activation.agent, activation.since),
      activation,
      isSole: live.length === 1,
    });
    previousRow = { author: activation.agent, at: activation.since };
  }
  return rows;
};

/**
 * Returns the number of rows that were added before the first row of an earlier list. It corrects
 * the scroll position.
 */
export const countPrepended = (oldRows: readonly Row[], newRows: readonly Row[]): number => {
  const firstRow = oldRows[0];
  if (firstRow === undefined) return 0;
  return Math.max(
    0,
    newRows.findIndex((row) => row.key === firstRow.key),
  );
};

/** Returns the start of the day, in the local time zone. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** Returns "Today", "Yesterday", or a localized date. */
export const nameDay = (day: number, now: number, locale?: string): string => {
  const today = startOfDay(now);
  if (day === today) return texts.today;
  if (day === startOfDay(today - 1)) return texts.yesterday;
  const isThisYear = new Date(day).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(day);
};

const placeRow = (
  previousRow: PreviousRow | undefined,
  author: AgentId | undefined,
  at: number,
): Pick<RowPlacement, "day" | "isGroupStart"> => {
  const day = startOfDay(at);
  const isNewDay = previousRow === undefined || startOfDay(previousRow.at) !== day;
  return {
    day: isNewDay ? day : undefined,
    isGroupStart: isNewDay || author === undefined || previousRow.author !== author || at - previousRow.at > GROUP_MS,
  };
};
