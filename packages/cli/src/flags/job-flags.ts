/** The flags of `job add` and `job edit`. */
import type { AddJob, CatchUp, JobContext, PatchJob } from "@hearth/protocol";
import type { Flags, FlagValues } from "../command.ts";
import { UsageError } from "../args/usage-error.ts";

export const jobFlags = {
  prompt: { kind: "text", value: "TEXT", summary: "the prompt for the agent" },
  cron: {
    kind: "text",
    value: "EXPR",
    summary: 'five fields: minute, hour, day, month, weekday, such as "0 9 * * 1-5"',
  },
  every: { kind: "text", value: "INTERVAL", summary: "an interval such as 15m, 2h or 1d" },
  once: { kind: "text", value: "INSTANT", summary: "a time such as 2026-12-01T09:00" },
  when: { kind: "text", value: "PHRASE", summary: 'a phrase such as "every weekday at 9" or "in 20 minutes"' },
  tz: {
    kind: "text",
    value: "ZONE",
    summary: "the time zone, such as Europe/Berlin (default: the agent's or house's)",
  },
  context: {
    kind: "text",
    value: "CONTEXT",
    choices: ["isolated", "main"],
    summary: "isolated (default): the prompt only; main: also the room's conversation",
  },
  room: {
    kind: "text",
    value: "ROOM",
    summary: "the room for the prompt and the reply (default: your direct room with the agent)",
  },
  until: { kind: "text", value: "INSTANT", summary: "the last time at which the job may run" },
  "catch-up": {
    kind: "text",
    value: "RULE",
    choices: ["once", "all", "skip"],
    summary: "which missed times run later: once (the last one, default), all, or skip",
  },
} as const satisfies Flags;

export const toAddJob = (name: string | undefined, flags: FlagValues<typeof jobFlags>): AddJob => {
  const { prompt } = flags;
  if (name === undefined) throw new UsageError("A job needs a name.", "For example: --name morning-news");
  if (prompt === undefined) throw new UsageError("A job needs a prompt.", 'For example: --prompt "What is new?"');
  const times = [flags.cron, flags.every, flags.once, flags.when].filter((flag) => flag !== undefined);
  if (times.length !== 1)
    throw new UsageError(
      "A job needs exactly one of --cron, --every, --once and --when.",
      'For example: --when "every weekday at 9"',
    );
  return { name, prompt, ...toTimes(flags) };
};

export const toPatchJob = (flags: FlagValues<typeof jobFlags>): PatchJob => {
  const patch = { ...(flags.prompt === undefined ? {} : { prompt: flags.prompt }), ...toTimes(flags) };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError("Nothing to change: no field was given.", "To see all flags: hearth job edit --help");
};

/** Converts flags to fields. Leaves out flags that were not given, because the API refuses `undefined`. */
const toTimes = ({
  cron,
  every,
  once,
  when,
  tz,
  context,
  room,
  until,
  "catch-up": catchUp,
}: FlagValues<typeof jobFlags>) => ({
  ...(cron === undefined ? {} : { cron }),
  ...(every === undefined ? {} : { every }),
  ...(once === undefined ? {} : { once }),
  ...(when === undefined ? {} : { when }),
  ...(tz === undefined ? {} : { zone: tz }),
  // The parser has checked the choices.
  ...(context === undefined ? {} : { context: context as JobContext }),
  ...(room === undefined ? {} : { room }),
  ...(until === undefined ? {} : { until }),
  ...(catchUp === undefined ? {} : { catchUp: catchUp as CatchUp }),
});
