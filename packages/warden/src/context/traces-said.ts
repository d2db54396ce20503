/** What an agent said of something that was forgotten: its own messages in rooms, and what it left for others. And the message that is the source. */
import {
  type AgentId,
  type EventId,
  InboxStatus,
  type MessageEvent,
  type RoomId,
  type StoredMessage,
  type StreamName,
  type World,
} from "@hearth/protocol";
import type { Meant } from "../memory/meant.ts";
import type { Records } from "../identity/records.ts";
import { readLabel } from "../store/labels.ts";
import type { Store, Write } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import type { DurableStreams, NewEvent } from "../streams/streams.ts";

/** Messages of a room that are to be taken back. */
export interface SaidIn {
  readonly room: RoomId;
  readonly rows: readonly Row<"events">[];
}

export interface SaidTraces {
  /** What was said of it, and in which turns: those had it in hand. */
  find(meant: Meant): Promise<{ readonly said: readonly SaidIn[]; readonly turns: ReadonlySet<string> }>;
  /** `turns`: those of which calls were erased. Blobs that are named no more are for whoever asks to drop. */
  erase(
    meant: Meant,
    said: readonly SaidIn[],
    turns: ReadonlySet<string>,
  ): Promise<{ readonly count: number; readonly blobs: readonly string[] }>;
}

/** Events of a room that are looked through at once. */
const PAGE = 1000;
const FORGOTTEN = "[forgotten]";
/** Of what has been sent, or never will be. */
const OVER = ["sent", "unknown", "refused"] as const;

export const createSaidTraces = (options: {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit" | "find">;
  readonly records: Pick<Records, "list">;
}): SaidTraces => {
  const { world, store, streams, records } = options;

  /** Its place stays, and says that it was taken back. */
  const takeBack = async (message: Row<"events">, room: RoomId, by: AgentId): Promise<void> => {
    const stream = `room:${room}` as const;
    const at = world.clock.now();
    const id = message.id as EventId;
    const tombstone: NewEvent = {
      ...{ stream, id: world.ids.derive("evt", id, "deleted") },
      event: { type: "message-deleted", room, by, at, message: id },
    };
    const edits = (await store.select({ table: "events", where: { stream, type: "message-edited" } })).filter(
      ({ offset }) => offset > message.offset,
    );
    const writes: Write[] = [];
    for (const row of [message, ...edits]) {
      const event = await streams.find(stream, row.id as EventId);
      if (event?.type === "message") writes.push(redact(stream, id, withoutText(event)));
      if (event?.type === "message-edited" && event.message === id)
        writes.push(redact(stream, event.id, { ...eventOf(event), body: { format: "markdown", text: "" } }));
    }
    await streams.commit({ writes: [...writes, ...(await outgoing(id))], events: [tombstone] });
  };

  /** What went out to channels is there; what has not goes nowhere. */
  const outgoing = async (event: EventId): Promise<readonly Write[]> => {
    const gone = { body: "", choices: null };
    const error = JSON.stringify({ code: "channel.refused", message: "It was forgotten." });
    return [
      ...OVER.map((state) => ({ kind: "update", table: "outbox", where: { event, state }, set: gone }) as const),
      {
        ...({ kind: "update", table: "outbox", where: { event, state: "queued" } } as const),
        set: { ...gone, state: "refused", error, ended_at: world.clock.now() },
      },
    ];
  };

  const isMeant = ({ turns: of, isSource, isSaidIn, message }: Meant, event: StoredMessage): boolean =>
    event.id === message?.id ||
    (event.activation !== undefined && of.has(event.activation)) ||
    (event.label?.sources ?? []).some(isSource) ||
    isSaidIn(event.body.text);

  const inRoom = async (room: RoomId, meant: Meant, turns: Set<string>): Promise<readonly Row<"events">[]> => {
    const { agent, message } = meant;
    const found: Row<"events">[] = [];
    for (let after = 0; ;) {
      const rows = await store.select({
        ...({ table: "events", where: { stream: `room:${room}` } } as const),
        ...{ and: [{ column: "offset", is: ">", value: after }], order: [{ column: "offset" }], limit: PAGE },
      });
      for (const row of rows) {
        if (row.type !== "message") continue;
        const event = await streams.find(`room:${room}`, row.id as EventId);
        if (event?.type !== "message" || event.body.text === "") continue;
        if ((event.author !== agent.id && event.id !== message?.id) || !isMeant(meant, event)) continue;
        found.push(row);
        if (event.activation !== undefined) turns.add(event.activation);
      }
      after = rows.at(-1)?.offset ?? after;
      if (rows.length < PAGE) return found;
    }
  };

  /** What it left for others, and what their logs tell of that. */
  const notes = async (meant: Meant, turns: ReadonlySet<string>): Promise<void> => {
    const rows = await store.select({ table: "inbox", where: { sender: meant.agent.id } });
    for (const row of rows) {
      const sources = readLabel(row.labels)?.sources ?? [];
      if (row.text === FORGOTTEN) continue;
      if (!turns.has(row.activation) && !sources.some(meant.isSource) && !meant.isSaidIn(row.text)) continue;
      const stream = `agent:${row.recipient as AgentId}` as const;
      const writes: Write[] = [
        { kind: "update", table: "inbox", where: { id: row.id }, set: { text: FORGOTTEN, labels: null } },
      ];
      for (const status of InboxStatus.options) {
        const event = await streams.find(stream, world.ids.derive("evt", row.id, status));
        if (event?.type !== "inbox-changed") continue;
        const { message } = event;
        writes.push(redact(stream, event.id, { ...eventOf(event), message: { ...message, text: FORGOTTEN } }));
      }
      await streams.commit({ writes });
    }
  };

  /** Where it went on the network. */
  const requests = async ({ agent, isSource }: Meant): Promise<void> => {
    const rows = await store.select({ table: "egress", where: { agent: agent.id } });
    const writes = rows.flatMap(({ id, host, path }): readonly Write[] =>
      path !== null && [`https://${host}${path}`, `http://${host}${path}`].some(isSource)
        ? [{ kind: "update", table: "egress", where: { id }, set: { path: null } }]
        : [],
    );
    if (writes.length > 0) await streams.commit({ writes });
  };

  return {
    async find(meant) {
      const turns = new Set<string>();
      const said: SaidIn[] = [];
      for (const { id: room } of await records.list("room", meant.agent.house)) {
        const rows = await inRoom(room, meant, turns);
        if (rows.length > 0) said.push({ room, rows });
      }
      return { said, turns };
    },

    async erase(meant, said, turns) {
      for (const { room, rows } of said) for (const row of rows) await takeBack(row, room, meant.by);
      await notes(meant, turns);
      await requests(meant);
      const gone = said.flatMap(({ rows }) => rows);
      return { count: gone.length, blobs: gone.flatMap(({ blob }) => blob ?? []) };
    },
  };
};

const withoutText = (event: StoredMessage): MessageEvent => {
  const { id: _id, offset: _offset, label: _label, ...rest } = event;
  return { ...rest, body: { format: "markdown", text: "" } };
};

const eventOf = <Event extends { readonly id: EventId; readonly offset: number }>(
  event: Event,
): Omit<Event, "id" | "offset"> => {
  const { id: _id, offset: _offset, ...rest } = event;
  return rest;
};

const redact = (stream: StreamName, id: EventId, event: object): Write => ({
  ...{ kind: "update", table: "events", where: { stream: stream as `room:${string}`, id } },
  set: { body: JSON.stringify(event), blob: null, labels: null },
});
