/** Reads the jobs of OpenClaw and Hermes Agent, whose homes have the same file with different fields. */
import type { z } from "zod";
import { type Item, type JobTimes, skippedItem, toSlug } from "../../../http/imports/plan.ts";
import { readList } from "./tree.ts";

/** The file of jobs in a home of either program. */
export const JOBS_FILE = "cron/jobs.json";

/** A job of either program. Without a time in `times`, Hearth cannot run it. */
export interface CronTerms {
  readonly name: string;
  readonly prompt: string;
  readonly isEnabled: boolean;
  readonly times: JobTimes;
}

/** Returns the jobs of the file. Each job in an unknown form is a skipped item. */
export const readCronJobs = async <Schema extends z.ZodType>(
  root: string,
  schema: Schema,
  toItem: (job: z.infer<Schema>) => Item | undefined,
): Promise<readonly Item[]> => {
  const jobs = await readList(root, JOBS_FILE, "jobs", schema);
  if (jobs === undefined) return [];
  if ("why" in jobs) return [skippedItem(JOBS_FILE, `It ${jobs.why}.`)];
  return jobs.flatMap((job) => (job === undefined ? strangeJob(JOBS_FILE) : (toItem(job) ?? [])));
};

export const strangeJob = (path: string): Item => skippedItem(path, "A job in it has another form than expected.");

/** Returns the item of a job in a file or a database. */
export const toJobItem = (
  path: string,
  { name, prompt: originalPrompt, isEnabled, times }: CronTerms,
  clean: (text: string) => string,
): Item => {
  const from = `${path}: ${name}`;
  const prompt = clean(originalPrompt);
  if (prompt === "") return skippedItem(from, "It has no prompt.");
  if (times.cron === undefined && times.every === undefined && times.once === undefined)
    return skippedItem(from, "Hearth has no such schedule.");
  const secretField = prompt === originalPrompt ? {} : { hidesSecrets: true as const };
  return { kind: "job", from, name: toSlug(name, "job"), prompt, isPaused: !isEnabled, ...times, ...secretField };
};

/** Converts an ISO date with any precision, or milliseconds since 1970. Returns undefined for other values. */
export const toInstant = (value: string | number | undefined): string | undefined => {
  const at = new Date(value ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};
