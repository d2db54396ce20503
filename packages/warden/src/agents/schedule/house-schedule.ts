/** The schedule, wired: the file's jobs as rows, one timer for the earliest of them, and what becomes of what fires. */
import type { ConfigSource, Log, Outbox, DurableStreams } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HEARTBEAT,
  HearthError,
  type HouseId,
  type Job,
  OWN,
  type World,
} from "@hearth/protocol";
import type { By } from "../brains/brain.ts";
import { createAlarm } from "./alarm.ts";
import { createFiring, noJob } from "./firing.ts";
import { createHeartbeatGate, type GateOptions } from "./heartbeats/heartbeat-gate.ts";
import { createHeartbeats, ofTheRecord } from "./heartbeats/heartbeats.ts";
import { createHooks, type HooksOptions } from "./hooks.ts";
import { createJobEdits, timesOf } from "./job-edits.ts";
import { jobFields, putJob } from "./jobs-file.ts";
import { inTurn } from "./in-turn.ts";
import { createJumpCheck } from "./jump-check.ts";
import { createMirror, type MirrorOptions } from "./mirror.ts";
import { createOwnJobs } from "./own-jobs.ts";
import { previewJob } from "./preview.ts";
import { toJob, toSlot } from "./rows.ts";
import type { Schedule } from "./schedule.ts";
import { createSlotEnds } from "./slot-ends.ts";
import { createSlotsOf } from "./time/slots.ts";
import { requireZone } from "./terms.ts";
import { createTargets, type TargetOptions } from "./target.ts";
import { createTimeline } from "./time/timeline.ts";

export interface ScheduleOptions extends Omit<
  MirrorOptions,
  "slotsOf" | "settle" | "moved" | "records" | "permissions" | "world"
> {
  readonly world: World;
  readonly log: Log;
  readonly streams: DurableStreams;
  readonly records: MirrorOptions["records"] & TargetOptions["records"] & GateOptions["records"];
  readonly permissions: MirrorOptions["permissions"] & TargetOptions["permissions"];
  readonly rooms: TargetOptions["rooms"];
  readonly vault: HooksOptions["vault"];
  /** Brings what a job says to where it was asked for. */
  readonly outbox: Pick<Outbox, "plan" | "poke" | "whyRouteClosed">;
  /** Who is stopped. */
  readonly holds: GateOptions["holds"];
  /** What a heartbeat may spend. */
  readonly budgets: GateOptions["budgets"];
  /** Tells when a provider is another one. */
  readonly config: Pick<ConfigSource, "onEdit">;
}

type Key = `${string} ${string}`;

/** Files are looked at for what was edited by hand. */
const LOOK_MS = 60_000;
/** The same while nobody has a job: a first one is seen with the next turn of its agent, when it is listed, or by then. */
const LOOK_IDLE_MS = 6 * 3_600_000;
/** The longest sleep: a clock that was put forward, or a machine that slept, is noticed within it. */
const MAX_SLEEP_MS = 1000;
/** Jobs that are due at once and share a sync; between two such groups others have their turn. */
const GROUP = 50;

export const createSchedule = (options: ScheduleOptions): Schedule => {
  const { world, log, store, streams, records, brains, vault, outbox } = options;
  const { clock } = world;
  const timeline = createTimeline<Key>();
  const alarm = createAlarm();
  const slotsOf = createSlotsOf();
  const moved = ({ agent, name, next_at }: { agent: string; name: string; next_at: number | null }): void => {
    timeline.set(`${agent} ${name}`, next_at ?? undefined);
    alarm.ring();
  };
  const settleRow = ({ agent, name }: { readonly agent: string; readonly name: string }): Promise<void> =>
    firing.settle(agent, name);
  const ends = createSlotEnds({
    ...{ world, store, streams, records, rooms: options.rooms, moved, settle: settleRow, outbox },
  });
  const targetOf = createTargets(options);
  const gate = createHeartbeatGate({ ...options, clock });
  const firing = createFiring({
    ...{ world, store, streams, slotsOf, targetOf, moved, begun: ends.begun, outbox, heartbeats: gate },
  });
  const mirror = createMirror({ ...options, slotsOf, moved, settle: settleRow });
  const heartbeats = createHeartbeats({
    ...{ ...options, slotsOf, moved, resume: mirror.resume },
    settle: settleRow,
  });
  const retryHeartbeats = async (): Promise<void> => {
    try {
      await heartbeats.retryAll();
    } catch (error) {
      log.write("error", "heartbeats that a key had stopped could not be taken up again", { error });
    }
  };
  options.config.onEdit(async ({ table }) => {
    if (table.startsWith("providers.")) await retryHeartbeats();
  });

  const zoneOf = async (agent: AgentRecord): Promise<string> =>
    agent.content.timezone ?? (await records.get("house", agent.house)).content.timezone;

  const jobsOf = async (agent: AgentRecord, name?: string): Promise<readonly Job[]> => {
    const where = { agent: agent.id, ...(name === undefined ? {} : { name }) };
    const [rows, zone, paths] = await Promise.all([
      store.select({ table: "jobs", where, order: [{ column: "name" }] }),
      zoneOf(agent),
      hooks.paths(agent.id),
    ]);
    return Promise.all(
      rows.map(async (row) => {
        const [last] = await store.select({
          ...{ table: "job_slots", where: { agent: agent.id, job: row.name }, limit: 1 },
          order: [{ column: "slot", descending: true }],
        });
        return toJob(row, last, zone, paths.get(row.name));
      }),
    );
  };

  const get = async (agent: AgentRecord, name: string): Promise<Job> => {
    await mirror.sync(agent);
    await heartbeats.sync(agent);
    const [job] = await jobsOf(agent, name);
    if (job === undefined) throw noJob(name);
    return job;
  };

  /** One that goes later is told of when the job is due. */
  const requireRoom = async ({ house }: AgentRecord, room: string | null | undefined): Promise<void> => {
    if (room === undefined || room === null || (await records.find("room", room, house)) !== undefined) return;
    throw new HearthError("job.invalid", `There is no room "${room}".`, {
      hint: "See what there is: hearth room list",
    });
  };

  const edits = createJobEdits({ world, store, brains, zoneOf, slotsOf, sync: mirror.sync });

  const writeHook: HooksOptions["write"] = async (agent, name, isOn, by) => {
    await edits.change(agent, person(by), (text) => {
      const { hook: _, ...fields } = jobFields(text, name);
      return putJob(text, name, isOn ? { ...fields, hook: true } : fields);
    });
  };

  const hooks = createHooks({ ...{ world, store, records, vault, firing }, sync: mirror.sync, write: writeHook });

  /** Fires what is due, agents in turn, a group at a time. */
  const fireDue = async (): Promise<void> => {
    const due = inTurn(timeline.take(clock.now()));
    for (let start = 0; start < due.length; start += GROUP) {
      await Promise.all(due.slice(start, start + GROUP).map(settle));
      await clock.turn();
    }
  };

  const settle = async (key: Key): Promise<void> => {
    const [agent = "", name = ""] = key.split(" ");
    try {
      await firing.settle(agent, name);
    } catch (error) {
      log.write("error", "a job that is due could not be fired and will be tried again", { agent, job: name, error });
      timeline.set(key, clock.now() + MAX_SLEEP_MS);
    }
  };

  const look = async (agent: AgentRecord): Promise<void> => {
    try {
      await mirror.sync(agent);
      await heartbeats.sync(agent);
    } catch (error) {
      log.write("error", "an agent's jobs could not be read and will be looked at again", { agent: agent.id, error });
    }
  };

  /** Heartbeats stand in records, and what a house tells of may have changed one, or a key. */
  const lookAtHouse = async (house: HouseId): Promise<void> => {
    try {
      await heartbeats.syncHouse(house);
      await hooks.sweep();
    } catch (error) {
      log.write("error", "what the agents of a house have could not be read and will be looked at again", {
        house,
        error,
      });
    }
  };

  const lookAtEnds = async (agent?: AgentId): Promise<void> => {
    try {
      await ends.look(agent);
    } catch (error) {
      log.write("error", "the end of a job's run could not be kept and will be looked at again", { agent, error });
    }
  };

  /** Also what another daemon fired, which may have ended since. */
  const takeUp = async (): Promise<void> => {
    await ends.load();
    await lookAtEnds();
  };

  const lookAtAll = async (): Promise<void> => {
    for (const agent of await records.list("agent")) {
      if (agent.content.kind === "bot" && agent.content.runs !== "elsewhere") await look(agent);
      await clock.turn();
    }
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    for await (const names of streams.watch(["house", "agent"], signal)) {
      for (const name of names) {
        if (name.startsWith("house:")) await lookAtHouse(name.slice("house:".length) as HouseId);
        if (!name.startsWith("agent:")) continue;
        const id = name.slice("agent:".length) as AgentId;
        await lookAtEnds(id);
        const agent = await records.find("agent", id);
        if (agent === undefined) {
          await mirror.forget(id);
          await heartbeats.forget(id);
        } else if (agent.content.kind === "bot" && agent.content.runs !== "elsewhere") await look(agent);
      }
    }
  };

  const tick = async (signal: AbortSignal): Promise<void> => {
    let lookedAt = -Infinity;
    const checkClock = createJumpCheck(clock, log);
    while (!signal.aborted) {
      checkClock();
      await fireDue();
      if (clock.monotonic() - lookedAt >= LOOK_MS) {
        lookedAt = clock.monotonic();
        await lookAtAll();
        await takeUp();
      }
      const next = timeline.next();
      const wait = next === undefined ? LOOK_IDLE_MS : Math.min(MAX_SLEEP_MS, Math.max(0, next - clock.now()));
      const slept = new AbortController();
      await Promise.race([clock.sleep(wait, AbortSignal.any([signal, slept.signal])), alarm.wait()]);
      slept.abort();
    }
  };

  /** Rows of agents that were removed while nobody followed. */
  const forgetRemoved = async (rows: readonly { readonly agent: string }[]): Promise<void> => {
    for (const agent of new Set(rows.map((row) => row.agent as AgentId))) {
      if ((await records.find("agent", agent)) !== undefined) continue;
      await mirror.forget(agent);
      await heartbeats.forget(agent);
    }
  };

  return {
    async run(signal) {
      // Before anything fires: what is over and not known to be would keep it from firing.
      await takeUp();
      const rows = await store.select({ table: "jobs" });
      for (const row of rows) moved(row);
      await forgetRemoved(rows);
      // It may have been started anew for the sake of another key.
      await retryHeartbeats();
      // Whichever fails ends the other, so that a restart finds neither of them at work.
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      const end = (error: unknown): never => {
        over.abort();
        throw error;
      };
      const parts = await Promise.allSettled([follow(either).catch(end), tick(either).catch(end)]);
      for (const part of parts) if (part.status === "rejected") throw part.reason;
    },

    async skipDue(reason) {
      const due = await store.select({ table: "jobs", and: [{ column: "next_at", is: "<=", value: clock.now() }] });
      for (const { agent, name } of due) await firing.skip(agent, name, reason);
    },

    async list(agent) {
      const mistakes = await mirror.sync(agent);
      await heartbeats.sync(agent);
      return { jobs: [...(await jobsOf(agent))], mistakes: [...mistakes] };
    },

    get,

    async add(agent, job, by) {
      await requireRoom(agent, job.room);
      await edits.add(agent, job, person(by));
      return get(agent, job.name);
    },

    async edit(agent, name, patch, by) {
      const before = await get(agent, name);
      if (name === HEARTBEAT) {
        await heartbeats.edit(agent, patch);
        return get(agent, name);
      }
      await requireRoom(agent, patch.room);
      await edits.edit(agent, name, patch, person(by));
      if (patch.paused === false && before.status === "halted") await mirror.resume(agent.id, name);
      return get(agent, name);
    },

    async cancel(agent, name, by) {
      if (name === HEARTBEAT) throw ofTheRecord();
      await edits.cancel(agent, name, person(by));
      await hooks.close(agent.id, name, by);
    },

    async preview(agent, { until, zone: asked, ...said }) {
      const zone = requireZone(asked ?? (await zoneOf(agent)));
      const now = clock.now();
      return previewJob({ until }, await timesOf(said, now, zone), zone, slotsOf, now);
    },

    openHook: hooks.open,
    rotateHook: hooks.rotate,
    async closeHook(agent, name, by) {
      await hooks.close(agent.id, name, by);
      await writeHook(agent, name, false, by);
    },
    deliver: hooks.deliver,

    own: createOwnJobs({ ...{ clock, store, brains, edits, slotsOf, zoneOf, jobsOf }, mirror }),

    async fire(agent, name) {
      await get(agent, name);
      return toSlot(await firing.byHand(agent.id, name));
    },

    async slots(agent, name, { limit }) {
      const rows = await store.select({
        ...{ table: "job_slots", where: { agent: agent.id, job: name }, limit },
        order: [{ column: "slot", descending: true }],
      });
      if (rows.length === 0) await get(agent, name);
      return rows.map(toSlot);
    },
  };
};

/** Whoever is a person says it themselves. */
const person = (agent: AgentId): By => ({ agent, label: OWN });
