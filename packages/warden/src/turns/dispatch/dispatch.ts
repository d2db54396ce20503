/**
 * Reads every room and decides which agents its messages wake. One commit stores the decision and
 * the new offset, guarded by the old offset, so each message is decided once, even if several
 * readers read it.
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
  /** Called with activations before they are committed, so that their cells can start early. */
  readonly prepareFor?: (activations: readonly Row<"activations">[]) => void;
  /** Called with activations that have just become durable. */
  readonly wake: (activations: readonly Row<"activations">[]) => void;
  /** Ends the activations of messages before this offset. Resolves when none of them runs. */
  readonly stopBefore: (room: RoomId, offset: number) => Promise<void>;
}

export interface Dispatch {
  /** Reads every room from its stored offset, then follows until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Offset up to which a room has been read, and the offset that is stored. */
interface ReadProgress {
  readonly read: number;
  readonly stored: number;
}

export const READER = "dispatch";
const BATCH = 100;
/** Pause before a failed read or write is retried. */
const RETRY_MS = 1000;
/** A plan whose inputs changed before its commit is computed again, at most this often. */
const MAX_PLAN_ATTEMPTS = 10;

export const createDispatch = (options: DispatchOptions): Dispatch => {
  const { world, log, store, streams, records, whoWakes, wake, stopBefore } = options;
  const progressByStream = new Map<StreamName, ReadProgress>();

  const storedOffset = async (stream: StreamName): Promise<number> => {
    const [row] = await store.select({ table: "readers", where: { reader: READER, stream } });
    return row?.offset ?? 0;
  };

  const loadProgress = async (stream: StreamName): Promise<ReadProgress> => {
    const stored = await storedOffset(stream);
    return { read: stored, stored };
  };

  const readRoom = async (room: RoomId): Promise<void> => {
    const stream: StreamName = `room:${room}`;
    let progress = progressByStream.get(stream) ?? (await loadProgress(stream));
    const setProgress = (next: ReadProgress): void => {
      progress = next;
      progressByStream.set(stream, next);
    };
    const storeProgress = async ({ read, stored }: ReadProgress): Promise<void> => {
      if (read > stored && (await commitOffset(stream, { read, stored }))) setProgress({ read, stored: read });
    };
    for (;;) {
      const events = await streams.read(stream, progress.read, BATCH);
      const last = events.at(-1);
      if (last === undefined) {
        // An earlier commit of the offset may have failed.
        await storeProgress(progress);
        break;
      }
      for (const stretch of splitAtStops(events.filter(isWakingMessage))) {
        // The decisions about messages before the stop message are stored first. Decisions about
        // later messages follow after the stop.
        const until = stretch.stop?.offset ?? last.offset;
        const offset = stretch.stop === undefined ? until : until - 1;
        if (await wakeAgents(room, progress, offset, stretch.messages)) setProgress({ read: offset, stored: offset });
        if (stretch.stop !== undefined && (await isPerson(stretch.stop.author))) await stopBefore(room, until);
      }
      setProgress({ ...progress, read: last.offset });
      // Stores the offset before the next decision. Otherwise, after a crash, the same messages
      // would be decided again with changed settings, and could wake other agents.
      await storeProgress(progress);
      // A page that is not full is the last one. New messages arrive by notification.
      if (events.length < BATCH) break;
    }
  };

  /**
   * Wakes the agents that these messages call, and stores `offset`. Returns false, and stores
   * nothing, if the messages call no agent.
   */
  const wakeAgents = async (
    room: RoomId,
    progress: ReadProgress,
    offset: number,
    messages: readonly Stored<MessageEvent>[],
  ): Promise<boolean> => {
    const stream: StreamName = `room:${room}`;
    for (let tries = 0; tries < MAX_PLAN_ATTEMPTS; tries += 1) {
      const plan = await whoWakes(room, messages);
      if (plan.rows.length === 0) return false;
      options.prepareFor?.(plan.rows);
      if (await commitPlan(stream, progress, offset, plan)) return true;
    }
    throw new Error(`the activations of ${stream} up to ${offset} conflicted too many times in a row`);
  };

  /** Returns false when an input of the plan has changed. */
  const commitPlan = async (
    stream: StreamName,
    progress: ReadProgress,
    offset: number,
    plan: Plan,
  ): Promise<boolean> => {
    const { rows } = plan;
    const known = new Set(
      (
        await store.select({
          table: "activations",
          and: [{ column: "id", is: "in", value: rows.map((row) => row.id) }],
        })
      ).map((row) => row.id),
    );
    const newRows = rows.filter((row) => !known.has(row.id));
    const result = await store.commit({
      guards: [positionGuard(stream, progress.stored), ...plan.guards],
      writes: [
        ...newRows.map((row) => ({ kind: "insert", table: "activations", row }) as const),
        ...plan.writes,
        { kind: "put", table: "readers", row: { reader: READER, stream, offset } },
      ],
      // Reading the room again gives the same queued rows, so they need no fsync now: their first
      // effect is synced before it leaves the process, and these rows with it. A skipped activation
      // is reported at once, so its row must be durable.
      ...(newRows.every(({ state }) => state === "queued") ? { isReproducible: true } : {}),
    });
    if (result.kind === "refused" && result.guard !== "position") return false;
    if (result.kind !== "committed") {
      // Another reader stored a later offset first. Nothing was written, so no agent is woken, and
      // reading continues from the stored offset.
      const stored = await storedOffset(stream);
      progressByStream.set(stream, { read: Math.max(stored, progress.read), stored });
      throw new Error(`the activations of ${stream} up to ${offset} conflicted`);
    }
    wake(newRows.filter((row) => row.state === "queued"));
    return true;
  };

  /**
   * Stores the offset of messages that woke no agent, without an fsync, because such messages are
   * frequent. The offset survives a crash of the process, and every later commit makes it durable,
   * including each change of a setting.
   */
  const commitOffset = async (stream: StreamName, { read, stored }: ReadProgress): Promise<boolean> => {
    const { kind } = await store.commit({
      guards: [positionGuard(stream, stored)],
      writes: [{ kind: "put", table: "readers", row: { reader: READER, stream, offset: read } }],
      isReproducible: true,
      // The commit of the next message ends the wait, because both share a transaction.
      mayWait: true,
    });
    return kind === "committed";
  };

  const commitAllOffsets = async (): Promise<void> => {
    const behind = [...progressByStream].filter(([, { read, stored }]) => read > stored);
    const left = await Promise.allSettled(behind.map(([stream, progress]) => commitOffset(stream, progress)));
    // The only consequence is that these messages are read once more.
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
      /** Each room has at most one worker, so that no message is decided twice. */
      const workers = createWorkers({ sleep: world.clock.sleep, signal });
      const read = (room: RoomId): void => workers.start(room, (worker) => readOrRetry(room, worker));
      const readOrRetry = async (room: RoomId, { pause }: Worker): Promise<void> => {
        while (!signal.aborted) {
          try {
            return await readRoom(room);
          } catch (error) {
            // The stored offset has not moved, so nothing is lost: the same messages are read
            // again, now or after the next start.
            log.write("error", "dispatch could not read a room and will try again", { room, error });
            await pause(RETRY_MS);
          }
        }
      };
      const changedStreams = streams.watch(["room"], signal);
      for (const room of await records.list("room")) read(room.id);
      for await (const names of changedStreams) {
        for (const name of names) read(idOfStream(name));
      }
      await workers.idle();
      await commitAllOffsets();
    },
  };
};

/** Guards that the stored offset of the room is still this one. */
const positionGuard = (stream: StreamName, offset: number): Guard =>
  offset === 0
    ? { name: "position", kind: "absent", table: "readers", where: { reader: READER, stream } }
    : { name: "position", kind: "exists", table: "readers", where: { reader: READER, stream, offset } };

/** Replies that were stopped, and damaged messages, wake no agent. */
const isWakingMessage = (event: Stored): event is Stored<MessageEvent> =>
  event.type === "message" && event.stopped !== true && event.damaged !== true;

/** Consecutive messages of a room, and the message with the stop command that follows them. */
interface Stretch {
  readonly messages: readonly Stored<MessageEvent>[];
  readonly stop?: Stored<MessageEvent>;
}

const splitAtStops = (messages: readonly Stored<MessageEvent>[]): readonly Stretch[] => {
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
