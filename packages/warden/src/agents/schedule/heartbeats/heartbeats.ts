/**
 * Keeps the heartbeats of agents' records as job rows. Creates, changes and removes a row with its
 * record, and resumes a heartbeat when the cause of its halt no longer exists.
 */
import type { Permissions, Records } from "../../../people/index.ts";
import type { Store, Write } from "../../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HEARTBEAT,
  HearthError,
  type HouseId,
  type PatchJob,
  type World,
} from "@hearth/protocol";
import { hasErrorCode } from "../failed-by.ts";
import { toHeartbeatDefinition } from "./heartbeat-terms.ts";
import { planNext } from "../next-slot.ts";
import { type JobRow, writeDefinition, type JobDefinition, readDefinition, type OnRescheduled } from "../rows.ts";
import type { createSlotsOf } from "../time/slots.ts";

export interface HeartbeatsOptions {
  readonly world: Pick<World, "clock">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly records: Pick<Records, "find"> & { list(type: "agent"): Promise<readonly AgentRecord[]> };
  readonly permissions: Pick<Permissions, "list">;
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  /** Decides the due slots by the definition that was valid until now. */
  readonly decideDueSlots: (row: JobRow) => Promise<unknown>;
  readonly onRescheduled: OnRescheduled;
  readonly resume: (agent: AgentId, name: string) => Promise<void>;
}

export interface Heartbeats {
  /** Makes the row match the record. Reads nothing if neither has a heartbeat. */
  sync(agent: AgentRecord): Promise<void>;
  /** Makes the rows of all agents of a house match their records, after a change in the house. */
  syncHouse(house: HouseId): Promise<void>;
  /**
   * Pauses or resumes the heartbeat for a person. All its other settings are in the record.
   * Throws `job.not-found`, `job.invalid`.
   */
  edit(agent: AgentRecord, patch: PatchJob): Promise<void>;
  /**
   * Resumes the heartbeats that halted because a provider rejected its key. The caller uses this
   * when keys may have changed.
   */
  retryAll(): Promise<void>;
  /** Removes the row of a deleted agent. */
  forget(agent: AgentId): Promise<void>;
}

/** Maximum number of attempts if the row changes at the same moment. */
const MAX_ATTEMPTS = 10;

export const createHeartbeats = (options: HeartbeatsOptions): Heartbeats => {
  const { world, store, records, permissions, slotsOf, decideDueSlots, onRescheduled, resume } = options;
  const rejectedKeys = createRejectedKeys(options);
  /** The agents with a row. It is undefined until they are loaded. */
  let agentsWithRow: Set<AgentId> | undefined;

  const loadAgentsWithRow = async (): Promise<Set<AgentId>> => {
    agentsWithRow ??= new Set(
      (await store.select({ table: "jobs", where: { name: HEARTBEAT } })).map(({ agent }) => agent),
    );
    return agentsWithRow;
  };

  const find = async (agent: AgentId): Promise<JobRow | undefined> =>
    (await store.select({ table: "jobs", where: { agent, name: HEARTBEAT } }))[0];

  /**
   * Returns the owner: an administrator of the house, and the same one as long as they are an
   * administrator.
   */
  const findOwner = async (agent: AgentRecord, row: JobRow | undefined): Promise<AgentId | undefined> => {
    const isPerson = async (id: string): Promise<boolean> =>
      (await records.find("agent", id))?.content.kind === "human";
    if (row !== undefined && (await isPerson(row.owner))) return row.owner;
    for (const grant of await permissions.list({ on: agent.house }))
      if (grant.level === "x" && (await isPerson(grant.agent))) return grant.agent;
    return undefined;
  };

  /** Returns false if the record or the row has changed. */
  const commit = async (
    { id: agent, version }: AgentRecord,
    row: JobRow | undefined,
    planned: { readonly newRow: JobRow; readonly writes: readonly Write[] } | undefined,
  ): Promise<boolean> => {
    const where = { agent, name: HEARTBEAT };
    const change: Write =
      planned === undefined
        ? { kind: "delete", table: "jobs", where }
        : { kind: "put", table: "jobs", row: planned.newRow };
    const { kind } = await store.commit({
      guards: [
        row === undefined
          ? { kind: "absent", table: "jobs", where }
          : { kind: "exists", table: "jobs", where: { ...where, version: row.version } },
        // A late commit must not overwrite a newer record's heartbeat.
        { kind: "exists", table: "records", where: { id: agent, version } },
      ],
      writes: [change, ...(planned?.writes ?? [])],
    });
    if (kind === "committed") onRescheduled({ agent, name: HEARTBEAT, next_at: planned?.newRow.next_at ?? null });
    return kind === "committed";
  };

  const toRow = async (
    agent: AgentId,
    owner: AgentId,
    terms: JobDefinition,
    row: JobRow | undefined,
  ): Promise<{ readonly newRow: JobRow; readonly writes: readonly Write[] }> => {
    const isResumed = row !== undefined && readDefinition(row).paused && !terms.paused;
    const isHalted = row?.status === "halted" && !isResumed;
    const status = terms.paused ? "paused" : isHalted ? "halted" : "active";
    const isSame =
      row !== undefined && row.next_at !== null && writeDefinition(readDefinition(row)) === writeDefinition(terms);
    const job = { agent, name: HEARTBEAT };
    const plan = isSame ? undefined : await planNext(store, job, slotsOf(terms.schedule), world.clock.now());
    const nextSlot = isSame ? row.next_at : (plan?.next ?? null);
    const newRow: JobRow = {
      agent,
      name: HEARTBEAT,
      owner,
      terms: writeDefinition(terms),
      labels: null,
      status,
      next_at: status === "active" ? nextSlot : null,
      failures: isResumed ? 0 : (row?.failures ?? 0),
      not_before: isResumed ? 0 : (row?.not_before ?? 0),
      version: (row?.version ?? 0) + 1,
      created_at: row?.created_at ?? world.clock.now(),
      way: null,
    };
    return { newRow, writes: plan?.writes ?? [] };
  };

  /** Returns false if the row has changed at the same time. */
  const syncOnce = async (id: AgentId): Promise<boolean> => {
    const [agent, row] = await Promise.all([records.find("agent", id), find(id)]);
    if (agent === undefined) return true;
    const heartbeat = heartbeatOf(agent);
    if (heartbeat === undefined) return row === undefined || commit(agent, row, undefined);
    const owner = await findOwner(agent, row);
    if (owner === undefined) return true;
    const terms = toHeartbeatDefinition(heartbeat, row, world.clock.now());
    if (row !== undefined && row.owner === owner && row.terms === writeDefinition(terms)) return true;
    // Slots that were due before the change are decided by the old definition.
    if (row?.next_at !== null && row !== undefined && row.next_at <= world.clock.now()) {
      await decideDueSlots(row);
      return false;
    }
    return commit(agent, row, await toRow(id, owner, terms, row));
  };

  const retryOnConflict = async (attempt: () => Promise<boolean>, agent: AgentId): Promise<void> => {
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) if (await attempt()) return;
    throw new Error(`cannot update the heartbeat of ${agent}: its row kept changing`);
  };

  const sync = async (agent: AgentRecord): Promise<void> => {
    const agents = await loadAgentsWithRow();
    if (heartbeatOf(agent) === undefined && !agents.has(agent.id)) return;
    await retryOnConflict(() => syncOnce(agent.id), agent.id);
    // The argument may be outdated, so the current record is read.
    if ((await find(agent.id)) === undefined) agents.delete(agent.id);
    else {
      agents.add(agent.id);
      await rejectedKeys.resumeAfterChange(agent);
    }
  };

  return {
    sync,
    async syncHouse(house) {
      for (const agent of await records.list("agent")) if (agent.house === house) await sync(agent);
    },
    async edit({ id }, { paused, ...otherFields }) {
      if (paused === undefined || Object.values(otherFields).some((value) => value !== undefined))
        throw notInJobsFileError();
      const wasHalted = (await find(id))?.status === "halted";
      await retryOnConflict(async () => {
        const [agent, row] = await Promise.all([records.find("agent", id), find(id)]);
        if (agent === undefined || row === undefined)
          throw new HearthError("job.not-found", "The agent has no heartbeat.", { hint: HINT });
        const terms = { ...readDefinition(row), paused };
        return (
          terms.paused === readDefinition(row).paused || commit(agent, row, await toRow(id, row.owner, terms, row))
        );
      }, id);
      if (!paused && wasHalted) await resume(id, HEARTBEAT);
    },
    async retryAll() {
      for (const agent of await loadAgentsWithRow())
        if ((await rejectedKeys.haltedAt(agent)) !== undefined) await resume(agent, HEARTBEAT);
    },
    async forget(agent) {
      (await loadAgentsWithRow()).delete(agent);
      await store.commit({
        writes: [{ kind: "delete", table: "readers", where: { reader: `${HEARTBEAT} ${agent}` } }],
      });
    },
  };
};

/** Finds and resumes heartbeats that halted because a provider rejected its key. */
const createRejectedKeys = ({ store, resume }: HeartbeatsOptions) => {
  /** Returns the time of the halt, or undefined if the heartbeat did not halt for this reason. */
  const haltedAt = async (agent: AgentId): Promise<number | undefined> => {
    const [row] = await store.select({ table: "jobs", where: { agent, name: HEARTBEAT, status: "halted" } });
    if (row === undefined) return undefined;
    const [slot] = await store.select({
      table: "job_slots",
      where: { agent, job: HEARTBEAT, fate: "failed" },
      limit: 1,
      order: [{ column: "slot", descending: true }],
    });
    if (slot === undefined || slot.activation === null || slot.ended_at === null) return undefined;
    const [turn] = await store.select({ table: "activations", where: { id: slot.activation } });
    return hasErrorCode(turn?.error ?? null, "provider.auth") ? slot.ended_at : undefined;
  };

  return {
    haltedAt,
    /**
     * Resumes the heartbeat if, since the halt, a secret or the agent has changed, or the
     * agent's model has answered in another turn.
     */
    async resumeAfterChange(agent: AgentRecord): Promise<void> {
      const at = await haltedAt(agent.id);
      if (at === undefined) return;
      const [secrets, turns] = await Promise.all([
        store.select({
          table: "secrets",
          where: { house: agent.house },
          limit: 1,
          and: [{ column: "set_at", is: ">", value: at }],
        }),
        store.select({
          table: "activations",
          where: { agent: agent.id, state: "replied" },
          limit: 1,
          and: [{ column: "ended_at", is: ">", value: at }],
        }),
      ]);
      if (agent.updatedAt > at || secrets.length > 0 || turns.length > 0) await resume(agent.id, HEARTBEAT);
    },
  };
};

const heartbeatOf = ({ content }: AgentRecord) =>
  content.kind === "bot" && content.runs !== "elsewhere" ? content.heartbeat : undefined;

const HINT = "Set one: hearth agent edit AGENT --heartbeat 30m";

/** Returns the error for requests that treat a heartbeat as a job of the file. */
export const notInJobsFileError = (): HearthError =>
  new HearthError("job.invalid", "A heartbeat is set in the agent's record, not in cron/jobs.toml.", {
    hint: 'Change it: hearth agent edit AGENT --heartbeat 1h; remove it: --heartbeat ""; pause it: hearth job pause AGENT heartbeat',
  });
