/**
 * Flags for a bot's heartbeat, its periodic turn for HEARTBEAT.md, and the text that describes it.
 */
import { type Heartbeat, showLimit } from "@hearth/protocol";
import { toLimit } from "./budget-flags.ts";
import type { FlagValues, Flags } from "../command.ts";
import { UsageError } from "../args/usage-error.ts";

export const heartbeatFlags = {
  heartbeat: {
    kind: "text",
    value: "SPAN",
    summary: 'how often it works through its HEARTBEAT.md: 30m, 2h; "" for never',
  },
  "heartbeat-hours": {
    kind: "text",
    value: "HOURS",
    summary: "heartbeat: the hours of the day when it runs, such as 08:00-22:00",
  },
  "heartbeat-budget": {
    kind: "text",
    value: "AMOUNT",
    summary: "heartbeat: limit per day: 0.50, 100000t, or 0.50,100000t",
  },
  "heartbeat-room": {
    kind: "text",
    value: "ROOM",
    summary: "heartbeat: the room where it writes (default: your direct room with it)",
  },
  "heartbeat-always": {
    kind: "text",
    value: "ON",
    choices: ["on", "off"],
    summary: "heartbeat: whether it also runs when nothing is new: on, off",
  },
} as const satisfies Flags;

/**
 * Returns the current heartbeat with the changes of the flags. An empty text removes a part. The result
 * `null` removes the heartbeat.
 */
export const changeHeartbeat = (
  flags: FlagValues<typeof heartbeatFlags>,
  currentHeartbeat: Heartbeat | undefined,
): { readonly heartbeat?: Heartbeat | null } => {
  const { heartbeat: every, "heartbeat-hours": hours, "heartbeat-budget": budget } = flags;
  const { "heartbeat-room": room, "heartbeat-always": always } = flags;
  if ([every, hours, budget, room, always].every((part) => part === undefined)) return {};
  if (every === "") return { heartbeat: null };
  const span = every ?? currentHeartbeat?.every;
  if (span === undefined)
    throw new UsageError("The agent has no heartbeat for these flags to change.", "Add --heartbeat 30m.");
  const fields = {
    ...currentHeartbeat,
    every: span,
    ...(hours !== undefined && { hours: hours === "" ? undefined : toHours(hours) }),
    ...(budget !== undefined && { budget: budget === "" ? undefined : toLimit("--heartbeat-budget", budget) }),
    ...(room !== undefined && { room: room === "" ? undefined : room }),
    ...(always !== undefined && { always: always === "on" ? true : undefined }),
  };
  // The house validates each part against its schema.
  return {
    heartbeat: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Heartbeat,
  };
};

const toHours = (text: string): Heartbeat["hours"] => {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text.replaceAll(" ", "")) ?? [];
  if (from !== undefined && to !== undefined) return { from, to };
  throw new UsageError(`--heartbeat-hours takes two times of the day, not "${text}".`, "For example: 08:00-22:00");
};

/**
 * Describes a heartbeat, for example "every 30m, 08:00 to 22:00, at most 0.50 USD a day, in
 * kitchen". Returns undefined without a heartbeat.
 */
export const describeHeartbeat = (heartbeat: Heartbeat | undefined): string | undefined => {
  if (heartbeat === undefined) return undefined;
  const { every, hours, budget, room, always } = heartbeat;
  return [
    `every ${every}`,
    ...(hours === undefined ? [] : [`${hours.from} to ${hours.to}`]),
    ...(budget === undefined ? [] : [`at most ${showLimit(budget)} a day`]),
    ...(room === undefined ? [] : [`in ${room}`]),
    ...(always === true ? ["also when nothing is new"] : []),
  ].join(", ");
};
