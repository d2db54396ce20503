/**
 * The reader of every room that decides who wakes. Its offset is stored with what it decided, and an activation's id
 * derives from event and agent, so reading a stretch again changes nothing.
 */
import type {
  AgentRecord,
  MessageEvent,
  RoomId,
  RoomRecord,
  Stored,
  StreamName,
  Trigger,
  World,
} from "@hearth/protocol";
import type { Records } from "../identity/records.ts";
import type { Log } from "../observe/log.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import type { DurableStreams } from "../streams/streams.ts";
import { newActivation } from "../activations/activation.ts";

export interface DispatchOptions {
  readonly world: World;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  /** Activations that have just become durable. */
  readonly wake: (activations: readonly Row<"activations">[]) => void;
}

export interface Dispatch {
  /** Reads what every room has gained since its stored offset, then follows until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const READER = "dispatch";
const BATCH = 100;
/** Until the disk is asked again. */
const RETRY_MS = 1000;

export const createDispatch = (options: DispatchOptions): Dispatch => {
  const { world, log, store, streams, records, wake } = options;
  /** How far each room has been read. Ahead of the stored offset by events that woke nobody. */
  const offsets = new Map<StreamName, number>();

  const storedOffset = async (stream: StreamName): Promise<number> => {
    const [row] = await store.select({ table: "readers", where: { reader: READER, stream } });
    return row?.offset ?? 0;
  };

  const readRoom = async (room: RoomId): Promise<void> => {
    const stream: StreamName = `room:${room}`;
    let offset = offsets.get(stream) ?? (await storedOffset(stream));
    for (;;) {
      const events = await streams.read(stream, offset, BATCH);
      const last = events.at(-1);
      if (last === undefined) break;
      const woken = await whoWakes(
        room,
        events.filter((event) => event.type === "message"),
      );
      if (woken.length > 0) await keep(stream, last.offset, woken);
      offset = last.offset;
      offsets.set(stream, offset);
      // A page that is not full was the last; what comes now is told.
      if (events.length < BATCH) break;
    }
  };

  const keep = async (stream: StreamName, offset: number, rows: readonly Row<"activations">[]): Promise<void> => {
    const known = new Set(
      (
        await store.select({
          table: "activations",
          and: [{ column: "id", is: "in", value: rows.map((row) => row.id) }],
        })
      ).map((row) => row.id),
    );
    const fresh = rows.filter((row) => !known.has(row.id));
    const { kind } = await store.commit({
      writes: [
        ...fresh.map((row) => ({ kind: "insert", table: "activations", row }) as const),
        { kind: "put", table: "readers", row: { reader: READER, stream, offset } },
      ],
    });
    // Nothing was written, so nobody is woken: the stretch is read again.
    if (kind !== "committed") throw new Error(`the activations of ${stream} up to ${offset} met others`);
    wake(fresh);
  };

  const whoWakes = async (
    room: RoomId,
    messages: readonly Stored<MessageEvent>[],
  ): Promise<readonly Row<"activations">[]> => {
    if (messages.length === 0) return [];
    const record = await records.find("room", room);
    // A room that was removed wakes nobody.
    if (record === undefined) return [];
    const agents = await records.list("agent", record.house);
    const now = world.clock.now();
    return messages.flatMap((message) =>
      agents.flatMap((agent) => {
        const trigger = triggerOf(record, message, agent, agents);
        return trigger === undefined ? [] : [newActivation({ world, message, agent: agent.id, trigger, now })];
      }),
    );
  };

  return {
    async run(signal) {
      let last: Promise<void> = Promise.resolve();
      /** One room after the other, so that no stretch is read by two at once. */
      const read = (room: RoomId): Promise<void> => {
        last = last.then(() => readOrRetry(room));
        return last;
      };
      const readOrRetry = async (room: RoomId): Promise<void> => {
        if (signal.aborted) return;
        try {
          await readRoom(room);
        } catch (error) {
          // The stored offset has not moved, so nothing is lost: the same stretch is read again, here or after the next start.
          log.write("error", "dispatch could not read a room and will try again", { room, error });
          void world.clock.sleep(RETRY_MS, signal).then(() => read(room));
        }
      };
      const grown = streams.watch(signal);
      for (const room of await records.list("room")) await read(room.id);
      for await (const names of grown) {
        for (const name of names) if (name.startsWith("room:")) await read(name.slice("room:".length) as RoomId);
      }
    },
  };
};

/** Why this message wakes this agent, if it does. What a bot writes wakes nobody. */
const triggerOf = (
  room: RoomRecord,
  message: Stored<MessageEvent>,
  agent: AgentRecord,
  agents: readonly AgentRecord[],
): Trigger | undefined => {
  if (agent.content.kind !== "bot" || agent.id === message.author) return undefined;
  const author = agents.find((other) => other.id === message.author);
  if (author?.content.kind === "bot") return undefined;
  const { kind, members } = room.content;
  if (members !== undefined && !members.includes(agent.id)) return undefined;
  if (kind === "direct") return "direct";
  return message.mentions.includes(agent.id) ? "mention" : undefined;
};
