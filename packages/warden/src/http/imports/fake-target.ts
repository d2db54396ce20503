/** A target of imports in memory, for tests. */
import { HearthError } from "@hearth/protocol";
import type { FileItem, JobItem } from "./plan.ts";
import type { ImportTarget } from "./take-over.ts";

export interface FakeTarget extends ImportTarget {
  /** The imported parts, in order. */
  readonly changes: readonly string[];
  /** Errors of writes, by the path of the file. */
  readonly failures: Map<string, Error>;
}

export interface FakeTargetOptions {
  readonly files?: readonly FileItem[];
  readonly jobs?: readonly JobItem[];
}

export const fakeFile = (path: string, text: string): FileItem => ({
  kind: "file",
  from: path,
  to: path,
  text,
  hash: `hash of ${text}`,
});

export const fakeJob = (name: string, prompt: string): JobItem => ({
  kind: "job",
  from: `jobs: ${name}`,
  name,
  prompt,
  cron: "0 9 * * *",
  isPaused: false,
});

export const createFakeTarget = ({ files = [], jobs = [] }: FakeTargetOptions): FakeTarget => {
  const hashes = new Map(files.map(({ to, hash }) => [to, hash]));
  const existingJobs: Pick<JobItem, "name" | "prompt">[] = [...jobs];
  const channels = new Set<string>();
  const changes: string[] = [];
  const failures = new Map<string, Error>();
  return {
    changes,
    failures,
    files: async () => hashes,
    jobs: async () => existingJobs,
    channels: async () => channels,
    async wouldRun({ cron, once }) {
      if (cron === "not a schedule") throw new HearthError("job.invalid", "The schedule is not valid.");
      return once !== "2000-01-01T00:00:00.000Z";
    },
    async writeFile({ to, hash }) {
      const failure = failures.get(to);
      if (failure !== undefined) throw failure;
      hashes.set(to, hash);
      changes.push(`file ${to}`);
    },
    async addJob(job) {
      existingJobs.push(job);
      changes.push(`job ${job.name}`);
    },
    async addChannel({ name }) {
      channels.add(name);
      changes.push(`channel ${name}`);
    },
  };
};
