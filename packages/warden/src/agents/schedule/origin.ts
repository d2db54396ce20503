/**
 * Finds the origin of a job: the change that made it, its owner, and the conversation in which it
 * was requested.
 */
import type { Permissions, Records } from "../../people/index.ts";
import { readReplyRoute, type ReplyRoute, type Store, type Row, writeReplyRoute } from "../../kernel/index.ts";
import type { ActivationId, AgentId, AgentRecord, BrainChange } from "@hearth/protocol";
import type { Brain } from "../brains/brain.ts";
import { JOBS_PATH } from "./jobs-file.ts";
import { type JobRow, writeDefinition, type JobDefinition, readDefinition } from "./rows.ts";

export interface OriginOptions {
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "find">;
  readonly permissions: Pick<Permissions, "list">;
}

interface Origin {
  /**
   * The person who changed the job, or whom the turn served, or otherwise a bot. It is absent if
   * the file was edited on disk.
   */
  readonly owner?: AgentId;
  /** The reply route. It is absent if the job was requested in the house. */
  readonly route?: ReplyRoute;
}

export interface Origins {
  /**
   * Returns the owner and the reply route of a job with this definition and this previous row. A
   * new job belongs to the author of its change, and replies where it was requested. If the
   * prompt changes, the author of that change becomes the owner.
   */
  find(
    agent: AgentRecord,
    brain: Brain,
    terms: JobDefinition,
    row: JobRow | undefined,
  ): Promise<Pick<JobRow, "owner" | "way">>;
}

/** Maximum number of changes that are searched for the one that made a job. */
const MAX_SEARCHED_CHANGES = 20;

export const createOrigins = ({ store, records, permissions }: OriginOptions): Origins => {
  /** Returns the turn that proposed an approved change. */
  const turnOf = async ({ activation, note }: BrainChange): Promise<Turn | undefined> => {
    const [, id] = /^approves (prop_[0-9a-z]+)$/.exec(note ?? "") ?? [];
    const [proposal] = id === undefined ? [] : await store.select({ table: "brain_proposals", where: { id } });
    const turn = activation ?? proposal?.activation ?? undefined;
    const [row] = turn === undefined ? [] : await store.select({ table: "activations", where: { id: turn } });
    return row;
  };

  const originOf = async (change: BrainChange): Promise<Origin> => {
    const turn = await turnOf(change);
    for (const owner of [turn?.person, change.by]) {
      if (owner === undefined || (await records.find("agent", owner))?.content.kind !== "human") continue;
      const route = turn?.person === owner ? await replyRouteOf(store, turn, owner, change.at) : undefined;
      return { owner, ...(route === undefined ? {} : { route }) };
    }
    // The turn served no person, so the job has no rights of a person.
    return change.by === undefined ? {} : { owner: change.by };
  };

  /**
   * Returns the origin of the change that added the job to the file, or undefined if this change
   * is not among the latest.
   */
  const originOfCreation = async (brain: Brain, name: string): Promise<Origin | undefined> => {
    const change = await findChange(brain, "+", name);
    return change === undefined ? undefined : originOf(change);
  };

  /** Returns the origin of the last change of the file. */
  const originOfLastChange = async (brain: Brain): Promise<Origin> => {
    const [change] = await brain.log({ path: JOBS_PATH, limit: 1 });
    return change === undefined ? {} : originOf(change);
  };

  /** Returns the owner. Edits on disk belong to the house's administrator. */
  const ownerOf = async (agent: AgentRecord, { owner }: Pick<Origin, "owner">): Promise<AgentId> => {
    if (owner !== undefined) return owner;
    for (const grant of await permissions.list({ on: agent.house }))
      if (grant.level === "x" && (await records.find("agent", grant.agent))?.content.kind === "human")
        return grant.agent;
    throw new Error(`${agent.house} has no administrator`);
  };

  return {
    async find(agent, brain, terms, row) {
      if (row === undefined) {
        const origin = (await originOfCreation(brain, terms.name)) ?? {
          ...(await originOfLastChange(brain)),
          route: undefined,
        };
        return { owner: await ownerOf(agent, origin), way: writeReplyRoute(origin.route) };
      }
      if (isSameJob(readDefinition(row), terms)) return row;
      return { owner: await ownerOf(agent, await originOfLastChange(brain)), way: row.way };
    },
  };
};

/** Whether both definitions ask for the same. A pause does not change the owner. */
const isSameJob = (a: JobDefinition, b: JobDefinition): boolean =>
  writeDefinition({ ...a, paused: false }) === writeDefinition({ ...b, paused: false });

type Turn = Row<"activations">;

/**
 * Returns the newest change that added the job's table to the file, or removed it. With a turn,
 * considers only changes of that turn.
 */
export const findChange = async (
  brain: Pick<Brain, "log" | "diff">,
  sign: "+" | "-",
  name: string,
  activation?: ActivationId,
): Promise<BrainChange | undefined> => {
  const header = headerOf(sign, name);
  const turn = activation === undefined ? {} : { activation };
  for (const change of await brain.log({ path: JOBS_PATH, limit: MAX_SEARCHED_CHANGES, ...turn })) {
    const [diff] = (await brain.diff(change.id)).filter(({ path }) => path === JOBS_PATH);
    if (header.test(diff?.diff ?? "")) return change;
  }
  return undefined;
};

/**
 * Returns the pattern of the diff line that adds or removes a job's table. Job names need no
 * escaping.
 */
export const headerOf = (sign: "+" | "-", name: string): RegExp =>
  new RegExp(`^\\${sign}\\s*\\[\\s*jobs\\s*\\.\\s*"?${name}"?\\s*\\]`, "m");

/** Returns the reply route of the last message that the turn had read at that time. */
const replyRouteOf = async (
  store: Pick<Store, "select">,
  turn: Turn,
  person: AgentId,
  at: number,
): Promise<ReplyRoute | undefined> => {
  const mergedTurns = await store.select({ table: "activations", where: { merged_into: turn.id } });
  const turns = [turn, ...mergedTurns.filter(({ ended_at }) => ended_at !== null && ended_at <= at)];
  const lastTurn = turns.reduce((a, b) => (b.cause_offset > a.cause_offset ? b : a));
  const [inbound] = await store.select({ table: "inbound", where: { event: lastTurn.cause }, limit: 1 });
  if (inbound !== undefined) {
    const { channel, conversation, sender } = inbound;
    return { channel, conversation, sender, person };
  }
  // A job's turn uses the job's reply route.
  const [slot] = await store.select({
    table: "job_slots",
    where: { agent: turn.agent, activation: lastTurn.id },
    limit: 1,
  });
  return slot === undefined ? undefined : readReplyRoute(slot.way);
};
