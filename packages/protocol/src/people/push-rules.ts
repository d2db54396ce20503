/** Decides which events of a room a person is notified about, in the house and in an open page. Pure. */
import type { AgentId, RoomId } from "../base/ids.ts";
import type { MessageEvent } from "../events/event.ts";
import type { Stored } from "../events/stored.ts";
import type { PushChoices, QuietHours } from "./push.ts";
import type { RoomRecord } from "./record.ts";

export const DEFAULT_CHOICES: PushChoices = { rule: "important", rooms: {}, showsText: false };

/** A message, as one person sees it. */
export interface MessageContext {
  readonly message: Stored<MessageEvent>;
  readonly room: RoomRecord;
  readonly person: AgentId;
  /** Whether it answers a message of the person. */
  readonly isReply: boolean;
}

export const wantsMessage = (choices: PushChoices, { message, room, person, isReply }: MessageContext): boolean => {
  if (message.author === person) return false;
  const rule = ruleOf(choices, room.id);
  if (rule !== "important") return rule === "all";
  return room.content.kind === "direct" || message.mentions.includes(person) || isReply;
};

export const wantsApproval = (choices: PushChoices, room: RoomId): boolean => ruleOf(choices, room) !== "none";

const ruleOf = ({ rule, rooms }: PushChoices, room: RoomId) => rooms[room] ?? rule;

const MINUTES = 60;
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/**
 * Whether the instant `at`, in UTC milliseconds, is in the quiet hours. Quiet hours that end before
 * they begin end on the next day.
 */
export const isQuiet = ({ from, to, timezone, days }: QuietHours, at: number): boolean => {
  const { day, minute } = toLocalTime(at, timezone);
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  const beginsOn = (weekday: number): boolean => days === undefined || days.includes(((weekday + 6) % 7) + 1);
  if (begin < end) return beginsOn(day) && minute >= begin && minute < end;
  return (beginsOn(day) && minute >= begin) || (beginsOn(day - 1) && minute < end);
};

const minuteOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * MINUTES + minutes;
};

/** Returns the day of the week, 1 for Monday, and the minute of the day. */
const toLocalTime = (at: number, timeZone: string): { readonly day: number; readonly minute: number } => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const time = `${parts.get("hour") ?? "0"}:${parts.get("minute") ?? "0"}`;
  return { day: DAYS.indexOf(parts.get("weekday") ?? "") + 1, minute: minuteOf(time) };
};
