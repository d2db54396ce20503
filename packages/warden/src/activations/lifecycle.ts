/**
 * How an activation begins and ends, durably: each is one commit, with its event in the agent's log, and the end with the reply
 * in the room. Whoever watches is told after. Runs nothing.
 */
import type {
  ActivationId,
  ActivationInput,
  ActivationState,
  AgentId,
  AgentRecord,
  DeltaEvent,
  ErrorBody,
  EventId,
  LiveEvent,
  RoomId,
  RoomRecord,
  Usage,
  World,
} from "@hearth/protocol";
import type { Context, Frozen } from "../context/context.ts";
import type { Records } from "../identity/records.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { Blobs } from "../store/blobs.ts";
import { packBody, unpackBody } from "../store/bodies.ts";
import type { Row } from "../store/tables.ts";
import type { DurableStreams, MemoryStreams, NewEvent } from "../streams/streams.ts";
import { toActivation } from "./activation.ts";
import type { Outcome } from "./run.ts";

type ActivationRow = Row<"activations">;

export interface LifecycleOptions {
  readonly world: World;
  readonly blobs: Blobs;
  readonly streams: DurableStreams;
  readonly memory: MemoryStreams;
  readonly records: Records;
  readonly rooms: Rooms;
  readonly context: Context;
}

export interface Beginning {
  readonly frozen: Frozen;
  readonly input: ActivationInput;
  /** Whether an earlier daemon began it: then there may be steps. */
  readonly resumed: boolean;
  /** Resolves when the beginning is on the disk. Nothing may cross a boundary before; getting ready may. */
  readonly durable: Promise<void>;
}

export interface Lifecycle {
  /** Tells the room's watchers that it waits. */
  queued(row: ActivationRow): void;
  /** What it starts from: frozen now, or as it was frozen before a crash. */
  begin(row: ActivationRow, agent: AgentRecord): Promise<Beginning>;
  /** The one way to end: state, reply and log in one commit. One that has ended stays as it is. */
  end(row: ActivationRow, outcome: Outcome, usage: Usage): Promise<void>;
  delta(row: ActivationRow, event: DeltaEvent): void;
}

export const createLifecycle = (options: LifecycleOptions): Lifecycle => {
  const { world, blobs, streams, memory, records, rooms, context } = options;

  const live = (
    row: ActivationRow,
    event: Pick<LiveEvent, "type"> & { state?: ActivationState; error?: ErrorBody },
  ): void => {
    const activation = row.id as ActivationId;
    memory.push(`live:${row.room as RoomId}`, {
      activation,
      agent: row.agent as AgentId,
      cause: row.cause as EventId,
      at: world.clock.now(),
      ...event,
    } as LiveEvent);
  };

  const delta = (row: ActivationRow, event: DeltaEvent): void => memory.push(`deltas:${row.id as ActivationId}`, event);

  const end: Lifecycle["end"] = async (row, outcome, usage) => {
    const room = await records.find("room", row.room);
    const { state, reason, error } = describeEnd(outcome, room);
    const at = world.clock.now();
    const activation = row.id as ActivationId;
    const events: NewEvent[] = [];
    if (room !== undefined && outcome.kind === "reply" && state === "replied") {
      const message = await rooms.compose(room, { text: outcome.text }, row.agent as AgentId);
      events.push({
        stream: `room:${room.id}`,
        id: world.ids.derive("evt", row.id, "0"),
        event: { ...message, causes: [row.cause as EventId], activation },
      });
    }
    events.push({
      stream: `agent:${row.agent as AgentId}`,
      id: world.ids.derive("evt", row.id, "ended"),
      event: {
        type: "activation-ended",
        at,
        activation,
        agent: row.agent as AgentId,
        room: row.room as RoomId,
        state,
        usage,
        ...(reason === undefined ? {} : { reason }),
        ...(error === undefined ? {} : { error }),
      },
    });
    await streams.commit({
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, ended_at: null } }],
      writes: [
        {
          kind: "update",
          table: "activations",
          where: { id: row.id },
          set: {
            state,
            reason: reason ?? null,
            error: error === undefined ? null : JSON.stringify(error),
            usage: JSON.stringify(usage),
            ended_at: at,
          },
        },
      ],
      events,
    });
    delta(row, { type: "end", at, state, ...(error === undefined ? {} : { error }) });
    memory.close(`deltas:${activation}`);
    live(row, { type: "activation-over", state, ...(error === undefined ? {} : { error }) });
  };

  const begin: Lifecycle["begin"] = async (row, agent) => {
    if (row.started_at !== null) {
      const start = await context.thaw(row, await unpackBody(blobs, { inline: row.frozen, blob: row.frozen_blob }));
      live(row, { type: "activation-running" });
      return { ...start, resumed: true, durable: Promise.resolve() };
    }
    const start = await context.freeze(row, agent);
    const { inline, blob } = await packBody(blobs, JSON.stringify(start.frozen));
    const at = world.clock.now();
    const durable = streams.commit({
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, state: "queued" } }],
      writes: [
        {
          kind: "update",
          table: "activations",
          where: { id: row.id },
          set: { state: "running", started_at: at, model: start.frozen.model, frozen: inline, frozen_blob: blob },
        },
      ],
      events: [
        {
          stream: `agent:${row.agent as AgentId}`,
          id: world.ids.derive("evt", row.id, "started"),
          event: {
            type: "activation-started",
            at,
            activation: row.id as ActivationId,
            agent: row.agent as AgentId,
            room: row.room as RoomId,
            trigger: toActivation(row).trigger,
            cause: row.cause as EventId,
          },
        },
      ],
    });
    return {
      ...start,
      resumed: false,
      durable: durable.then(({ kind }) => {
        if (kind !== "committed") throw new Error(`activation ${row.id} was not queued when it began`);
        live(row, { type: "activation-running" });
      }),
    };
  };

  return { queued: (row) => live(row, { type: "activation-queued" }), begin, end, delta };
};

const describeEnd = (
  outcome: Outcome,
  room: RoomRecord | undefined,
): { readonly state: ActivationState; readonly reason?: string; readonly error?: ErrorBody } => {
  if (room === undefined) return { state: "skipped", reason: "The room was removed." };
  switch (outcome.kind) {
    case "reply":
      return outcome.text.trim() === ""
        ? { state: "skipped", reason: "The agent had nothing to say." }
        : { state: "replied" };
    case "stopped":
      return { state: "stopped", reason: "It was stopped." };
    case "failed":
      return { state: "failed", reason: outcome.error.message, error: outcome.error };
  }
};
