/** Reads a house: who asks, what is there and what they may do there, and from then on the logs of houses and the heads of rooms. */
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
import { askUntilAnswered, type AskingOptions } from "../passing.ts";
import { keep } from "../room/activity.ts";
import type { Socket, SocketState } from "../socket.ts";
import type { Storage } from "../storage.ts";
import { createHouseBook, type Doubt } from "./house-book.ts";
import { createHouseLogs } from "./house-logs.ts";
import type { HouseReader, HouseSnapshot, HouseState, RoomEntry } from "./house.ts";
import { createReadMarks } from "./read-marks.ts";
import { createRoomBoard } from "./room-board.ts";
import { createRoomFollowers } from "./room-followers.ts";

/** What is used of a client. */
export interface HouseCalls {
  me(): Promise<Me>;
  readonly houses: {
    list(): Promise<readonly HouseRecord[]>;
    log(house: HouseId, page: { readonly before: "end"; readonly limit: number }): Promise<EventPage>;
  };
  readonly agents: { list(): Promise<readonly AgentRecord[]> };
  readonly stops: { list(): Promise<readonly Hold[]> };
  readonly rooms: { list(): Promise<readonly RoomRecord[]>; heads(): Promise<readonly RoomHead[]> };
}

export interface HouseReaderOptions {
  readonly client: HouseCalls;
  readonly socket: Socket;
  readonly storage: Storage;
  readonly clock: Clock;
}

/** Under this name the device keeps which house was chosen. */
const CHOSEN = "house";
const AGAIN_MS = 1_000;

export const createHouseReader = ({ client, socket, storage, clock }: HouseReaderOptions): HouseReader => {
  const listeners = new Set<() => void>();
  const levelListeners = new Set<(place: Place) => void>();
  /** Of one login; ends when it does. */
  let life = new AbortController();
  let isDisposed = false;
  let isChanged = false;
  let state: HouseState = { kind: "loading" };
  let shown: readonly RoomEntry[] = [];
  let choice = storage.get(CHOSEN);
  /** What the logs have given reason to ask for since it was last asked, and whether somebody does. */
  let doubt: Doubt = "none";
  let isAsking = false;
  /** Set while the house does not answer at first: then there is no socket to tell. */
  let ownConnection: SocketState | undefined;
  const marks = createReadMarks(storage, () => change());
  const board = createRoomBoard({ me: () => book.me()?.agent.id, markOf: marks.of });
  const book = createHouseBook(board);
  const followers = createRoomFollowers({ socket, board, onChange: () => change() });
  const logs = createHouseLogs({
    socket,
    onEvent: (event) => takeEvent(event),
    onBack() {
      void askAgain(life.signal);
      // Another house that was opened meanwhile has a log that nobody here follows.
      lookAgain("levels");
    },
    onOver(house, error) {
      if (error !== undefined && house === book.me()?.house.id) return fail(error);
      const { signal } = life;
      // Not at once: a house that goes on refusing would be asked without end.
      void clock.sleep(AGAIN_MS, signal).then(() => {
        if (!signal.aborted) lookAgain("all");
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
    return {
      ...{ state, me: book.me(), house, houses: book.houses(), agents: book.agents(), rooms: roomsOf(house) },
      holds: book.holds(),
      connection: ownConnection ?? socket.state(),
    };
  };
  let snapshot = toSnapshot();

  /** One snapshot for all that comes in one turn. */
  const change = (): void => {
    if (isChanged) return;
    isChanged = true;
    void clock.turn().then(publish);
  };

  const publish = (): void => {
    isChanged = false;
    if (isDisposed) return;
    const next = toSnapshot();
    if (state.kind === "ready") followers.follow(board.entries());
    if ((Object.keys(next) as (keyof HouseSnapshot)[]).every((part) => next[part] === snapshot[part])) return;
    snapshot = next;
    for (const listener of [...listeners]) listener();
  };

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
    const asking = {
      clock,
      signal,
      onFailure: (_: HearthError, retryAt: number) => {
        ownConnection = { kind: "lost", retryAt };
        change();
      },
    };
    const [heads, stops] = await load(await askUntilAnswered(client.me, asking), asking, () =>
      Promise.all([client.rooms.heads(), client.stops.list().catch(ifClosed)]),
    );
    if (signal.aborted) return;
    ownConnection = undefined;
    book.takeHolds(stops ?? []);
    marks.begin(heads);
    state = { kind: "ready" };
    change();
  };

  /** Who and what is there for this reader, and from then on what the logs tell of it. */
  const load = async <More extends readonly [readonly RoomHead[], ...unknown[]]>(
    who: Me,
    asking: AskingOptions,
    askMore: () => Promise<More>,
  ): Promise<More> => {
    const endOf = async (house: HouseId): Promise<readonly [HouseId, number]> => {
      if (logs.isFollowed(house)) return [house, 0];
      const log = await askUntilAnswered(() => client.houses.log(house, { before: "end", limit: 1 }), asking);
      return [house, log.head];
    };
    // Before the lists, so that nothing falls between them and what is followed.
    const [houses, own] = await Promise.all([askUntilAnswered(client.houses.list, asking), endOf(who.house.id)]);
    const others = await Promise.all(houses.flatMap(({ id }) => (id === who.house.id ? [] : [endOf(id)])));
    const [agents, rooms, more] = await askUntilAnswered(
      () => Promise.all([client.agents.list(), client.rooms.list(), askMore()]),
      asking,
    );
    if (asking.signal.aborted) return more;
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
        // What is being asked for may be from before it.
        lookAgain(isAsking ? "all" : about);
        if (event.record.type === "agent" && event.change !== "updated") tellLevels(event.record.house);
        break;
      }
      case "hold-changed":
        book.takeHold(event);
        break;
      case "grant-changed":
        if (event.agent === book.me()?.agent.id) lookAgain("levels");
        tellLevels(event.on);
        break;
      case "hidden":
        // A room that one may not see any more is changed behind this, too.
        lookAgain("levels");
        break;
      default:
    }
    change();
  };

  const tellLevels = (place: Place): void => {
    for (const listener of [...levelListeners]) listener(place);
  };

  /** Asks anew what one may, and where that is something else, also what there is. */
  const lookAgain = (about: Doubt): void => {
    if (about === "none") return;
    if (doubt !== "all") doubt = about;
    if (isAsking) return;
    isAsking = true;
    const { signal } = life;
    void settle({ clock, signal })
      .catch((error: unknown) => {
        if (!signal.aborted) fail(error);
      })
      .finally(() => {
        if (signal === life.signal) isAsking = false;
      });
  };

  const settle = async (asking: AskingOptions): Promise<void> => {
    while (doubt !== "none" && !asking.signal.aborted) {
      const about = doubt;
      doubt = "none";
      const who = await askUntilAnswered(client.me, asking);
      if (asking.signal.aborted) return;
      const isNew = book.takeMe(who);
      if (isNew || about === "all") await load(who, asking, async () => [await client.rooms.heads()] as const);
      else retain(who);
      followers.retry();
      change();
    }
  };

  /** A room that was closed and whose record came late is none that one sees. */
  const retain = ({ permissions }: Me): void => {
    const open = new Set(permissions.map(({ on }) => on));
    board.retain((room) => open.has(room));
  };

  /** What the logs do not tell: the heads, and that a stop which the disk did not take went with its daemon. */
  const askAgain = async (signal: AbortSignal): Promise<void> => {
    const before = book.holds();
    const [heads, stops] = await Promise.all([
      askUntilAnswered(client.rooms.heads, { clock, signal }).catch(() => []),
      askUntilAnswered(client.stops.list, { clock, signal }).catch(() => before),
    ]);
    if (signal.aborted) return;
    board.setHeads(heads);
    // What the log told meanwhile is newer.
    if (book.holds() === before) book.takeHolds(stops);
    change();
  };

  /** A browser is not told why a connection was refused: a request is. */
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
    doubt = "none";
    isAsking = false;
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
      try {
        storage.set(CHOSEN, house);
      } catch {
        // No space: the house is shown until the page is closed.
      }
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

/** Without the stops the house is shown as it was when it was opened. */
const ifClosed = (error: unknown): undefined => {
  if (!isHearthError(error, "auth.denied")) throw error;
};
