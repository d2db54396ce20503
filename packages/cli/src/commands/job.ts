/** What agents do by themselves at set times. `cron/jobs.toml` of each brain is the truth; these commands edit it and show how jobs stand. */
import type { Job, JobList, JobSlot } from "@hearth/protocol";
import { type Command, type Context, defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { jobFlags, toAddJob, toPatchJob } from "../job-flags.ts";
import { safeLine, safeText } from "../safe-text.ts";
import { localTime } from "../time.ts";
import { hook } from "./job-hook.ts";

const LOOKS = "x on the agent's house, or to be it";
const DECIDES = "x on the agent's house";
/** Of a text in a table: no reason of the schedule itself is longer. */
const MAX_SHOWN = 100;

const add = defineCommand({
  summary: "Adds a job, and says what was understood",
  needs: DECIDES,
  args: [{ name: "AGENT" }],
  flags: { name: { kind: "text", value: "NAME", summary: "a-z, 0-9 and -" }, ...jobFlags },
  details: "One of --cron, --every, --once and --when. The job asks in your name.",
  examples: [
    'hearth job add main --name news --when "every weekday at 9" --prompt "What is new?"',
    'hearth job add main --name tea --every 2h --prompt "Remind me to drink." --room family',
    'hearth job add main --name backup --cron "30 2 * * *" --tz Europe/Berlin --prompt "Check the backup." --json',
  ],
  async run({ connect, json, output }, { name, ...flags }, [agent = ""]) {
    const asked = toAddJob(name, flags);
    const job = await (await (await connect()).jobs()).add(agent, asked);
    if (json) output.json(job);
    else output.line(`added ${job.name}: ${safeLine(job.understood)}, ${tellNext(job)}`);
    return exitCodes.done;
  },
});

const list = defineCommand({
  summary: "Lists an agent's jobs, or those of all",
  needs: LOOKS,
  args: [{ name: "AGENT", optional: true }],
  flags: {},
  details: "What of cron/jobs.toml is no job is said on stderr, with its line; the others run.",
  examples: ["hearth job list main", "hearth job list main --json"],
  async run({ connect, json, output }, _flags, [agent]) {
    const client = await connect();
    const jobs = await client.jobs();
    const bots =
      agent === undefined
        ? (await client.agents.list())
            .filter(({ content }) => content.kind === "bot" && content.runs !== "elsewhere")
            .map(({ handle }) => handle)
        : [agent];
    const lists: (readonly [string, JobList])[] = [];
    for (const name of bots) lists.push([name, await jobs.list(name)]);
    if (json) {
      output.json({
        jobs: lists.flatMap(([, found]) => found.jobs),
        mistakes: lists.flatMap(([, found]) => found.mistakes),
      });
      return exitCodes.done;
    }
    output.table(
      ["AGENT", "NAME", "WHEN", "STATUS", "NEXT", "LAST"],
      lists.flatMap(([name, found]) => found.jobs.map((job) => toRow(name, job))),
      "There are no jobs.",
    );
    for (const [name, { mistakes }] of lists)
      for (const { line, message } of mistakes)
        output.note(`${name}: cron/jobs.toml, line ${line}: ${safeText(message)}`);
    return exitCodes.done;
  },
});

const toRow = (agent: string, job: Job): string[] => [
  ...[agent, job.name, safeLine(job.understood), job.status],
  job.next === undefined ? "" : localTime(job.next),
  job.last === undefined ? "" : `${tellFate(job.last)}, ${localTime(job.last.slot)}`,
];

const show = defineCommand({
  summary: "Shows a job",
  needs: LOOKS,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: {},
  examples: ["hearth job show main news", "hearth job show main news --json"],
  async run({ connect, json, output }, _flags, [agent = "", name = ""]) {
    const job = await (await (await connect()).jobs()).get(agent, name);
    if (json) output.json(job);
    else {
      output.line(`${job.name}: ${safeLine(job.understood)}`);
      output.line(
        `${job.status}, ${tellNext(job)}${job.failures === 0 ? "" : `, failed ${job.failures} times in a row`}`,
      );
      output.line(
        `${job.context}, in ${safeLine(job.room ?? "the direct room of its owner")}${job.channel === undefined ? "" : ` and in ${safeLine(job.channel)}`}, catches up: ${job.catchUp}`,
      );
      if (job.until !== undefined) output.line(`until ${localTime(job.until)}`);
      if (job.hook !== undefined) output.line(`its webhook: POST ${safeLine(job.hook)}`);
      if (job.last !== undefined)
        output.line(`last: ${localTime(job.last.slot)}, ${tellFate(job.last)}: ${safeLine(job.last.reason)}`);
      output.line(safeText(job.prompt));
    }
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Edits a job: it holds from the next time on",
  needs: DECIDES,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: jobFlags,
  examples: [
    'hearth job edit main news --when "every day at 8"',
    'hearth job edit main news --prompt "What is new today?"',
  ],
  async run(context, flags, [agent = "", name = ""]) {
    const patch = toPatchJob(flags);
    return told(context, "edited", await (await (await context.connect()).jobs()).edit(agent, name, patch));
  },
});

const pauses = (verb: "paused" | "resumed", summary: string, example: string): Command =>
  defineCommand({
    summary,
    needs: DECIDES,
    args: [{ name: "AGENT" }, { name: "JOB" }],
    flags: {},
    examples: [example],
    async run(context, _flags, [agent = "", name = ""]) {
      const jobs = await (await context.connect()).jobs();
      return told(context, verb, await jobs.edit(agent, name, { paused: verb === "paused" }));
    },
  });

const told = ({ json, output }: Context, verb: string, job: Job) => {
  if (json) output.json(job);
  else output.line(`${verb} ${job.name}: ${safeLine(job.understood)}, ${tellNext(job)}`);
  return exitCodes.done;
};

const cancel = defineCommand({
  summary: "Takes a job away; what became of its times stays",
  needs: DECIDES,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: {},
  examples: ["hearth job cancel main news"],
  async run({ connect, json, output }, _flags, [agent = "", name = ""]) {
    await (await (await connect()).jobs()).cancel(agent, name);
    if (json) output.json({ name, cancelled: true });
    else output.line(`cancelled ${name}`);
    return exitCodes.done;
  },
});

const runNow = defineCommand({
  summary: "Fires a job once, beside its times",
  needs: DECIDES,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: {},
  examples: ["hearth job run main news"],
  async run({ connect, json, output }, _flags, [agent = "", name = ""]) {
    const slot = await (await (await connect()).jobs()).run(agent, name);
    if (json) output.json(slot);
    else output.line(`fired ${name}: ${slot.activation ?? ""}`);
    return exitCodes.done;
  },
});

const slots = defineCommand({
  summary: "Lists what became of a job's times, newest first",
  needs: LOOKS,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: { limit: { kind: "number", value: "N", min: 1, max: 1000, summary: "How many (50)" } },
  details: "Every time that was due has one fate: fired, skipped, merged, missed, failed or stopped.",
  examples: ["hearth job slots main news", "hearth job slots main news --limit 5 --json"],
  async run({ connect, json, output }, { limit }, [agent = "", name = ""]) {
    const found = await (await (await connect()).jobs()).slots(agent, name, limit === undefined ? {} : { limit });
    if (json) output.json(found);
    else
      output.table(
        ["DUE", "TIMES", "FATE", "WHY", "ACTIVATION"],
        found.map((slot) => [
          ...[localTime(slot.slot), String(slot.count), tellFate(slot)],
          ...[shorten(safeLine(slot.reason)), slot.activation ?? ""],
        ]),
        "Nothing of it was due yet.",
      );
    return exitCodes.done;
  },
});

const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1).toWellFormed()}…` : text;

const tellFate = ({ fate, endedAt }: JobSlot): string => (endedAt === undefined ? "at work" : fate);

const tellNext = ({ next, status }: Job): string => (next === undefined ? status : `next on ${localTime(next)}`);

export const job: Group = {
  kind: "group",
  summary: "What agents do by themselves at set times",
  verbs: {
    ...{ add, list, show, edit },
    pause: pauses("paused", "Keeps a job from firing", "hearth job pause main news"),
    resume: pauses(
      "resumed",
      "Lets a job fire again that was paused, or halted because it failed",
      "hearth job resume main news",
    ),
    ...{ cancel, run: runNow, slots, hook },
  },
};
