/**
 * Reads every room and decides which agents its messages wake. One commit stores the activations and
 * the new offset, guarded by the old offset. So each message wakes agents once, even if an earlier
 * daemon that has not ended yet reads the same room.
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
import type { WakePlan, WhoWakes } from "./who-wakes.ts";

export interface DispatchOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  readonly whoWakes: WhoWakes;
  /** Called with activations before they are committed, so that their cells can start early. */
  readonly prewarmCells?: (activations: readonly ActivationRow[]) => void;
  /** Called with activations that have just become durable. */
  readonly wake: (activations: readonly ActivationRow[]) => void;
  /** Ends the activations of messages before this offset. Resolves when all of them have ended. */
  readonly stopBefore: (room: RoomId, offset: number) => Promise<void>;
}

export interface Dispatch {
  /** Reads every room from its stored offset, then follows until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

type ActivationRow = Row<"activations">;

interface ReadProgress {
  /** The offset up to which this process has read the room. */
  readonly read: number;
  /** The offset in the store. It lags behind while messages wake no agent. */
  readonly stored: number;
}

export const READER = "dispatch";
const BATCH_SIZE = 100;
/** Pause before a failed read or write is retried. */
const RETRY_MS = 1000;
/** How many times a plan is computed if its inputs change before each commit. */
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
    const setProgress = (newProgress: ReadProgress): void => {
      progress = newProgress;
      progressByStream.set(stream, newProgress);
    };
    const storeProgress = async ({ read, stored }: ReadProgress): Promise<void> => {
      if (read > stored && (await commitOffset(stream, { read, stored }))) setProgress({ read, stored: read });
    };
    for (;;) {
      const events = await streams.read(stream, progress.read, BATCH_SIZE);
      const lastEvent = events.at(-1);
      if (lastEvent === undefined) {
        // An earlier commit of the offset may have failed.
        await storeProgress(progress);
        break;
      }
      for (const segment of splitAtStops(events.filter(isWakingMessage))) {
        // The activations of messages before the stop message are stored first, so that the stop ends
        // them too. The stop message itself stays unread in the store until it has had its effect.
        const { messages, stop } = segment;
        const offset = stop === undefined ? lastEvent.offset : stop.offset - 1;
        if (await wakeAgents(room, progress, offset, messages)) setProgress({ read: offset, stored: offset });
        if (stop !== undefined && (await isPerson(stop.author))) await stopBefore(room, stop.offset);
      }
      setProgress({ ...progress, read: lastEvent.offset });
      // The offset is stored before the next page is read. Otherwise these messages would be read
      // again after a crash, perhaps with changed settings, and could wake agents that they did not
      // wake before.
      await storeProgress(progress);
      // A page that is not full is the last one. New messages arrive by notification.
      if (events.length < BATCH_SIZE) break;
    }
  };

  /**
   * Stores the activations that these messages start, and `offset`. Returns false, and stores
   * nothing, if the messages wake no agent.
   */
  const wakeAgents = async (
    room: RoomId,
    progress: ReadProgress,
    offset: number,
    messages: readonly Stored<MessageEvent>[],
  ): Promise<boolean> => {
    const stream: StreamName = `room:${room}`;
    for (let attempt = 0; attempt < MAX_PLAN_ATTEMPTS; attempt += 1) {
      const plan = await whoWakes(room, messages);
      if (plan.rows.length === 0) return false;
      options.prewarmCells?.(plan.rows);
      if (await commitPlan(stream, progress, offset, plan)) return true;
    }
    throw new Error(`the settings that decide who wakes in ${stream} changed ${MAX_PLAN_ATTEMPTS} times in a row`);
  };

  /** Returns the rows that the store does not have yet. */
  const omitStored = async (rows: readonly ActivationRow[]): Promise<readonly ActivationRow[]> => {
    const ids = rows.map((row) => row.id);
    const storedRows = await store.select({ table: "activations", and: [{ column: "id", is: "in", value: ids }] });
    const storedIds = new Set(storedRows.map((row) => row.id));
    return rows.filter((row) => !storedIds.has(row.id));
  };

  /** Returns false when an input of the plan has changed. `newRows` are the rows of the plan to insert. */
  const commitPlan = async (
    stream: StreamName,
    progress: ReadProgress,
    offset: number,
    plan: WakePlan,
    newRows = plan.rows,
  ): Promise<boolean> => {
    const result = await store.commit({
      guards: [positionGuard(stream, progress.stored), ...plan.guards],
      writes: [
        ...newRows.map((row) => ({ kind: "insert", table: "activations", row }) as const),
        ...plan.writes,
        { kind: "put", table: "readers", row: { reader: READER, stream, offset } },
      ],
      // Queued rows need no fsync, because reading the room again creates them again. Before an
      // activation has an effect outside of this process, a synced commit makes them durable. A
      // skipped activation is reported at once, so its row is synced now.
      ...(newRows.every(({ state }) => state === "queued") ? { isReproducible: true } : {}),
    });
    if (result.kind === "refused" && result.guard !== "position") return false;
    // A row of a message that is read again can be there already. This is rare, so it is not checked before.
    if (result.kind === "conflict") {
      const missingRows = await omitStored(newRows);
      if (missingRows.length < newRows.length) return commitPlan(stream, progress, offset, plan, missingRows);
    }
    if (result.kind !== "committed") {
      // Another daemon stored a later offset. Nothing was written, and no agent is woken. Reading
      // continues where both have read.
      const stored = await storedOffset(stream);
      progressByStream.set(stream, { read: Math.max(stored, progress.read), stored });
      throw new Error(`another daemon read ${stream} beyond the offset ${progress.stored}`);
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
      // The commit may wait for the next one, usually that of the next message, and share its transaction.
      mayWait: true,
    });
    return kind === "committed";
  };

  const commitAllOffsets = async (): Promise<void> => {
    const laggingProgress = [...progressByStream].filter(([, { read, stored }]) => read > stored);
    const commits = laggingProgress.map(([stream, progress]) => commitOffset(stream, progress));
    const results = await Promise.allSettled(commits);
    // These messages wake no agent, so a failure only means that they are read once more.
    if (results.some(({ status }) => status === "rejected"))
      log.write(
        "warn",
        "could not store room offsets when the daemon closed; these rooms are read again at the next start",
        { rooms: laggingProgress.length },
      );
  };

  const isPerson = async (id: AgentId): Promise<boolean> => (await records.find("agent", id))?.content.kind === "human";

  return {
    async run(signal) {
      /** Each room has at most one worker, so that this process reads no message twice. */
      const workers = createWorkers({ sleep: world.clock.sleep, signal });
      const startReading = (room: RoomId): void => workers.start(room, (worker) => readOrRetry(room, worker));
      const readOrRetry = async (room: RoomId, { pause }: Worker): Promise<void> => {
        while (!signal.aborted) {
          try {
            return await readRoom(room);
          } catch (error) {
            // Nothing is lost: what the store does not count as read is read again, now or after the
            // next start.
            log.write("error", "dispatch could not read a room and will try again", { room, error });
            await pause(RETRY_MS);
          }
        }
      };
      const changedStreams = streams.watch(["room"], signal);
      for (const room of await records.list("room")) startReading(room.id);
      for await (const names of changedStreams) {
        for (const name of names) startReading(idOfStream(name));
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

/** Replies that were stopped, damaged messages, and copies in a branch wake no agent. */
const isWakingMessage = (event: Stored): event is Stored<MessageEvent> =>
  event.type === "message" && event.stopped !== true && event.damaged !== true && event.copied === undefined;

/** Consecutive messages of a room, and the message with the stop command that follows them. */
interface MessagesUntilStop {
  readonly messages: readonly Stored<MessageEvent>[];
  readonly stop?: Stored<MessageEvent>;
}

const splitAtStops = (messages: readonly Stored<MessageEvent>[]): readonly MessagesUntilStop[] => {
  const segments: MessagesUntilStop[] = [];
  let current: Stored<MessageEvent>[] = [];
  for (const message of messages) {
    if (message.job !== undefined || !isStopCommand(message.body.text)) {
      current.push(message);
      continue;
    }
    segments.push({ messages: current, stop: message });
    current = [];
  }
  return current.length === 0 ? segments : [...segments, { messages: current }];
};
