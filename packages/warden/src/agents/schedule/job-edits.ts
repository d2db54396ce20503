/** Edits the jobs file: builds a job's table from a request, and serialises the changes. */
import type { Store } from "../../kernel/index.ts";
import {
  type AddJob,
  type AgentId,
  type AgentRecord,
  HearthError,
  isHearthError,
  type PatchJob,
  type ProposalId,
  type World,
} from "@hearth/protocol";
import { createNamedQueues } from "@hearth/protocol/serial-queue";
import type { ChangeAuthor, WriteResult } from "../brains/brain.ts";
import type { Brains } from "../brains/brains.ts";
import { dropJob, type JobFields, jobFields, JOBS_PATH, putJob, readTerms } from "./jobs-file.ts";
import type { PhraseTimes } from "./time/phrase.ts";
import type { JobDefinition } from "./rows.ts";
import type { createSlotsOf } from "./time/slots.ts";
import { describe, describeInstant, requireZone } from "./terms.ts";

export interface JobEditsOptions {
  readonly world: Pick<World, "clock" | "hash">;
  readonly store: Pick<Store, "select">;
  readonly brains: Pick<Brains, "open">;
  /** Returns the default time zone of the agent. */
  readonly zoneOf: (agent: AgentRecord) => Promise<string>;
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  /** Makes the rows match the file. */
  readonly sync: (agent: AgentRecord) => Promise<unknown>;
}

export interface EditResult {
  readonly written: WriteResult;
  readonly terms: JobDefinition;
}

/**
 * Edits the jobs file. When a promise resolves, the rows match the file. If the edit became a
 * proposal, both are unchanged.
 */
export interface JobEdits {
  /** Returns the definition of such a job without writing it. Throws `job.invalid`. */
  read(agent: AgentRecord, job: AddJob): Promise<JobDefinition>;
  /** Adds a job. Throws `job.taken`, `job.invalid`. */
  add(agent: AgentRecord, job: AddJob, by: ChangeAuthor): Promise<EditResult>;
  /** Changes a job. Throws `job.not-found`, `job.invalid`. */
  edit(agent: AgentRecord, name: string, patch: PatchJob, by: ChangeAuthor): Promise<EditResult>;
  /** Removes a job. Throws `job.not-found`. */
  cancel(agent: AgentRecord, name: string, by: ChangeAuthor): Promise<WriteResult>;
  change(agent: AgentRecord, by: ChangeAuthor, edit: (text: string) => string): Promise<WriteResult>;
}

/** Maximum number of attempts if the file is saved at the same moment. */
const MAX_ATTEMPTS = 5;

export const createJobEdits = ({ world, store, brains, zoneOf, slotsOf, sync }: JobEditsOptions): JobEdits => {
  const { clock, hash } = world;
  /** One queue per agent, because two edits that create the file would each find no file. */
  const enqueue = createNamedQueues<AgentId>();

  /** Returns the proposal of the same change that this turn made before the daemon crashed. */
  const findProposal = async (
    agent: AgentRecord,
    { activation }: ChangeAuthor,
    text: string,
  ): Promise<ProposalId | undefined> => {
    if (activation === undefined) return undefined;
    const where = { agent: agent.id, activation, path: JOBS_PATH, state: "pending", after: hash(text) } as const;
    const [row] = await store.select({ table: "brain_proposals", where, limit: 1 });
    return row?.id;
  };

  const write = async (agent: AgentRecord, by: ChangeAuthor, edit: (text: string) => string): Promise<WriteResult> => {
    const brain = await brains.open(agent);
    for (let tries = 1; ; tries += 1) {
      const file = await brain.readBytes(JOBS_PATH);
      const text = file === undefined ? "" : new TextDecoder().decode(file.bytes);
      const newText = edit(text);
      const existingProposal = await findProposal(agent, by, newText);
      if (existingProposal !== undefined) return { kind: "proposed", proposal: existingProposal, halts: false };
      try {
        const writeResult = await brain.write(JOBS_PATH, newText, by, file?.hash);
        if (writeResult.kind !== "proposed") await sync(agent);
        return writeResult;
      } catch (error) {
        if (!isHearthError(error, "brain.changed") || tries === MAX_ATTEMPTS) throw error;
      }
    }
  };

  const change: JobEdits["change"] = (agent, by, edit) => enqueue(agent.id, () => write(agent, by, edit));

  const toDefinition = async (agent: AgentRecord, { name, ...request }: AddJob) => {
    const zone = request.zone ?? (await zoneOf(agent));
    const fields = patchFields(request, await timesOf(request, clock.now(), zone), {}, clock.now());
    return { fields, terms: readTerms(name, fields, zone), zone };
  };

  /** Throws for a schedule without a future slot. */
  const requireSlot = ({ schedule, until }: JobDefinition, zone: string): void => {
    if (slotsOf(schedule, until).next(clock.now()) !== undefined) return;
    const description = describe(schedule, zone);
    const end = until === undefined ? "" : `, until ${describeInstant(until, zone)}`;
    throw new HearthError("job.invalid", `The job would never run: ${description}${end}.`, {
      hint: "Give it a time in the future.",
    });
  };

  return {
    change,
    read: async (agent, job) => (await toDefinition(agent, job)).terms,

    async add(agent, job, by) {
      const { name } = job;
      const { fields, terms, zone } = await toDefinition(agent, job);
      requireSlot(terms, zone);
      const written = await change(agent, by, (text) => {
        if (hasJob(text, name))
          throw new HearthError("job.taken", `A job "${name}" already exists.`, {
            hint: `Edit it: hearth job edit ${agent.handle} ${name}`,
          });
        return putJob(text, name, fields);
      });
      return { written, terms };
    },

    async edit(agent, name, patch, by) {
      const zone = patch.zone ?? (await zoneOf(agent));
      const times = await timesOf(patch, clock.now(), zone);
      let terms: JobDefinition | undefined;
      const written = await change(agent, by, (text) => {
        const fields = patchFields(patch, times, jobFields(text, name), clock.now());
        terms = readTerms(name, fields, zone);
        if (changesTimes(patch)) requireSlot(terms, zone);
        return putJob(text, name, fields);
      });
      if (terms === undefined) throw new Error(`the job ${name} of ${agent.id} was not read from the file`);
      return { written, terms };
    },

    cancel: (agent, name, by) =>
      change(agent, by, (text) => {
        requireJobInFile(text, name);
        return dropJob(text, name);
      }),
  };
};

/** Whether the patch changes when the job is due. */
const changesTimes = ({ when, cron, every, once, zone, until }: PatchJob): boolean =>
  [when, cron, every, once, zone, until].some((value) => value !== undefined);

const hasJob = (text: string, name: string): boolean =>
  new RegExp(`^\\s*\\[\\s*jobs\\s*\\.\\s*"?${name}"?\\s*\\]`, "m").test(text);

/** Converts the requested times to the file's form. Loads the phrase parser only for a phrase. */
export const timesOf = async (
  { when, cron, every, once }: Pick<PatchJob, "when" | "cron" | "every" | "once">,
  now: number,
  zone: string,
): Promise<PhraseTimes> => {
  if ([when, cron, every, once].filter((value) => value !== undefined).length > 1)
    throw new HearthError("job.invalid", "A job needs exactly one of cron, every, once and when.");
  if (when !== undefined) return (await import("./time/phrase.ts")).readPhrase(when, now, requireZone(zone));
  return { ...(cron && { cron }), ...(every && { every }), ...(once && { once }) };
};

/** Applies the request to a job's table. */
const patchFields = (patch: PatchJob, times: PhraseTimes, current: Partial<JobFields>, now: number): JobFields => {
  const { when: _when, cron: _cron, every: _every, once: _once, catchUp, ...otherFields } = patch;
  const fields: Record<string, unknown> = { ...current };
  if (Object.values(times).some((value) => value !== undefined)) {
    for (const key of ["cron", "every", "once", "from"]) delete fields[key];
    if (times.every !== undefined) fields["from"] = new Date(now).toISOString();
  }
  for (const [key, value] of Object.entries({ ...times, ...otherFields, catch_up: catchUp })) {
    if (value === null) delete fields[key];
    else if (value !== undefined) fields[key] = value;
  }
  if (fields["paused"] === false) delete fields["paused"];
  return fields as JobFields;
};

/** Throws `job.not-found`. Accepts a job that cannot be read, so that it can be removed. */
const requireJobInFile = (text: string, name: string): void => {
  try {
    jobFields(text, name);
  } catch (error) {
    if (!isHearthError(error, "job.invalid")) throw error;
  }
};
