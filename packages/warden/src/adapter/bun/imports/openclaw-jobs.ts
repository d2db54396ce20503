/** Reads the jobs of an agent of OpenClaw. */
import { z } from "zod";
import { type Item, skippedItem } from "../../../http/imports/plan.ts";
import { JOBS_FILE, readCronJobs, strangeJob, toInstant, toJobItem } from "./cron-jobs.ts";
import { openForeignDatabase } from "./database.ts";
import type { OpenClawAgent } from "./openclaw-home.ts";

const CronJob = z.object({
  id: z.string().default("job"),
  name: z.string().optional(),
  /** When absent, it is a job of the default agent. */
  agentId: z.string().optional(),
  /** Identifies a job that was declared, for example by a part of OpenClaw. */
  declarationKey: z.string().optional(),
  enabled: z.boolean().default(true),
  schedule: z
    .object({
      expr: z.string().optional(),
      tz: z.string().optional(),
      everyMs: z.number().optional(),
      at: z.string().optional(),
      /** Earlier versions have this instead of `at`. */
      atMs: z.number().optional(),
    })
    .prefault({}),
  payload: z
    .object({ kind: z.string().optional(), text: z.string().optional(), message: z.string().optional() })
    .prefault({}),
});
type CronJob = z.infer<typeof CronJob>;

/** Jobs that OpenClaw 2026.9 adds to every home. */
const OWN_JOBS = /^(?:heartbeat|heartbeat-task|memory-core|skill-collection-review):|^openclaw-backup-scheduled/;
/** Kinds of jobs without a model. */
const COMMAND_KINDS: ReadonlySet<string | undefined> = new Set(["command", "script"]);

/** Reads the jobs from the database. The file of earlier versions counts only for a home without jobs there. */
export const readJobs = async (agent: OpenClawAgent, clean: (text: string) => string): Promise<readonly Item[]> => {
  const toItemAt = (path: string, job: CronJob): Item | undefined => toItem(agent, path, job, clean);
  const databaseItems = await readTable(agent.root, toItemAt);
  const fileItems = await readCronJobs(agent.root, CronJob, (job) => toItemAt(JOBS_FILE, job));
  if (!databaseItems.some(({ kind }) => kind === "job")) return [...databaseItems, ...fileItems];
  return [
    ...databaseItems,
    ...(fileItems.length === 0 ? [] : [skippedItem(JOBS_FILE, `${STATE_DATABASE} has the jobs.`)]),
  ];
};

/** Converts a job. Returns undefined for a job of another agent. */
const toItem = (
  { id: agentId, isDefault }: OpenClawAgent,
  path: string,
  job: CronJob,
  clean: (text: string) => string,
): Item | undefined => {
  if (job.agentId === undefined ? !isDefault : job.agentId !== agentId) return undefined;
  const { id, name = id, payload, enabled: isEnabled, schedule } = job;
  const from = `${path}: ${name}`;
  if (payload.kind === "heartbeat")
    return skippedItem(from, "It is the heartbeat. An agent of Hearth has its own, under Automations.");
  if (OWN_JOBS.test(job.declarationKey ?? "")) return skippedItem(from, "OpenClaw added it for its own maintenance.");
  if (COMMAND_KINDS.has(payload.kind))
    return skippedItem(from, "It runs a command without the agent. A job of Hearth sends a prompt to its agent.");
  const prompt = payload.message ?? payload.text ?? "";
  return toJobItem(path, { name, prompt, isEnabled, times: timesOf(schedule) }, clean);
};

const timesOf = ({ expr: cron, tz: zone, everyMs, at, atMs }: CronJob["schedule"]) => {
  const once = toInstant(at ?? atMs);
  return {
    ...(cron === undefined ? {} : { cron }),
    ...(everyMs === undefined ? {} : { every: `${Math.max(10, Math.round(everyMs / 1000))}s` }),
    ...(once === undefined ? {} : { once }),
    ...(zone === undefined ? {} : { zone }),
  };
};

const STATE_DATABASE = "state/openclaw.sqlite";

/** Reads the table of jobs, which OpenClaw has since 2026.6. Each row has the JSON of an entry of the earlier file. */
const readTable = async (
  root: string,
  toItemAt: (path: string, job: CronJob) => Item | undefined,
): Promise<readonly Item[]> => {
  const openResult = await openForeignDatabase(root, STATE_DATABASE);
  if (openResult === undefined) return [];
  if ("why" in openResult) return [skippedItem(STATE_DATABASE, `It ${openResult.why}.`)];
  await using database = openResult;
  if (!database.columnsOf("cron_jobs").has("job_json")) return [];
  const rows = database.rows("SELECT job_json FROM cron_jobs ORDER BY store_key, sort_order, job_id LIMIT 10000");
  return [...rows].flatMap(({ job_json: json }) => {
    const job = CronJob.safeParse(parseJson(json));
    return job.success ? (toItemAt(STATE_DATABASE, job.data) ?? []) : strangeJob(STATE_DATABASE);
  });
};

/** Returns undefined for a value that is not JSON text. */
const parseJson = (value: unknown): unknown => {
  try {
    return typeof value === "string" ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
};
