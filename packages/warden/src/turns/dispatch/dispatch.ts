/**
 * Reads every room and decides which agents its messages wake. The offset is stored in the same
 * commit as the decision and guarded by its old value, so each stretch counts once, however often
 * and by however many readers it is read.
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
  isStopCommand,
  type Stored,
  type StreamName,
  type World,
  idOfStream,
} from "@hearth/protocol";
import type { Plan, WhoWakes } from "./who-wakes.ts";

export interface DispatchOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  readonly whoWakes: WhoWakes;
  /**
   * Called with activations that are about to become durable, so that their resources can be
   * prepared.
   */
  readonly expect?: (activations: readonly Row<"activations">[]) => void;
  /** Called with activations that have just become durable. */
  readonly wake: (activations: readonly Row<"activations">[]) => void;
  /** Ends the activations of messages before this offset. Resolves when none of them runs. */
  readonly stopBefore: (room: RoomId, offset: number) => Promise<void>;
}

export interface Dispatch {
  /** Reads every room from its stored offset, then follows until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** How far a room has been read, and which offset is stored. */
interface Place {
  readonly read: number;
  readonly stored: number;
}

export const READER = "dispatch";
const BATCH = 100;
/** Pause before a failed read or write is retried. */
const RETRY_MS = 1000;
/** How often a plan is recomputed because its inputs changed meanwhile. */
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
        // The disk may have refused the offset when the room was read.
        await storeRead(place);
        break;
      }
      for (const stretch of upToStops(events.filter(mayWake))) {
        // Everything before the stop message must be stored before the stop, and nothing after it
        // may be.
        const until = stretch.stop?.offset ?? last.offset;
        const offset = stretch.stop === undefined ? until : until - 1;
        if (await take(room, place, offset, stretch.messages)) move({ read: offset, stored: offset });
        if (stretch.stop !== undefined && (await isPerson(stretch.stop.author))) await stopBefore(room, until);
      }
      move({ ...place, read: last.offset });
      // Store the offset before the next decision: after a crash the settings may differ, and the
      // same messages would wake other agents.
      await storeRead(place);
      // A page that is not full is the last one. New messages arrive by notification.
      if (events.length < BATCH) break;
    }
  };

  /**
   * Wakes the agents for these messages, up to this offset. Returns whether the decision is stored.
   */
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
    throw new Error(`the activations of ${stream} up to ${offset} conflicted too many times in a row`);
  };

  /** Returns false when an input of the plan has changed. */
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
      // A replay of the room leads to the same rows, so they need no sync of their own: whatever
      // they start is synced before it crosses a boundary, and these rows with it. An end is
      // reported at once, so it must be durable.
      ...(fresh.every(({ state }) => state === "queued") ? { remade: true } : {}),
    });
    if (result.kind === "refused" && result.guard !== "position") return false;
    if (result.kind !== "committed") {
      // Another reader has read it. Nothing was written, so no agent is woken, and reading resumes
      // at the stored offset.
      const stored = await storedOffset(stream);
      places.set(stream, { read: Math.max(stored, place.read), stored });
      throw new Error(`the activations of ${stream} up to ${offset} conflicted`);
    }
    wake(fresh.filter((row) => row.state === "queued"));
    return true;
  };

  /**
   * Stores the offset of a stretch that woke no agent, without a separate sync, so that ordinary
   * messages cost no disk writes. It survives a crash of the process, and every later commit makes
   * it durable, including each change of a setting.
   */
  const leave = async (stream: StreamName, { read, stored }: Place): Promise<boolean> => {
    const { kind } = await store.commit({
      guards: [isAt(stream, stored)],
      writes: [{ kind: "put", table: "readers", row: { reader: READER, stream, offset: read } }],
      remade: true,
      // The next message of the room ends the wait, because its own commit takes this one along.
      patient: true,
    });
    return kind === "committed";
  };

  const leaveAll = async (): Promise<void> => {
    const behind = [...places].filter(([, { read, stored }]) => read > stored);
    const left = await Promise.allSettled(behind.map(([stream, place]) => leave(stream, place)));
    // The only consequence is that the stretch is read once more.
    if (left.some(({ status }) => status === "rejected"))
      log.write(
        "warn",
        "could not store room offsets when the daemon closed; these rooms are read again at the next start",
        { rooms: behind.length },
      );
  };

  const isPerson = async (id: AgentId): Promise<boolean> => (await records.find("agent", id))?.content.kind === "human";

  return {
    async run(signal) {
      /**
       * One worker reads a room at a time, so that no stretch counts twice. Rooms do not wait for
       * each other, and their wakes share a sync.
       */
      const workers = createWorkers({ sleep: world.clock.sleep, signal });
      const read = (room: RoomId): void => workers.start(room, (worker) => readOrRetry(room, worker));
      const readOrRetry = async (room: RoomId, { pause }: Worker): Promise<void> => {
        while (!signal.aborted) {
          try {
            return await readRoom(room);
          } catch (error) {
            // The stored offset has not moved, so nothing is lost: the same stretch is read again,
            // here or after the next start.
            log.write("error", "dispatch could not read a room and will try again", { room, error });
            await pause(RETRY_MS);
          }
        }
      };
      const grown = streams.watch(["room"], signal);
      for (const room of await records.list("room")) read(room.id);
      for await (const names of grown) {
        for (const name of names) read(idOfStream(name));
      }
      await workers.idle();
      await leaveAll();
    },
  };
};

/** Guards that the room was read exactly up to this offset. */
const isAt = (stream: StreamName, offset: number): Guard =>
  offset === 0
    ? { name: "position", kind: "absent", table: "readers", where: { reader: READER, stream } }
    : { name: "position", kind: "exists", table: "readers", where: { reader: READER, stream, offset } };

/** Agents never act on a reply that was stopped. */
const mayWake = (event: Stored): event is Stored<MessageEvent> =>
  event.type === "message" && event.stopped !== true && event.damaged !== true;

/** Messages up to and including one that says stop. */
interface Stretch {
  readonly messages: readonly Stored<MessageEvent>[];
  readonly stop?: Stored<MessageEvent>;
}

const upToStops = (messages: readonly Stored<MessageEvent>[]): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let current: Stored<MessageEvent>[] = [];
  for (const message of messages) {
    if (message.job !== undefined || !isStopCommand(message.body.text)) {
      current.push(message);
      continue;
    }
    stretches.push({ messages: current, stop: message });
    current = [];
  }
  return current.length === 0 ? stretches : [...stretches, { messages: current }];
};
