/**
 * Reports the states of agents, and the queue and configuration of one agent. It reads the store
 * only, so the report is the same after a restart.
 */
import { offeredTools } from "../../agents/index.ts";
import type { Records } from "../../people/index.ts";
import type { Holds } from "../../policy/index.ts";
import { toActivation, type Store, type Row, type DurableStreams } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentIntrospection,
  type AgentRecord,
  type AgentState,
  type AgentStatus,
  DEFAULT_MODEL,
  DEFAULT_QUEUE_MODE,
  DEFAULT_TRIGGER_MODE,
  type HouseId,
  type RoomId,
} from "@hearth/protocol";
import { type ConfigTable, tools, type ToolTable } from "@hearth/protocol/tools";

type ActivationRow = Row<"activations">;

export interface AgentStates {
  of(agent: AgentRecord): Promise<AgentState>;
  /** States of every bot of the house, in the order of their records. */
  ofHouse(house: HouseId): Promise<readonly AgentState[]>;
  introspect(agent: AgentRecord): Promise<AgentIntrospection>;
}

export interface AgentStatesOptions {
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "heads">;
  readonly records: Pick<Records, "find" | "get" | "list">;
  readonly holds: Pick<Holds, "isHeld">;
  /** The reader name of dispatch. */
  readonly reader: string;
  /** The ambient settings of an agent, with defaults filled in. */
  readonly ambientOf: (agent: AgentRecord) => AgentIntrospection["config"]["ambient"];
  readonly isIsolated: (agent: AgentRecord) => Promise<boolean>;
  /** Whether the configuration has this part. */
  readonly hasPart: (part: ConfigTable) => boolean;
  /** The default is the tools that ship with Hearth. */
  readonly table?: ToolTable;
}

const MAX_SHOWN_ACTIVATIONS = 20;

export const createAgentStates = (options: AgentStatesOptions): AgentStates => {
  const { store, streams, records, holds, reader, ambientOf, isIsolated } = options;

  /** Returns the unfinished activations of one agent, or of all agents. */
  const findUnfinished = (agent?: AgentId): Promise<readonly ActivationRow[]> =>
    store.select({
      table: "activations",
      ...(agent === undefined ? {} : { where: { agent } }),
      and: [{ column: "state", is: "in", value: ["queued", "running", "waiting"] }],
    });

  const findLatest = (agent: AgentId, limit: number): Promise<readonly ActivationRow[]> =>
    store.select({
      table: "activations",
      where: { agent },
      order: [
        { column: "created_at", descending: true },
        { column: "cause_offset", descending: true },
      ],
      limit,
    });

  const toState = async (agent: AgentRecord, unfinishedRows: readonly ActivationRow[]): Promise<AgentState> => {
    const times = [...unfinishedRows, ...(await findLatest(agent.id, 1))].flatMap((row) => [
      row.created_at,
      row.started_at ?? 0,
      row.ended_at ?? 0,
    ]);
    return {
      agent: agent.id,
      agentName: agent.content.name,
      status: holds.isHeld(agent.id) ? "held" : statusOf(unfinishedRows),
      ...(times.length === 0 ? {} : { lastActivity: Math.max(...times) }),
    };
  };

  const readOffsetsOf = async (rooms: readonly RoomId[]): Promise<ReadonlyMap<string, number>> => {
    const value = rooms.map((room) => `room:${room}`);
    const rows = await store.select({
      table: "readers",
      where: { reader },
      and: [{ column: "stream", is: "in", value }],
    });
    return new Map(rows.map(({ stream, offset }) => [stream, offset]));
  };

  const roomsOf = async (rows: readonly ActivationRow[]): Promise<AgentIntrospection["rooms"]> => {
    const rooms = [...new Set(rows.map(({ room }) => room))].sort();
    const [readOffsets, heads] = await Promise.all([
      readOffsetsOf(rooms),
      streams.heads(rooms.map((room) => `room:${room}` as const)),
    ]);
    return rooms.map((room) => {
      const roomRows = rows.filter((row) => row.room === room);
      const count = (state: string): number => roomRows.filter((row) => row.state === state).length;
      const waitingForSilence = roomRows.find(({ state, ready_at }) => state === "queued" && ready_at > 0);
      return {
        room,
        queued: count("queued"),
        running: count("running"),
        waiting: count("waiting"),
        ...(waitingForSilence === undefined ? {} : { ambient: toAmbient(waitingForSilence) }),
        read: readOffsets.get(`room:${room}`) ?? 0,
        head: heads.get(`room:${room}`)?.offset ?? 0,
      };
    });
  };

  return {
    of: async (agent) => toState(agent, await findUnfinished(agent.id)),

    async ofHouse(house) {
      const [agents, rows] = await Promise.all([records.list("agent", house), findUnfinished()]);
      const rowsByAgent = Map.groupBy(rows, (row) => row.agent);
      return Promise.all(agents.filter(isBot).map((agent) => toState(agent, rowsByAgent.get(agent.id) ?? [])));
    },

    async introspect(agent) {
      const [rows, latestRows, house, agents] = await Promise.all([
        findUnfinished(agent.id),
        findLatest(agent.id, MAX_SHOWN_ACTIVATIONS),
        records.get("house", agent.house),
        records.list("agent", agent.house),
      ]);
      const { content } = agent;
      const hasPeers = agents.some((other) => isBot(other) && other.id !== agent.id);
      return {
        state: await toState(agent, rows),
        config: {
          model: content.model ?? DEFAULT_MODEL,
          fallback: content.fallback ?? [],
          tools: [
            ...offeredTools(agent, {
              hasPeers,
              isIsolated: await isIsolated(agent),
              hasPart: options.hasPart,
              table: options.table ?? tools,
            }),
          ],
          cell: content.cell ?? "auto",
          queue: content.queue ?? DEFAULT_QUEUE_MODE,
          triggerMode: content.triggerMode ?? DEFAULT_TRIGGER_MODE,
          ambient: ambientOf(agent),
          timezone: content.timezone ?? house.content.timezone,
          promptLength: content.prompt?.length ?? 0,
        },
        rooms: await roomsOf(rows),
        last: latestRows.map(toActivation),
      };
    },
  };
};

const isBot = ({ content }: AgentRecord): boolean => content.kind === "bot";

/** The status is the first of running, waiting and queued that any activation has. */
const statusOf = (rows: readonly ActivationRow[]): AgentStatus => {
  // An ambient activation that waits for its gates does not count as work.
  const states = new Set(rows.filter(({ ready_at }) => ready_at === 0).map(({ state }) => state));
  return (["running", "waiting", "queued"] as const).find((state) => states.has(state)) ?? "idle";
};

const toAmbient = ({ id, cause, ready_at }: ActivationRow) => ({
  activation: id,
  cause,
  readyAt: ready_at,
});
