/** What a room shows, as rows from the top to the foot: who begins to speak where, and on which day. Pure. */
import type { EndedActivation, LiveActivation, PendingMessage, RoomMessage, RoomSnapshot } from "@hearth/client";
import { type ActivationId, type AgentId, saysNew } from "@hearth/protocol";

/** A message of the same author within this time goes on where the last one ended. */
export const RUN_MS = 5 * 60_000;

interface Placed {
  /** Unique in the room. A reply takes over the key of the live activation that wrote it. */
  readonly key: string;
  /** The start of the day that begins with this row, if one does. */
  readonly day: number | undefined;
  /** Whether author and time are to be said here. */
  readonly isRunStart: boolean;
}

export type Row =
  | (Placed & { readonly kind: "message"; readonly message: RoomMessage })
  | (Placed & { readonly kind: "ended"; readonly activation: EndedActivation; readonly cause: RoomMessage })
  | (Placed & { readonly kind: "pending"; readonly message: PendingMessage })
  | (Placed & { readonly kind: "live"; readonly activation: LiveActivation });

/** The last thing said, as far as the next one must know it. */
interface Before {
  readonly author: AgentId | undefined;
  readonly at: number;
}

/** What is kept: the messages, and under each one what it woke and what ended without a reply. */
export const placeMessages = ({ messages, ended }: Pick<RoomSnapshot, "messages" | "ended">): readonly Row[] => {
  const endedBy = Map.groupBy(ended, (activation) => activation.cause);
  const rows: Row[] = [];
  const activations = new Set<ActivationId>();
  let before: Before | undefined;
  for (const message of messages) {
    const { activation } = message;
    const isFirst = activation !== undefined && !activations.has(activation);
    if (activation !== undefined) activations.add(activation);
    rows.push({
      kind: "message",
      key: isFirst ? activation : message.id,
      ...place(before, speakerOf(message), message.at),
      message,
    });
    before = { author: speakerOf(message), at: message.at };
    for (const over of endedBy.get(message.id) ?? []) {
      rows.push({ kind: "ended", key: over.id, day: undefined, isRunStart: false, activation: over, cause: message });
      // Whoever speaks next begins anew below it.
      before = { author: undefined, at: message.at };
    }
  }
  return rows;
};

/** A job asks in the name of its owner, who said nothing. */
const speakerOf = ({ author, job }: RoomMessage): AgentId | undefined => (job === undefined ? author : undefined);

/** Whether agents read from here on. What an agent writes begins nothing. */
export const beginsSession = ({ text, isDeleted, activation }: RoomMessage): boolean =>
  !isDeleted && activation === undefined && saysNew(text);

/** What is not kept yet, below what is: messages on their way, then agents at work. */
export const placeMoving = (
  { messages, pending, live }: Pick<RoomSnapshot, "messages" | "pending" | "live">,
  me: AgentId | undefined,
): readonly Row[] => {
  const last = messages.at(-1);
  let before: Before | undefined = last === undefined ? undefined : { author: speakerOf(last), at: last.at };
  const rows: Row[] = [];
  for (const message of pending) {
    rows.push({ kind: "pending", key: message.key, ...place(before, me, message.at), message });
    before = { author: me, at: message.at };
  }
  for (const activation of live) {
    rows.push({ kind: "live", key: activation.id, ...place(before, activation.agent, activation.since), activation });
    before = { author: activation.agent, at: activation.since };
  }
  return rows;
};

/** How many rows came before the first one of an earlier list: what a scroll position must be moved by. */
export const countPrepended = (before: readonly Row[], after: readonly Row[]): number => {
  const first = before[0];
  if (first === undefined) return 0;
  return Math.max(
    0,
    after.findIndex((row) => row.key === first.key),
  );
};

/** The midnight, in the person's own zone, that the instant follows. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** "Today", "Yesterday", or the date as the person's language writes it. */
export const nameDay = (day: number, now: number, locale?: string): string => {
  const today = startOfDay(now);
  if (day === today) return "Today";
  if (day === startOfDay(today - 1)) return "Yesterday";
  const isThisYear = new Date(day).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(day);
};

const place = (
  before: Before | undefined,
  author: AgentId | undefined,
  at: number,
): Pick<Placed, "day" | "isRunStart"> => {
  const day = startOfDay(at);
  const isNewDay = before === undefined || startOfDay(before.at) !== day;
  return {
    day: isNewDay ? day : undefined,
    isRunStart: isNewDay || author === undefined || before.author !== author || at - before.at > RUN_MS,
  };
};
