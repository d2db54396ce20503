/**
 * Reads a house: the user's identity, records and permissions, then the logs of houses and the
 * heads of rooms.
 */
import {
  type AgentRecord,
  type Clock,
  type EventPage,
  fromErrorBody,
  type HearthError,
  type Hold,
  type HouseId,
  type HouseRecord,
  isHearthError,
  type Me,
  type Place,
  type RoomHead,
  type RoomRecord,
  type StoredEvent,
  toErrorBody,
} from "@hearth/protocol";
import { retryUntilAnswered, type RetryOptions } from "../transient.ts";
import { keep } from "../room/activity.ts";
import type { Socket, SocketState } from "../socket.ts";
import type { Storage } from "../storage.ts";
import { createHouseBook, type StaleScope } from "./house-book.ts";
import { createHouseLogs } from "./house-logs.ts";
import type { HouseReader, HouseSnapshot, HouseState, RoomEntry } from "./house.ts";
import { createReadMarks } from "./read-marks.ts";
import { createRoomBoard } from "./room-board.ts";
import { remember } from "./remember.ts";
import { createRoomFollowers } from "./room-followers.ts";
import { createRoomViews, type RoomViewsOptions } from "./room-views.ts";
import { oncePerTurn } from "../once-per-turn.ts";

/** The part of the client that the reader uses. */
export interface HouseCalls {
  me(): Promise<Me>;
  readonly houses: {
    list(): Promise<readonly HouseRecord[]>;
    log(house: HouseId, page: { readonly before: "end"; readonly limit: number }): Promise<EventPage>;
  };
  readonly agents: { list(): Promise<readonly AgentRecord[]> };
  readonly stops: { list(): Promise<readonly Hold[]> };
  readonly rooms: RoomViewsOptions["client"]["rooms"] & {
    list(): Promise<readonly RoomRecord[]>;
    heads(): Promise<readonly RoomHead[]>;
  };
}

export interface HouseReaderOptions {
  readonly client: HouseCalls;
  readonly socket: Socket;
  readonly storage: Storage;
  readonly clock: Clock;
}

/** The storage name of the chosen house. */
const CHOSEN = "house";
const AGAIN_MS = 1_000;

export const createHouseReader = ({ client, socket, storage, clock }: HouseReaderOptions): HouseReader => {
  const listeners = new Set<() => void>();
  const levelListeners = new Set<(place: Place) => void>();
  /** Aborts when the current login ends. */
  let life = new AbortController();
  let isDisposed = false;
  let state: HouseState = { kind: "loading" };
  let shown: readonly RoomEntry[] = [];
  let choice = storage.get(CHOSEN);
  /** What to refetch because of events since the last refetch, and whether one is running. */
  let staleScope: StaleScope = "none";
  let isRefetching = false;
  /**
   * Set while the house does not answer at first; there is no socket whose state could be shown
   * yet.
   */
  let ownConnection: SocketState | undefined;
  const marks = createReadMarks(storage, () => change());
  const views = createRoomViews({ client, socket, clock, onChange: () => change() });
  const board = createRoomBoard({ me: () => book.me()?.agent.id, markOf: marks.of, viewOf: views.of });
  const book = createHouseBook(board);
  const followers = createRoomFollowers({ socket, board, onChange: () => change() });
  const logs = createHouseLogs({
    socket,
    onEvent: (event) => takeEvent(event),
    onReconnect() {
      void refetchUnlogged(life.signal);
      // A house that was opened to us meanwhile has a log that we do not follow yet.
      refreshPermissions("levels");
    },
    onEnd(house, error) {
      if (error !== undefined && house === book.me()?.house.id) return fail(error);
      const { signal } = life;
      // Wait first: a house that keeps refusing would be asked in a tight loop.
      void clock.sleep(AGAIN_MS, signal).then(() => {
        if (!signal.aborted) refreshPermissions("all");
      });
    },
  });

  const chosen = (): HouseRecord | undefined => book.houses().find(({ id }) => id === choice) ?? book.me()?.house;

  const roomsOf = (house: HouseRecord | undefined): readonly RoomEntry[] => {
    const all = board.entries();
    if (book.houses().length < 2) return all;
    shown = keep(
      shown,
      all.filter(({ room }) => room.house === house?.id),
    );
    return shown;
  };

  const toSnapshot = (): HouseSnapshot => {
    const house = chosen();
    const rooms = roomsOf(house);
    const connection = ownConnection ?? socket.state();
    return { ...book.facts(), state, house, rooms, connection };
  };
  let snapshot = toSnapshot();

  /** Emits one snapshot for all changes of one turn of the event loop. */
  const change = oncePerTurn(clock, () => {
    if (isDisposed) return;
    const next = toSnapshot();
    if (state.kind === "ready") followers.follow(board.entries());
    if ((Object.keys(next) as (keyof HouseSnapshot)[]).every((part) => next[part] === snapshot[part])) return;
    snapshot = next;
    for (const listener of [...listeners]) listener();
  });

  const leave = (): void => {
    life.abort();
    followers.follow([]);
    logs.follow(new Map());
  };

  const fail = (error: unknown): void => {
    leave();
    ownConnection = undefined;
    state = isLoggedOut(error)
      ? { kind: "logged-out", error }
      : { kind: "failed", error: isHearthError(error) ? error : fromErrorBody(toErrorBody(error)) };
    change();
  };

  const open = async (signal: AbortSignal): Promise<void> => {
    const retry = {
      clock,
      signal,
      onFailure: (_: HearthError, retryAt: number) => {
        ownConnection = { kind: "lost", retryAt };
        change();
      },
    };
    const [heads, stops] = await load(await retryUntilAnswered(client.me, retry), retry, () =>
      Promise.all([client.rooms.heads(), client.stops.list().catch(undefinedIfDenied), views.open(signal)]),
    );
    if (signal.aborted) return;
    ownConnection = undefined;
    book.takeHolds(stops ?? []);
    marks.begin(heads);
    state = { kind: "ready" };
    change();
  };

  /** Loads everything that this reader can see, then follows the logs. */
  const load = async <More extends readonly [readonly RoomHead[], ...unknown[]]>(
    who: Me,
    retry: RetryOptions,
    askMore: () => Promise<More>,
  ): Promise<More> => {
    const endOf = async (house: HouseId): Promise<readonly [HouseId, number]> => {
      if (logs.isFollowed(house)) return [house, 0];
      const log = await retryUntilAnswered(() => client.houses.log(house, { before: "end", limit: 1 }), retry);
      return [house, log.head];
    };
    // Fetched before the lists, so that no event falls between the lists and the followed logs.
    const [houses, own] = await Promise.all([retryUntilAnswered(client.houses.list, retry), endOf(who.house.id)]);
    const others = await Promise.all(houses.flatMap(({ id }) => (id === who.house.id ? [] : [endOf(id)])));
    const [agents, rooms, more] = await retryUntilAnswered(
      () => Promise.all([client.agents.list(), client.rooms.list(), askMore()]),
      retry,
    );
    if (retry.signal.aborted) return more;
    book.takeLists({ agents, houses, rooms });
    book.takeMe(who);
    board.setHeads(more[0]);
    logs.follow(new Map([own, ...others]));
    return more;
  };

  const takeEvent = (event: StoredEvent): void => {
    switch (event.type) {
      case "record-changed": {
        const about = book.takeRecord(event);
        // The refetch that is running may have read older state.
        refreshPermissions(isRefetching ? "all" : about);
        if (event.record.type === "agent" && event.change !== "updated") notifyLevels(event.record.house);
        break;
      }
      case "hold-changed":
        book.takeHold(event);
        break;
      case "grant-changed":
        if (event.agent === book.me()?.agent.id) refreshPermissions("levels");
        notifyLevels(event.on);
        break;
      case "hidden":
        // A room that we can no longer see may have changed without an event for us.
        refreshPermissions("levels");
        break;
      default:
    }
    change();
  };

  const notifyLevels = (place: Place): void => {
    for (const listener of [...levelListeners]) listener(place);
  };

  /** Refetches our permissions; if they changed, also reloads the lists. */
  const refreshPermissions = (about: StaleScope): void => {
    if (about === "none") return;
    if (staleScope !== "all") staleScope = about;
    if (isRefetching) return;
    isRefetching = true;
    const { signal } = life;
    void settle({ clock, signal })
      .catch((error: unknown) => {
        if (!signal.aborted) fail(error);
      })
      .finally(() => {
        if (signal === life.signal) isRefetching = false;
      });
  };

  const settle = async (retry: RetryOptions): Promise<void> => {
    while (staleScope !== "none" && !retry.signal.aborted) {
      const about = staleScope;
      staleScope = "none";
      const who = await retryUntilAnswered(client.me, retry);
      if (retry.signal.aborted) return;
      const isNew = book.takeMe(who);
      if (isNew || about === "all") await load(who, retry, async () => [await client.rooms.heads()] as const);
      else retain(who);
      followers.retry();
      change();
    }
  };

  /** Drops rooms that we can no longer see, including records that arrived late. */
  const retain = ({ permissions }: Me): void => {
    const open = new Set(permissions.map(({ on }) => on));
    board.retain((room) => open.has(room));
  };

  /**
   * Refetches what the logs omit: room heads, and unpersisted stops lost when the daemon restarted.
   */
  const refetchUnlogged = async (signal: AbortSignal): Promise<void> => {
    const before = book.holds();
    const [heads, stops] = await Promise.all([
      retryUntilAnswered(client.rooms.heads, { clock, signal }).catch(() => []),
      retryUntilAnswered(client.stops.list, { clock, signal }).catch(() => before),
    ]);
    if (signal.aborted) return;
    board.setHeads(heads);
    // Holds that the log reported meanwhile are newer.
    if (book.holds() === before) book.takeHolds(stops);
    change();
  };

  /** A browser does not report why a connection was refused, so a request finds out. */
  const checkLogin = async (signal: AbortSignal): Promise<void> => {
    try {
      await client.me();
    } catch (error) {
      if (!signal.aborted && isLoggedOut(error)) fail(error);
    }
  };

  const stopWatching = socket.onState(() => {
    const { kind } = socket.state();
    if (state.kind === "ready" && (kind === "lost" || kind === "refused")) void checkLogin(life.signal);
    change();
  });

  const begin = (): void => {
    leave();
    life = new AbortController();
    const { signal } = life;
    staleScope = "none";
    isRefetching = false;
    if (state.kind === "logged-out" || state.kind === "failed") state = { kind: "loading" };
    change();
    void open(signal).catch((error: unknown) => {
      if (!signal.aborted) fail(error);
    });
  };
  begin();

  return {
    snapshot: () => snapshot,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onLevels(listener) {
      levelListeners.add(listener);
      return () => void levelListeners.delete(listener);
    },
    markRead(room, offset) {
      if (marks.mark(room, offset)) change();
    },
    choose(house) {
      choice = house;
      remember(storage, CHOSEN, house);
      change();
    },
    refresh() {
      begin();
      if (socket.state().kind === "refused") socket.nudge();
    },
    [Symbol.dispose]() {
      isDisposed = true;
      leave();
      stopWatching();
      marks[Symbol.dispose]();
    },
  };
};

const isLoggedOut = (error: unknown): error is HearthError =>
  isHearthError(error, "auth.missing") || isHearthError(error, "auth.invalid");

/** Without access to the holds, the house is shown without them. */
const undefinedIfDenied = (error: unknown): undefined => {
  if (!isHearthError(error, "auth.denied")) throw error;
};
