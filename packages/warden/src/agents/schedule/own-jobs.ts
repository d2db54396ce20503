/**
 * The jobs that an agent creates and changes in its own turns. A call that is repeated after a
 * crash has no further effect.
 */
import { readJson, type Store } from "../../kernel/index.ts";
import {
  type AgentRecord,
  type Clock,
  HearthError,
  isTainted,
  type Job,
  type Label,
  OWNER_LABEL,
  type ProposalId,
} from "@hearth/protocol";
import type { WriteResult } from "../brains/brain.ts";
import type { Brains } from "../brains/brains.ts";
import type { JobChange, OwnJobs, TurnAuthor } from "../tools/schedule/jobs.ts";
import { jobNotFoundError } from "./firing.ts";
import type { JobEdits } from "./job-edits.ts";
import { traitsOf } from "./job-traits.ts";
import { dropJob, JOBS_PATH } from "./jobs-file.ts";
import type { JobsFileSync } from "./mirror.ts";
import { findChange, headerOf } from "./origin.ts";
import { type JobRow, type JobDefinition, readDefinition } from "./rows.ts";
import type { createSlotsOf } from "./time/slots.ts";
import { describe, describeInstant } from "./terms.ts";

export interface OwnJobsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly store: Pick<Store, "select">;
  readonly brains: Pick<Brains, "open">;
  readonly fileSync: Pick<JobsFileSync, "sync" | "resume">;
  readonly edits: JobEdits;
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  readonly zoneOf: (agent: AgentRecord) => Promise<string>;
  readonly jobsOf: (agent: AgentRecord, name?: string) => Promise<readonly Job[]>;
}

/** Maximum number of jobs that one agent's turns may create. */
export const MAX_OWN_JOBS = 200;
const MAX_SHOWN_SLOTS = 3;
/** Time for which a past one-time job stays in the file. */
const PAST_JOB_KEPT_MS = 7 * 24 * 3_600_000;

export const createOwnJobs = (options: OwnJobsOptions): OwnJobs => {
  const { clock, store, brains, fileSync, edits, slotsOf, zoneOf, jobsOf } = options;

  /** Returns the jobs of the file. Only people set the heartbeat. */
  const rowsOf = async (agent: AgentRecord): Promise<readonly JobRow[]> => {
    const rows = await store.select({ table: "jobs", where: { agent: agent.id }, order: [{ column: "name" }] });
    return rows.filter((row) => traitsOf(row).settings === "file");
  };

  const toJobChange = async (
    agent: AgentRecord,
    { name, schedule, until }: JobDefinition,
    requested?: string,
  ): Promise<JobChange> => {
    const zone = requested ?? (schedule.kind === "cron" ? schedule.zone : await zoneOf(agent));
    const slots = slotsOf(schedule, until);
    const nextTimes: string[] = [];
    for (
      let slot = slots.next(clock.now());
      slot !== undefined && nextTimes.length < MAX_SHOWN_SLOTS;
      slot = slots.next(slot)
    )
      nextTimes.push(describeInstant(slot, zone));
    return { name, understood: describe(schedule, zone), next: nextTimes, zone };
  };

  /**
   * Returns the job that this turn proposed before. A repeated call returns it even if its time
   * has passed.
   */
  const findProposal = async (
    agent: AgentRecord,
    name: string,
    { activation }: TurnAuthor,
  ): Promise<ProposalId | undefined> => {
    const pendingProposals = await (await brains.open(agent)).proposals({ state: "pending" });
    const header = headerOf("+", name);
    return pendingProposals.find(
      (proposal) => proposal.path === JOBS_PATH && proposal.activation === activation && header.test(proposal.diff),
    )?.id;
  };

  /**
   * Removes old past one-time jobs that the agent made. Otherwise the file would grow with every
   * reminder.
   */
  const removePastJobs = async (agent: AgentRecord, by: TurnAuthor): Promise<void> => {
    if (isTainted(by.label)) return;
    const endedJobs = (await rowsOf(agent)).filter((row) => {
      const { schedule } = readDefinition(row);
      return row.labels !== null && row.status === "over" && schedule.kind === "once" && isLongOver(schedule.at);
    });
    if (endedJobs.length > 0)
      await edits.change(agent, by, (text) => endedJobs.reduce((text, { name }) => dropJob(text, name), text));
  };

  const isLongOver = (at: number): boolean => clock.now() - at > PAST_JOB_KEPT_MS;

  const setPaused = async (agent: AgentRecord, name: string, isPaused: boolean, by: TurnAuthor): Promise<JobChange> => {
    const { written, terms } = await edits.edit(agent, name, { paused: isPaused }, by);
    return { ...(await toJobChange(agent, terms)), ...proposalOf(written) };
  };

  return {
    async list(agent) {
      await fileSync.sync(agent);
      const rows = new Map((await rowsOf(agent)).map((row) => [row.name, row]));
      const jobs = (await jobsOf(agent)).flatMap((job) => {
        const row = rows.get(job.name);
        return row === undefined ? [] : [{ job, row }];
      });
      return Promise.all(
        jobs.map(async ({ job, row }) => ({
          job,
          times: await toJobChange(agent, readDefinition(row)),
          label: labelOf(row),
        })),
      );
    },

    async add(agent, job, by) {
      await fileSync.sync(agent);
      const brain = await brains.open(agent);
      const existingRow = (await rowsOf(agent)).find(({ name }) => name === job.name);
      if (existingRow !== undefined) {
        const terms = readDefinition(existingRow);
        const isRepeated = terms.prompt === job.prompt && (await findChange(brain, "+", job.name, by.activation));
        if (isRepeated) return toJobChange(agent, terms, job.zone);
        throw new HearthError("job.taken", `A job "${job.name}" already exists.`);
      }
      await removePastJobs(agent, by);
      if ((await rowsOf(agent)).length >= MAX_OWN_JOBS)
        throw new HearthError("job.invalid", `There are already ${MAX_OWN_JOBS} jobs. Cancel some first.`);
      const earlierProposal = await findProposal(agent, job.name, by);
      const terms = await edits.read(agent, job);
      const preview = await toJobChange(agent, terms, job.zone);
      if (preview.next.length === 0)
        throw new HearthError("job.invalid", `The job would never run: ${preview.understood} is in the past.`);
      if (earlierProposal !== undefined) return { ...preview, proposal: earlierProposal };
      const { written } = await edits.add(agent, job, by);
      return { ...preview, ...proposalOf(written) };
    },

    pause: (agent, name, by) => setPaused(agent, name, true, by),

    async resume(agent, name, by) {
      await fileSync.sync(agent);
      const isHalted = (await rowsOf(agent)).some((row) => row.name === name && row.status === "halted");
      // Resuming does not change the file, so there would be no proposal for a person to decide.
      if (isHalted && isTainted(by.label))
        throw new HearthError(
          "job.invalid",
          `The job "${name}" failed too often and halted. Only a person can resume it.`,
        );
      const change = await setPaused(agent, name, false, by);
      if (isHalted) await fileSync.resume(agent.id, name);
      return change;
    },

    async cancel(agent, name, by) {
      await fileSync.sync(agent);
      const brain = await brains.open(agent);
      const exists = (await rowsOf(agent)).some((row) => row.name === name);
      if (!exists && (await findChange(brain, "-", name, by.activation)) !== undefined) return { name };
      if (!exists) throw jobNotFoundError(name);
      return { name, ...proposalOf(await edits.cancel(agent, name, by)) };
    },
  };
};

const proposalOf = (written: WriteResult): Pick<JobChange, "proposal"> =>
  written.kind === "proposed" ? { proposal: written.proposal } : {};

const labelOf = ({ labels }: JobRow): Label => (labels === null ? OWNER_LABEL : readJson(labels));
