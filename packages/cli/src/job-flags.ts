/** The flags that say what a job does and when: those of `job add` and `job edit`. */
import type { AddJob, CatchUp, JobContext, PatchJob } from "@hearth/protocol";
import type { Flags, FlagValues } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export const jobFlags = {
  prompt: { kind: "text", value: "TEXT", summary: "What the agent is asked" },
  cron: {
    kind: "text",
    value: "EXPR",
    summary: 'Five fields: minute, hour, day, month, weekday, such as "0 9 * * 1-5"',
  },
  every: { kind: "text", value: "INTERVAL", summary: "Such as 15m, 2h or 1d" },
  once: { kind: "text", value: "INSTANT", summary: "Such as 2026-12-01T09:00" },
  when: { kind: "text", value: "PHRASE", summary: 'Such as "every weekday at 9" or "in 20 minutes"' },
  tz: { kind: "text", value: "ZONE", summary: "Whose times are meant, such as Europe/Berlin (the agent's or house's)" },
  context: {
    ...{ kind: "text", value: "CONTEXT", choices: ["isolated", "main"] },
    summary: "isolated: its prompt alone (default). main: also what was said in the room",
  },
  room: { kind: "text", value: "ROOM", summary: "Where it asks and is answered (the direct room of the two of you)" },
  until: { kind: "text", value: "INSTANT", summary: "The last day on which it is due" },
  "catch-up": {
    ...{ kind: "text", value: "RULE", choices: ["once", "all", "skip"] },
    summary: "What becomes of times that nobody was there for: the last one (default), each, or none",
  },
} as const satisfies Flags;

export const toAddJob = (name: string | undefined, flags: FlagValues<typeof jobFlags>): AddJob => {
  const { prompt } = flags;
  if (name === undefined) throw new UsageError("A job takes a name.", "Such as --name morning-news");
  if (prompt === undefined) throw new UsageError("A job takes what to ask.", 'Such as --prompt "What is new?"');
  const times = [flags.cron, flags.every, flags.once, flags.when].filter((one) => one !== undefined);
  if (times.length !== 1)
    throw new UsageError(
      "A job takes one of --cron, --every, --once and --when.",
      'Such as --when "every weekday at 9"',
    );
  return { name, prompt, ...toTimes(flags) };
};

export const toPatchJob = (flags: FlagValues<typeof jobFlags>): PatchJob => {
  const patch = { ...(flags.prompt === undefined ? {} : { prompt: flags.prompt }), ...toTimes(flags) };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError("Nothing to change: no field was given.", "See what can be: hearth job edit --help");
};

/** What is not given is left out: the house takes nothing that is undefined. */
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
  // The parser lets no other value through.
  ...(context === undefined ? {} : { context: context as JobContext }),
  ...(room === undefined ? {} : { room }),
  ...(until === undefined ? {} : { until }),
  ...(catchUp === undefined ? {} : { catchUp: catchUp as CatchUp }),
});
