/**
 * Schedules agents' jobs. `cron/jobs.toml` of each brain defines the jobs, and the store holds
 * their due times and results. One timer sleeps until the earliest slot.
 */
import type { ConfigSource, Outbox, DurableStreams, Log, Store } from "../../kernel/index.ts";
import type { People } from "../../people/index.ts";
import {
  type AddJob,
  type AgentId,
  type AgentRecord,
  HearthError,
  type Job,
  type JobHook,
  type JobHookTaken,
  type JobList,
  type JobPreview,
  type JobSlot,
  type JobSlotQuery,
  OWNER_LABEL,
  type PatchJob,
  type PreviewJob,
  type World,
} from "@hearth/protocol";
import type { ChangeAuthor } from "../brains/brain.ts";
import type { Brains } from "../brains/brains.ts";
import { createAlarm } from "./alarm.ts";
import { createFiring, jobNotFoundError } from "./firing.ts";
import { createHeartbeatGate } from "./heartbeats/heartbeat-gate.ts";
import { createHeartbeats, notInJobsFileError } from "./heartbeats/heartbeats.ts";
import { createHooks } from "./hooks.ts";
import { createJobEdits, timesOf } from "./job-edits.ts";
import { createJobSources } from "./job-sources.ts";
import { jobFields, putJob } from "./jobs-file.ts";
import { traitsOf } from "./job-traits.ts";
import { createJobsFileSync } from "./mirror.ts";
import { createOwnJobs } from "./own-jobs.ts";
import { previewJob } from "./preview.ts";
import { createReplan } from "./replan.ts";
import { type JobIdentity, type OnRescheduled, toJob, toSlot } from "./rows.ts";
import { createScheduleRun, type JobKey } from "./schedule-run.ts";
import { createSlotEnds } from "./slot-ends.ts";
import { createSlotsOf } from "./time/slots.ts";
import { requireZone } from "./terms.ts";
import { createTargets } from "./target.ts";
import { createTimeline } from "./time/timeline.ts";
import type { OwnJobs } from "../tools/schedule/jobs.ts";
import type { SignedHookRequest } from "./hook-signature.ts";
import type { Vault, Holds, Budgets } from "../../policy/index.ts";

/**
 * Contract, checked by its tests:
 * - The file is the source of truth. An edit by hand takes effect within a minute. An error in one
 *   job does not affect the others.
 * - Every due slot has exactly one fate, with a reason. The next slot is stored in the same commit.
 *   Reading changes nothing.
 * - A slot never fires twice, with any number of daemons and any clock changes. Slots missed while
 *   no daemon ran follow the job's catch-up rule.
 * - If the clock was set back by more than `CORRECTION_MS`, each job's next slot is planned again
 *   from the present clock. Slots that ran are left out. Future slots that did not run lose their
 *   fate and are due again at their time.
 * - A slot that fires is a message from the job's owner to its agent, in the job's room. When the
 *   turn that it wakes ends, the slot ends.
 * - A failure is reported in that room. A failing job backs off, and halts after five failures in a
 *   row.
 */
export interface Schedule {
  /** Recovers unfinished slots, then fires due jobs until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Skips every due slot with this reason, so that no job fires. */
  skipDue(reason: string): Promise<void>;
  /** Reads the file and returns its jobs. */
  list(agent: AgentRecord): Promise<JobList>;
  /** Returns one job. Throws `job.not-found`. */
  get(agent: AgentRecord, name: string): Promise<Job>;
  /** Adds a job for a person. Throws `job.taken`, `job.invalid`. */
  add(agent: AgentRecord, job: AddJob, by: AgentId): Promise<Job>;
  /**
   * Edits a job for a person. The change applies from the next slot. `paused: false` also resumes
   * a halted job. Throws `job.not-found`, `job.invalid`.
   */
  edit(agent: AgentRecord, name: string, patch: PatchJob, by: AgentId): Promise<Job>;
  /**
   * Cancels a job for a person. Running slots continue, and past slots stay. Throws
   * `job.not-found`.
   */
  cancel(agent: AgentRecord, name: string, by: AgentId): Promise<void>;
  /** Fires the job once outside its schedule, even if it is paused. Throws `job.not-found`. */
  fire(agent: AgentRecord, name: string): Promise<JobSlot>;
  /** Returns when a job would be due, without saving it. Throws `job.invalid`. */
  preview(agent: AgentRecord, request: PreviewJob): Promise<JobPreview>;
  /**
   * Turns on the webhook for a person. Throws `job.not-found`, `job.taken` if it is already on,
   * `secret.locked`.
   */
  openHook(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** Replaces the webhook's key for a person. Throws `job.not-found`, `secret.locked`. */
  rotateHook(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** Turns off the webhook for a person. Its key stops working. Throws `job.not-found`. */
  closeHook(agent: AgentRecord, name: string, by: AgentId): Promise<void>;
  /**
   * Fires the job of a called webhook. Throws `job.unverified` with the same message for a wrong
   * signature and an unknown webhook, `job.paused` and `job.busy` if the job takes no calls now,
   * `secret.locked`, `request.invalid`, `request.unsupported`.
   */
  deliver(hook: string, signed: SignedHookRequest): Promise<JobHookTaken>;
  /** The jobs as an agent's own turns see and change them. */
  readonly own: OwnJobs;
  /** Returns the slots of a job, newest first. The job may be deleted. */
  slots(agent: AgentRecord, name: string, query: JobSlotQuery): Promise<readonly JobSlot[]>;
}

export interface ScheduleOptions {
  readonly kernel: {
    readonly world: World;
    readonly log: Log;
    readonly store: Store;
    readonly streams: DurableStreams;
    /** Reports changes of providers. */
    readonly config: Pick<ConfigSource, "onEdit">;
  };
  readonly people: Pick<People, "records" | "permissions" | "rooms">;
  readonly brains: Pick<Brains, "open">;
  readonly vault: Pick<Vault, "status" | "read" | "set" | "rotate" | "remove">;
  /** Delivers the job's replies to its reply route. */
  readonly outbox: Pick<Outbox, "plan" | "poke" | "whyRouteClosed">;
  /** The stopped agents. */
  readonly holds: Pick<Holds, "isHeld">;
  /** The budgets of heartbeats. */
  readonly budgets: Pick<Budgets, "refusal">;
}

export const createSchedule = (options: ScheduleOptions): Schedule => {
  const { kernel, people, brains, vault, outbox, holds, budgets } = options;
  const { world, log, store, streams } = kernel;
  const { records, rooms, permissions } = people;
  const { clock } = world;
  const timeline = createTimeline<JobKey>();
  const alarm = createAlarm();
  const slotsOf = createSlotsOf();
  const onRescheduled: OnRescheduled = ({ agent, name, next_at }) => {
    timeline.set(`${agent} ${name}`, next_at ?? undefined);
    alarm.ring();
  };
  const targetOf = createTargets(people);
  const gate = createHeartbeatGate({ clock, store, streams, records, permissions, brains, holds, budgets });
  const firing = createFiring({ world, store, streams, slotsOf, targetOf, onRescheduled, outbox, heartbeats: gate });
  const decideDueSlots = ({ agent, name }: JobIdentity): Promise<void> => firing.decideDueSlots(agent, name);
  const ends = createSlotEnds({ world, store, streams, records, rooms, onRescheduled, decideDueSlots, outbox });
  firing.onFired(ends.watch);
  const fileSync = createJobsFileSync({
    world,
    store,
    records,
    permissions,
    brains,
    slotsOf,
    onRescheduled,
    decideDueSlots,
  });
  const replan = createReplan({ clock, log, store, slotsOf, onRescheduled });
  const heartbeats = createHeartbeats({
    world,
    store,
    records,
    permissions,
    slotsOf,
    onRescheduled,
    resume: fileSync.resume,
    decideDueSlots,
  });
  const zoneOf = async (agent: AgentRecord): Promise<string> =>
    agent.content.timezone ?? (await records.get("house", agent.house)).content.timezone;

  const edits = createJobEdits({ world, store, brains, zoneOf, slotsOf, sync: fileSync.sync });

  const writeHook = async (agent: AgentRecord, name: string, isOn: boolean, by: AgentId): Promise<void> => {
    await edits.change(agent, authorOf(by), (text) => {
      const { hook: _, ...fields } = jobFields(text, name);
      return putJob(text, name, isOn ? { ...fields, hook: true } : fields);
    });
  };

  const hooks = createHooks({ world, store, records, vault, firing, sync: fileSync.sync, write: writeHook });
  const sources = createJobSources({ clock, log, records, fileSync, heartbeats, hooks });
  kernel.config.onEdit(async ({ table }) => {
    if (table.startsWith("providers.")) await sources.retryHeartbeats();
  });

  const jobsOf = async (agent: AgentRecord, name?: string): Promise<readonly Job[]> => {
    const where = { agent: agent.id, ...(name === undefined ? {} : { name }) };
    const [rows, zone, paths] = await Promise.all([
      store.select({ table: "jobs", where, order: [{ column: "name" }] }),
      zoneOf(agent),
      hooks.paths(agent.id),
    ]);
    return Promise.all(
      rows.map(async (row) => {
        const [lastSlot] = await store.select({
          table: "job_slots",
          where: { agent: agent.id, job: row.name },
          limit: 1,
          order: [{ column: "slot", descending: true }],
        });
        return toJob(row, lastSlot, zone, paths.get(row.name));
      }),
    );
  };

  const get = async (agent: AgentRecord, name: string): Promise<Job> => {
    await sources.sync(agent);
    const [job] = await jobsOf(agent, name);
    if (job === undefined) throw jobNotFoundError(name);
    return job;
  };

  /** If the room is deleted later, this is reported when the job is due. */
  const requireRoom = async ({ house }: AgentRecord, room: string | null | undefined): Promise<void> => {
    if (room === undefined || room === null || (await records.find("room", room, house)) !== undefined) return;
    throw new HearthError("job.invalid", `There is no room "${room}".`, {
      hint: "List the rooms: hearth room list",
    });
  };

  return {
    run: createScheduleRun({ kernel, timeline, alarm, sources, firing, ends, replan }),

    async skipDue(reason) {
      const dueRows = await store.select({ table: "jobs", and: [{ column: "next_at", is: "<=", value: clock.now() }] });
      for (const { agent, name } of dueRows) await firing.skip(agent, name, reason);
    },

    async list(agent) {
      const mistakes = await sources.sync(agent);
      return { jobs: [...(await jobsOf(agent))], mistakes: [...mistakes] };
    },

    get,

    async add(agent, job, by) {
      await requireRoom(agent, job.room);
      await edits.add(agent, job, authorOf(by));
      return get(agent, job.name);
    },

    async edit(agent, name, patch, by) {
      const job = await get(agent, name);
      if (traitsOf(job).settings === "record") {
        await heartbeats.edit(agent, patch);
        return get(agent, name);
      }
      await requireRoom(agent, patch.room);
      await edits.edit(agent, name, patch, authorOf(by));
      if (patch.paused === false && job.status === "halted") await fileSync.resume(agent.id, name);
      return get(agent, name);
    },

    async cancel(agent, name, by) {
      if (traitsOf({ name }).settings === "record") throw notInJobsFileError();
      await edits.cancel(agent, name, authorOf(by));
      await hooks.close(agent.id, name, by);
    },

    async preview(agent, { until, zone: requestedZone, ...times }) {
      const zone = requireZone(requestedZone ?? (await zoneOf(agent)));
      const now = clock.now();
      return previewJob({ until }, await timesOf(times, now, zone), zone, slotsOf, now);
    },

    openHook: hooks.open,
    rotateHook: hooks.rotate,
    async closeHook(agent, name, by) {
      await hooks.close(agent.id, name, by);
      await writeHook(agent, name, false, by);
    },
    deliver: hooks.deliver,

    own: createOwnJobs({ clock, store, brains, edits, slotsOf, zoneOf, jobsOf, fileSync }),

    async fire(agent, name) {
      await get(agent, name);
      return toSlot(await firing.fireManually(agent.id, name));
    },

    async slots(agent, name, { limit }) {
      const rows = await store.select({
        table: "job_slots",
        where: { agent: agent.id, job: name },
        limit,
        order: [{ column: "slot", descending: true }],
      });
      if (rows.length === 0) await get(agent, name);
      return rows.map(toSlot);
    },
  };
};

/** Returns the author of the changes that a person makes in their own name. */
const authorOf = (agent: AgentId): ChangeAuthor => ({ agent, label: OWNER_LABEL });
