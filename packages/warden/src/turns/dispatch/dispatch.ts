/**
 * The reader of every room that has its messages looked at for whom they wake. Its offset is stored with what was decided, and moves on
 * only from where it was read: so a stretch counts once, however often and by how many it is read.
 */
import type { Records } from "../../people/index.ts";
import {
  createWorkers,
  type Log,
  type Worker,
  type Guard,
  type Store,
  type Row,
  type DurableStreams,
} from "../../kernel/index.ts";
import {
  type AgentId,
  type MessageEvent,
  type RoomId,
  saysStop,
  type Stored,
  type StreamName,
  type World,
} from "@hearth/protocol";
import type { Plan, WhoWakes } from "./who-wakes.ts";

export interface DispatchOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  readonly whoWakes: WhoWakes;
  /** Activations that are about to become durable: what they need can be made ready meanwhile. */
  readonly expect?: (activations: readonly Row<"activations">[]) => void;
  /** Activations that have just become durable. */
  readonly wake: (activations: readonly Row<"activations">[]) => void;
  /** Ends what messages of the room before this offset woke. Resolves when nothing of it runs. */
  readonly stopBefore: (room: RoomId, offset: number) => Promise<void>;
}

export interface Dispatch {
  /** Reads what every room has gained since its stored offset, then follows until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** How far a room has been read, and how far that is stored. */
interface Place {
  readonly read: number;
  readonly stored: number;
}

export const READER = "dispatch";
const BATCH = 100;
/** Until the disk is asked again. */
const RETRY_MS = 1000;
/** How often a plan is made anew because something of it moved on meanwhile. */
const TRIES = 10;

export const createDispatch = (options: DispatchOptions): Dispatch => {
  const { world, log, store, streams, records, whoWakes, wake, stopBefore } = options;
  const places = new Map<StreamName, Place>();

  const storedOffset = async (stream: StreamName): Promise<number> => {
    const [row] = await store.select({ table: "readers", where: { reader: READER, stream } });
    return row?.offset ?? 0;
  };

  const placeOnDisk = async (stream: StreamName): Promise<Place> => {
    const stored = await storedOffset(stream);
    return { read: stored, stored };
  };

  const readRoom = async (room: RoomId): Promise<void> => {
    const stream: StreamName = `room:${room}`;
    let place = places.get(stream) ?? (await placeOnDisk(stream));
    const move = (next: Place): void => {
      place = next;
      places.set(stream, next);
    };
    const storeRead = async ({ read, stored }: Place): Promise<void> => {
      if (read > stored && (await leave(stream, { read, stored }))) move({ read, stored: read });
    };
    for (;;) {
      const events = await streams.read(stream, place.read, BATCH);
      const last = events.at(-1);
      if (last === undefined) {
        // The disk may not have taken it when it was read.
        await storeRead(place);
        break;
      }
      for (const stretch of upToStops(events.filter(mayWake))) {
        // What it stops has to be there, and what comes after it must not be.
        const until = stretch.stop?.offset ?? last.offset;
        const offset = stretch.stop === undefined ? until : until - 1;
        if (await take(room, place, offset, stretch.messages)) move({ read: offset, stored: offset });
        if (stretch.stop !== undefined && (await isPerson(stretch.stop.author))) await stopBefore(room, until);
      }
      move({ ...place, read: last.offset });
      // Before anything else is decided: after a crash the settings may be others, and the same messages would wake other agents.
      await storeRead(place);
      // A page that is not full was the last; what comes now is told.
      if (events.length < BATCH) break;
    }
  };

  /** Wakes whom these messages wake, up to this offset. Whether it is stored now. */
  const take = async (
    room: RoomId,
    place: Place,
    offset: number,
    messages: readonly Stored<MessageEvent>[],
  ): Promise<boolean> => {
    const stream: StreamName = `room:${room}`;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const plan = await whoWakes(room, messages);
      if (plan.rows.length === 0) return false;
      options.expect?.(plan.rows);
      if (await keep(stream, place, offset, plan)) return true;
    }
    throw new Error(`the activations of ${stream} up to ${offset} met others, time and again`);
  };

  /** False: something that the plan goes by is not as it was. */
  const keep = async (stream: StreamName, place: Place, offset: number, plan: Plan): Promise<boolean> => {
    const { rows } = plan;
    const known = new Set(
      (
        await store.select({
          table: "activations",
          and: [{ column: "id", is: "in", value: rows.map((row) => row.id) }],
        })
      ).map((row) => row.id),
    );
    const fresh = rows.filter((row) => !known.has(row.id));
    const result = await store.commit({
      guards: [isAt(stream, place.stored), ...plan.guards],
      writes: [
        ...fresh.map((row) => ({ kind: "insert", table: "activations", row }) as const),
        ...plan.writes,
        { kind: "put", table: "readers", row: { reader: READER, stream, offset } },
      ],
      // Read again from where it was, the room says the same; what they begin with is synced before it crosses a boundary, and this with it.
      // An end is told at once, and stays.
      ...(fresh.every(({ state }) => state === "queued") ? { remade: true } : {}),
    });
    if (result.kind === "refused" && result.guard > 0) return false;
    if (result.kind !== "committed") {
      // Somebody else has read it. Nothing was written, so nobody is woken, and it is read on from where they are.
      const stored = await storedOffset(stream);
      places.set(stream, { read: Math.max(stored, place.read), stored });
      throw new Error(`the activations of ${stream} up to ${offset} met others`);
    }
    wake(fresh.filter((row) => row.state === "queued"));
    return true;
  };

  /**
   * Stores how far it has read where nobody was woken. Without a sync of its own, so that chatter costs no disk: a crash of the process keeps
   * it, and so does every commit after it, among them each change of a setting.
   */
  const leave = async (stream: StreamName, { read, stored }: Place): Promise<boolean> => {
    const { kind } = await store.commit({
      guards: [isAt(stream, stored)],
      writes: [{ kind: "put", table: "readers", row: { reader: READER, stream, offset: read } }],
      remade: true,
    });
    return kind === "committed";
  };

  const leaveAll = async (): Promise<void> => {
    const behind = [...places].filter(([, { read, stored }]) => read > stored);
    const left = await Promise.allSettled(behind.map(([stream, place]) => leave(stream, place)));
    // It is only read once more.
    if (left.some(({ status }) => status === "rejected"))
      log.write("warn", "the disk took no more when the daemon closed", { rooms: behind.length });
  };

  const isPerson = async (id: AgentId): Promise<boolean> => (await records.find("agent", id))?.content.kind === "human";

  return {
    async run(signal) {
      /** A room is read by one at a time, so that no stretch counts twice. Rooms do not wait for each other: what they wake shares a sync. */
      const workers = createWorkers({ sleep: world.clock.sleep, signal });
      const read = (room: RoomId): void => workers.start(room, (worker) => readOrRetry(room, worker));
      const readOrRetry = async (room: RoomId, { pause }: Worker): Promise<void> => {
        while (!signal.aborted) {
          try {
            return await readRoom(room);
          } catch (error) {
            // The stored offset has not moved, so nothing is lost: the same stretch is read again, here or after the next start.
            log.write("error", "dispatch could not read a room and will try again", { room, error });
            await pause(RETRY_MS);
          }
        }
      };
      const grown = streams.watch(["room"], signal);
      for (const room of await records.list("room")) read(room.id);
      for await (const names of grown) {
        for (const name of names) read(name.slice("room:".length) as RoomId);
      }
      await workers.idle();
      await leaveAll();
    },
  };
};

/** That the room was read so far and no further, by anybody. */
const isAt = (stream: StreamName, offset: number): Guard =>
  offset === 0
    ? { kind: "absent", table: "readers", where: { reader: READER, stream } }
    : { kind: "exists", table: "readers", where: { reader: READER, stream, offset } };

/** A reply that was stopped is never acted on. */
const mayWake = (event: Stored): event is Stored<MessageEvent> =>
  event.type === "message" && event.stopped !== true && event.damaged !== true;

/** Messages up to one that says stop, and that one. */
interface Stretch {
  readonly messages: readonly Stored<MessageEvent>[];
  readonly stop?: Stored<MessageEvent>;
}

const upToStops = (messages: readonly Stored<MessageEvent>[]): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let current: Stored<MessageEvent>[] = [];
  for (const message of messages) {
    if (message.job !== undefined || !saysStop(message.body.text)) {
      current.push(message);
      continue;
    }
    stretches.push({ messages: current, stop: message });
    current = [];
  }
  return current.length === 0 ? stretches : [...stretches, { messages: current }];
};
