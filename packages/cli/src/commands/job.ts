/**
 * `hearth job`: manages scheduled jobs, which are stored in `cron/jobs.toml` of each agent's brain.
 */
import type { Job, JobList, JobSlot } from "@hearth/protocol";
import { type Command, type Context, defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { jobFlags, toAddJob, toPatchJob } from "../flags/job-flags.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";
import { hook } from "./job-hook.ts";

const READ_NEEDS = "x on the agent's house, or the agent itself";
const ADMIN_NEEDS = "x on the agent's house";
/** Maximum length of a reason in a table, in characters. The scheduler's own reasons are shorter. */
const MAX_REASON_LENGTH = 100;

const add = defineCommand({
  summary: "Adds a job and shows how its schedule was understood",
  needs: ADMIN_NEEDS,
  args: [{ name: "AGENT" }],
  flags: {
    name: { kind: "text", value: "NAME", summary: "a-z, 0-9 and -" },
    ...jobFlags,
    paused: { kind: "switch", summary: "add it paused; it runs after: hearth job resume AGENT JOB" },
  },
  details: "Give exactly one of --cron, --every, --once and --when. The job sends its prompt in your name.",
  examples: [
    'hearth job add main --name news --when "every weekday at 9" --prompt "What is new?"',
    'hearth job add main --name tea --every 2h --prompt "Remind me to drink." --room family',
    'hearth job add main --name backup --cron "30 2 * * *" --tz Europe/Berlin --prompt "Check the backup." --json',
  ],
  async run({ connect, json, output }, { name, paused, ...flags }, [agent = ""]) {
    const fields = { ...toAddJob(name, flags), ...(paused === true ? { paused } : {}) };
    const job = await (await (await connect()).jobs()).add(agent, fields);
    if (json) output.json(job);
    else output.line(`added ${job.name}: ${safeLine(job.understood)}, ${describeNext(job)}`);
    return exitCodes.done;
  },
});

const list = defineCommand({
  summary: "Lists the jobs of an agent or of all agents",
  needs: READ_NEEDS,
  args: [{ name: "AGENT", optional: true }],
  flags: {},
  details: "Invalid entries of cron/jobs.toml are printed on stderr with their line. All other jobs still run.",
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
        jobs: lists.flatMap(([, list]) => list.jobs),
        mistakes: lists.flatMap(([, list]) => list.mistakes),
      });
      return exitCodes.done;
    }
    output.table(
      ["AGENT", "NAME", "WHEN", "STATUS", "NEXT", "LAST"],
      lists.flatMap(([name, list]) => list.jobs.map((job) => toRow(name, job))),
      "There are no jobs.",
    );
    for (const [name, { mistakes }] of lists)
      for (const { line, message } of mistakes)
        output.note(`${name}: cron/jobs.toml, line ${line}: ${safeText(message)}`);
    return exitCodes.done;
  },
});

const toRow = (agent: string, job: Job): string[] => [
  agent,
  job.name,
  safeLine(job.understood),
  job.status,
  job.next === undefined ? "" : localTime(job.next),
  job.last === undefined ? "" : `${describeFate(job.last)}, ${localTime(job.last.slot)}`,
];

const show = defineCommand({
  summary: "Shows a job",
  needs: READ_NEEDS,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: {},
  examples: ["hearth job show main news", "hearth job show main news --json"],
  async run({ connect, json, output }, _flags, [agent = "", name = ""]) {
    const job = await (await (await connect()).jobs()).get(agent, name);
    if (json) output.json(job);
    else {
      output.line(`${job.name}: ${safeLine(job.understood)}`);
      output.line(
        `${job.status}, ${describeNext(job)}${job.failures === 0 ? "" : `, failed ${job.failures} times in a row`}`,
      );
      output.line(
        `${job.context}, in ${safeLine(job.room ?? "the owner's direct room")}${job.channel === undefined ? "" : ` and in ${safeLine(job.channel)}`}, catches up: ${job.catchUp}`,
      );
      if (job.until !== undefined) output.line(`until ${localTime(job.until)}`);
      if (job.hook !== undefined) output.line(`its webhook: POST ${safeLine(job.hook)}`);
      if (job.last !== undefined)
        output.line(`last: ${localTime(job.last.slot)}, ${describeFate(job.last)}: ${safeLine(job.last.reason)}`);
      output.line(safeText(job.prompt));
    }
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes a job, starting with its next run",
  needs: ADMIN_NEEDS,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: jobFlags,
  examples: [
    'hearth job edit main news --when "every day at 8"',
    'hearth job edit main news --prompt "What is new today?"',
  ],
  async run(context, flags, [agent = "", name = ""]) {
    const patch = toPatchJob(flags);
    return printJob(context, "edited", await (await (await context.connect()).jobs()).edit(agent, name, patch));
  },
});

const createPauseCommand = (verb: "paused" | "resumed", summary: string, example: string): Command =>
  defineCommand({
    summary,
    needs: ADMIN_NEEDS,
    args: [{ name: "AGENT" }, { name: "JOB" }],
    flags: {},
    examples: [example],
    async run(context, _flags, [agent = "", name = ""]) {
      const jobs = await (await context.connect()).jobs();
      return printJob(context, verb, await jobs.edit(agent, name, { paused: verb === "paused" }));
    },
  });

const printJob = ({ json, output }: Context, verb: string, job: Job) => {
  if (json) output.json(job);
  else output.line(`${verb} ${job.name}: ${safeLine(job.understood)}, ${describeNext(job)}`);
  return exitCodes.done;
};

const cancel = defineCommand({
  summary: "Deletes a job; the history of its runs is kept",
  needs: ADMIN_NEEDS,
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
  summary: "Runs a job now, in addition to its schedule",
  needs: ADMIN_NEEDS,
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
  summary: "Lists the runs of a job and their outcomes, newest first",
  needs: READ_NEEDS,
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: { limit: { kind: "number", value: "N", min: 1, max: 1000, summary: "at most this many (default: 50)" } },
  details: "Every due time has one outcome: fired, skipped, merged, missed, failed or stopped.",
  examples: ["hearth job slots main news", "hearth job slots main news --limit 5 --json"],
  async run({ connect, json, output }, { limit }, [agent = "", name = ""]) {
    const jobSlots = await (await (await connect()).jobs()).slots(agent, name, limit === undefined ? {} : { limit });
    if (json) output.json(jobSlots);
    else
      output.table(
        ["DUE", "COUNT", "OUTCOME", "WHY", "ACTIVATION"],
        jobSlots.map((slot) => [
          localTime(slot.slot),
          String(slot.count),
          describeFate(slot),
          shorten(safeLine(slot.reason)),
          slot.activation ?? "",
        ]),
        "The job was not due yet.",
      );
    return exitCodes.done;
  },
});

const shorten = (text: string): string =>
  text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH - 1).toWellFormed()}…` : text;

const describeFate = ({ fate, endedAt }: JobSlot): string => (endedAt === undefined ? "running" : fate);

const describeNext = ({ next, status }: Job): string => (next === undefined ? status : `next on ${localTime(next)}`);

export const job: Group = {
  kind: "group",
  summary: "Manages scheduled jobs of agents",
  verbs: {
    add,
    list,
    show,
    edit,
    pause: createPauseCommand("paused", "Pauses a job", "hearth job pause main news"),
    resume: createPauseCommand(
      "resumed",
      "Resumes a job that was paused, or halted after failures",
      "hearth job resume main news",
    ),
    cancel,
    run: runNow,
    slots,
    hook,
  },
};
