/**
 * Reads a house. It loads the user's identity, records and permissions, and then follows the logs
 * of houses and the heads of rooms.
 */
import {
  type Clock,
  fromErrorBody,
  type HearthError,
  isHearthError,
  type Place,
  type StoredEvent,
  toErrorBody,
} from "@hearth/protocol";
import { retryUntilAnswered } from "../transient.ts";
import type { Socket, SocketState } from "../socket.ts";
import type { Storage } from "../storage.ts";
import type { HouseCalls } from "./house-calls.ts";
import { createHouseBook, type HouseBook } from "./house-book.ts";
import { createHouseChoice } from "./house-choice.ts";
import { createHouseLogs } from "./house-logs.ts";
import type { HouseReader, HouseSnapshot, HouseState } from "./house.ts";
import { createReadMarks } from "./read-marks.ts";
import { createHouseLoader } from "./house-loader.ts";
import { createRefresh, type Refresh } from "./refresh.ts";
import { createRoomBoard } from "./room-board.ts";
import { createRoomFollowers } from "./room-followers.ts";
import { createRoomViews } from "./room-views.ts";
import { oncePerTurn } from "../once-per-turn.ts";
import { createListeners, type Listeners } from "../listeners.ts";
import { observe } from "../observe.ts";

export interface HouseReaderOptions {
  readonly client: HouseCalls;
  readonly socket: Socket;
  readonly storage: Storage;
  readonly clock: Clock;
}

const RELOAD_PAUSE_MS = 1_000;

export const createHouseReader = ({ client, socket, storage, clock }: HouseReaderOptions): HouseReader => {
  const listeners = createListeners();
  const levelListeners = createListeners<[place: Place]>();
  /** Aborts when the current login ends. */
  let lifetime = new AbortController();
  let isDisposed = false;
  let state: HouseState = { kind: "loading" };
  /** The state of the connection until the house first answers. There is no socket yet that has a state. */
  let ownConnection: SocketState | undefined;
  const marks = createReadMarks(storage, () => requestEmit());
  const views = createRoomViews({ client, socket, clock, onChange: () => requestEmit() });
  const board = createRoomBoard({ me: () => book.me()?.agent.id, markOf: marks.offsetOf, viewOf: views.viewOf });
  const book = createHouseBook(board);
  const followers = createRoomFollowers({ socket, board, onChange: () => requestEmit() });
  const logs = createHouseLogs({
    socket,
    onEvent: (event) => handleEvent(event),
    onReconnect() {
      observe(loader.refetchUnlogged({ clock, signal: lifetime.signal }).then(requestEmit));
      // In the meantime the user may have got access to a house whose log is not followed yet.
      refresh.request("levels");
    },
    onEnd(house, error) {
      if (error !== undefined && house === book.me()?.house.id) return fail(error);
      const { signal } = lifetime;
      // Waits first, because a house that always refuses would otherwise be asked in a tight loop.
      observe(
        clock.sleep(RELOAD_PAUSE_MS, signal).then(() => {
          if (!signal.aborted) refresh.request("all");
        }),
      );
    },
  });
  const loader = createHouseLoader({ client, book, board, logs });
  const refresh = createRefresh({
    clock,
    fail: (error) => fail(error),
    async refetch(scope, retry) {
      await loader.refetch(scope, retry);
      if (retry.signal.aborted) return;
      followers.retry();
      requestEmit();
    },
  });

  const choice = createHouseChoice({ storage, book, board });

  const toSnapshot = (): HouseSnapshot => {
    const connection = ownConnection ?? socket.state();
    return { ...book.facts(), state, house: choice.house(), rooms: choice.rooms(), connection };
  };
  let snapshot = toSnapshot();

  const emit = (): void => {
    if (isDisposed) return;
    const newSnapshot = toSnapshot();
    if (state.kind === "ready") followers.follow(board.entries());
    if ((Object.keys(newSnapshot) as (keyof HouseSnapshot)[]).every((field) => newSnapshot[field] === snapshot[field]))
      return;
    snapshot = newSnapshot;
    listeners.call();
  };
  /** Emits one snapshot for all changes of one turn of the event loop. */
  const requestEmit = oncePerTurn(clock, emit);

  const stopFollowing = (): void => {
    lifetime.abort();
    followers.follow([]);
    logs.follow(new Map());
  };

  const fail = (error: unknown): void => {
    stopFollowing();
    ownConnection = undefined;
    state = isLoggedOut(error)
      ? { kind: "logged-out", error }
      : { kind: "failed", error: isHearthError(error) ? error : fromErrorBody(toErrorBody(error)) };
    requestEmit();
  };

  const loadHouse = async (signal: AbortSignal): Promise<void> => {
    const retry = {
      clock,
      signal,
      onFailure: (_: HearthError, retryAt: number) => {
        ownConnection = { kind: "lost", retryAt };
        requestEmit();
      },
    };
    const [heads, stops] = await loader.load(await retryUntilAnswered(client.me, retry), retry, () =>
      Promise.all([client.rooms.heads(), client.stops.list().catch(ignoreDenial), views.open(signal)]),
    );
    if (signal.aborted) return;
    ownConnection = undefined;
    book.setHolds(stops ?? []);
    marks.initialize(heads);
    state = { kind: "ready" };
    requestEmit();
  };

  const handleEvent = (event: StoredEvent): void => {
    applyEvent(event, { book, refresh, levelListeners });
    requestEmit();
  };

  const stopWatching = socket.onState(() => {
    const { kind } = socket.state();
    const { signal } = lifetime;
    if (state.kind === "ready" && (kind === "lost" || kind === "refused"))
      observe(
        findLogout(client).then((error) => {
          if (error !== undefined && !signal.aborted) fail(error);
        }),
      );
    requestEmit();
  });

  const restart = (): void => {
    stopFollowing();
    lifetime = new AbortController();
    const { signal } = lifetime;
    refresh.restart(signal);
    if (state.kind === "logged-out" || state.kind === "failed") state = { kind: "loading" };
    requestEmit();
    observe(
      loadHouse(signal).catch((error: unknown) => {
        if (!signal.aborted) fail(error);
      }),
    );
  };
  restart();

  return {
    snapshot: () => snapshot,
    onChange: listeners.add,
    onLevels: levelListeners.add,
    markRead(room, offset) {
      if (marks.mark(room, offset)) requestEmit();
    },
    choose(house) {
      choice.choose(house);
      // At once, because the caller opens the start page of this house next.
      emit();
    },
    refresh() {
      restart();
      if (socket.state().kind === "refused") socket.reconnectNow();
    },
    [Symbol.dispose]() {
      isDisposed = true;
      stopFollowing();
      stopWatching();
      marks[Symbol.dispose]();
    },
  };
};

interface EventTargets {
  readonly book: HouseBook;
  readonly refresh: Refresh;
  readonly levelListeners: Listeners<[place: Place]>;
}

/** Applies one event of a house's log: changes the book, requests refetches and announces changed levels. */
const applyEvent = (event: StoredEvent, { book, refresh, levelListeners }: EventTargets): void => {
  switch (event.type) {
    case "record-changed": {
      const scope = book.applyRecordEvent(event);
      // A refetch that is already running may have read an older state.
      refresh.request(refresh.isRunning() ? "all" : scope);
      if (event.record.type === "agent" && event.change !== "updated") levelListeners.call(event.record.house);
      break;
    }
    case "hold-changed":
      book.applyHoldEvent(event);
      break;
    case "grant-changed":
      if (event.agent === book.me()?.agent.id) refresh.request("levels");
      levelListeners.call(event.on);
      break;
    case "hidden":
      // A room that became invisible may have changed without an event for this user.
      refresh.request("levels");
      break;
    default:
  }
};

const isLoggedOut = (error: unknown): error is HearthError =>
  isHearthError(error, "auth.missing") || isHearthError(error, "auth.invalid");

/** Sends a request to find out why a connection was refused, because browsers do not report it. */
const findLogout = async (client: Pick<HouseCalls, "me">): Promise<HearthError | undefined> => {
  try {
    await client.me();
    return undefined;
  } catch (error) {
    return isLoggedOut(error) ? error : undefined;
  }
};

/**
 * Returns undefined for a refused request, so that a user without access to the stops sees the
 * house without them.
 */
const ignoreDenial = (error: unknown): undefined => {
  if (!isHearthError(error, "auth.denied")) throw error;
};
