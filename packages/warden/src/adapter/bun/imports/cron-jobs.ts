/** Reads the jobs of OpenClaw and Hermes Agent, whose homes have the same file with different fields. */
import type { z } from "zod";
import { type Item, skippedItem, toSlug } from "../../../http/imports/plan.ts";
import { readList } from "./tree.ts";

const FILE = "cron/jobs.json";

/** A job of either program. Without `cron` and `every`, it runs once. */
export interface CronTerms {
  readonly name: string;
  readonly prompt: string;
  readonly isEnabled: boolean;
  readonly cron: string | undefined;
  /** An interval, such as `30m`. */
  readonly every: string | undefined;
  readonly zone?: string | undefined;
}

/** Returns the jobs of a home, and a skipped item for each that cannot be imported. */
export const readCronJobs = async <Schema extends z.ZodType>(
  root: string,
  clean: (text: string) => string,
  schema: Schema,
  toTerms: (job: z.infer<Schema>) => CronTerms,
): Promise<readonly Item[]> => {
  const jobs = await readList(root, FILE, "jobs", schema);
  if (jobs === undefined) return [];
  if ("why" in jobs) return [skippedItem(FILE, `It ${jobs.why}.`)];
  return jobs.map((job) => (job === undefined ? strangeJob(FILE) : toJobItem(FILE, toTerms(job), clean)));
};

export const strangeJob = (path: string): Item => skippedItem(path, "A job in it has another form than expected.");

/** Returns the item of a job in a file or a database. */
export const toJobItem = (
  path: string,
  { name, prompt: written, isEnabled, cron, every, zone }: CronTerms,
  clean: (text: string) => string,
): Item => {
  const from = `${path}: ${name}`;
  const prompt = clean(written);
  if (prompt === "") return skippedItem(from, "It has no prompt.");
  const more = {
    ...(zone === undefined ? {} : { zone }),
    ...(prompt === written ? {} : { hidesSecrets: true as const }),
  };
  const job = { kind: "job", from, name: toSlug(name, "job"), prompt, isPaused: !isEnabled, ...more } as const;
  if (cron !== undefined) return { ...job, cron };
  if (every !== undefined) return { ...job, every };
  return skippedItem(from, "It ran once, at a fixed time.");
};
