/** Lists the work that a restored house would repeat, and discards it. The module is loaded on first use. */
import { writeJson, toErasedColumns, type Store, type Write, type DurableStreams } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { Approvals } from "../../policy/index.ts";
import type { AgentId, RestoreWork, RoomId, World } from "@hearth/protocol";
import { MAX_RESTORE_LIST } from "@hearth/protocol/api";
import type { Activations } from "../run/activations.ts";

export interface RestoreWorkOptions {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "heads">;
  readonly records: Pick<Records, "list">;
  readonly activations: Pick<Activations, "stop">;
  readonly approvals: Pick<Approvals, "denyAll">;
  readonly discardDueJobs: () => Promise<void>;
  /** The reader whose offset says which messages have been dispatched. */
  readonly reader: string;
}

export const listWork = async (options: RestoreWorkOptions): Promise<RestoreWork> => {
  const { world, store } = options;
  const limit = MAX_RESTORE_LIST;
  const [{ activations, steps }, roomsWithUnread, deliveries, jobs, approvals] = await Promise.all([
    findUnfinished(store, limit),
    findUnreadRooms(options),
    store.select({
      table: "outbox",
      and: [{ column: "state", is: "in", value: UNSENT_STATES }],
      limit,
      order: [{ column: "created_at" }],
    }),
    store.select({
      table: "jobs",
      and: [{ column: "next_at", is: "<=", value: world.clock.now() }],
      limit,
      order: [{ column: "next_at" }],
    }),
    store.select({ table: "approvals", where: { state: "allowed" }, order: [{ column: "at" }], limit }),
  ]);
  return {
    activations: activations.map((row) => ({
      id: row.id,
      agent: row.agent,
      room: row.room,
      state: row.state,
      createdAt: row.created_at,
      inDoubt: (steps.get(row.id) ?? []).map(({ step, name, started_at }) => ({ step, name, startedAt: started_at })),
    })),
    messages: roomsWithUnread.map(({ room, head, offset }) => ({ room, unread: head - offset })).slice(0, limit),
    deliveries: deliveries.map(({ id, channel, conversation, state, created_at }) => ({
      id,
      channel,
      conversation,
      state,
      createdAt: created_at,
    })),
    jobs: jobs.map(({ agent, name, next_at }) => ({ agent, name, dueAt: next_at ?? 0 })),
    approvals: approvals.map(({ id, agent, name, state }) => ({
      id,
      agent,
      name,
      state,
    })),
  };
};

/** Returns the oldest unfinished activations, and their interrupted tool calls that may have had an effect. */
const findUnfinished = async (store: Store, limit: number) => {
  const activations = await store.select({
    table: "activations",
    where: { ended_at: null },
    order: [{ column: "created_at" }],
    limit,
  });
  const steps = new Map<string, { readonly step: number; readonly name: string; readonly started_at: number }[]>();
  for (const { id } of activations) {
    const startedSteps = await store.select({
      table: "steps",
      where: { activation: id, kind: "tool", state: "started" },
    });
    steps.set(
      id,
      startedSteps
        .filter(({ effect }) => effect !== "pure")
        .map(({ step, name, started_at }) => ({ step, name, started_at })),
    );
  }
  return { activations, steps };
};

interface Unread {
  readonly room: RoomId;
  readonly offset: number;
  readonly head: number;
}

/** Returns the rooms with messages that the reader has not read. */
const findUnreadRooms = async ({ store, streams, records, reader }: RestoreWorkOptions): Promise<readonly Unread[]> => {
  const rooms = await records.list("room");
  const heads = await streams.heads(rooms.map(({ id }) => `room:${id}` as const));
  const offsets = new Map(
    (await store.select({ table: "readers", where: { reader } })).map(({ stream, offset }) => [stream, offset]),
  );
  return rooms
    .map(({ id }) => ({
      room: id,
      offset: offsets.get(`room:${id}`) ?? 0,
      head: heads.get(`room:${id}`)?.offset ?? 0,
    }))
    .filter(({ offset, head }) => offset < head);
};

/**
 * Discards the work: marks messages as read, stops activations, denies approvals, and refuses
 * deliveries and due jobs. Nothing else runs during this, because the house is on hold.
 */
export const discardWork = async (options: RestoreWorkOptions, by: AgentId): Promise<void> => {
  const { world, store, activations, approvals, reader } = options;
  for (const { room, head } of await findUnreadRooms(options))
    await store.commit({
      writes: [{ kind: "put", table: "readers", row: { reader, stream: `room:${room}`, offset: head } }],
    });
  const openActivations = await store.select({ table: "activations", where: { ended_at: null } });
  await Promise.all(openActivations.map(({ id }) => activations.stop(id)));
  await approvals.denyAll("house", by);
  const unsentDeliveries = await store.select({
    table: "outbox",
    and: [{ column: "state", is: "in", value: UNSENT_STATES }],
  });
  const refusedColumns = { state: "refused", ended_at: world.clock.now(), error: writeJson(DISCARDED_ERROR) } as const;
  const writes = unsentDeliveries.map((row): Write => ({
    kind: "update",
    table: "outbox",
    where: { id: row.id },
    set: { ...refusedColumns, ...toErasedColumns(row) },
  }));
  if (writes.length > 0) await store.commit({ writes });
  await options.discardDueJobs();
};

const UNSENT_STATES = ["queued", "sending"];
const DISCARDED_ERROR = {
  code: "channel.refused",
  message: "The owner discarded the queued work of the restored home.",
} as const;
