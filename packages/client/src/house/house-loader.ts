/** Fetches the records that a user can see, and puts them into the book and the board of the reader. */
import type { HouseId, Me, RoomHead } from "@hearth/protocol";
import { retryUntilAnswered, type RetryOptions } from "../transient.ts";
import type { HouseBook, StaleScope } from "./house-book.ts";
import type { HouseLogs } from "./house-logs.ts";
import type { HouseCalls } from "./house-calls.ts";
import type { RoomBoard } from "./room-board.ts";

export interface HouseLoaderOptions {
  readonly client: HouseCalls;
  readonly book: HouseBook;
  readonly board: RoomBoard;
  readonly logs: HouseLogs;
}

export interface HouseLoader {
  /** Loads everything that the user can see and the answers of `requestMore`, and then follows the logs. */
  load<More extends readonly [readonly RoomHead[], ...unknown[]]>(
    me: Me,
    retry: RetryOptions,
    requestMore: () => Promise<More>,
  ): Promise<More>;
  /** Refetches the user's permissions. With `all`, or if they changed, refetches the lists too. */
  refetch(scope: StaleScope, retry: RetryOptions): Promise<void>;
  /**
   * Refetches the state that the logs omit: heads of rooms, and stops that were not stored and
   * ended with the daemon.
   */
  refetchUnlogged(retry: RetryOptions): Promise<void>;
}

export const createHouseLoader = ({ client, book, board, logs }: HouseLoaderOptions): HouseLoader => {
  /** Returns the house and the end of its log, after which the reader follows it. */
  const readLogEnd = async (house: HouseId, retry: RetryOptions): Promise<readonly [HouseId, number]> => {
    if (logs.isFollowed(house)) return [house, 0];
    const log = await retryUntilAnswered(() => client.houses.log(house, { before: "end", limit: 1 }), retry);
    return [house, log.head];
  };

  /** Drops rooms that the user can no longer see, including records that arrived late. */
  const retain = ({ permissions }: Me): void => {
    const visibleIds = new Set(permissions.map(({ on }) => on));
    board.retain((room) => visibleIds.has(room));
  };

  const load: HouseLoader["load"] = async (me, retry, requestMore) => {
    const home = me.house.id;
    // Fetches the ends of the logs before the lists, so that no event is missed between the lists and the logs.
    const [houses, homeEnd] = await Promise.all([
      retryUntilAnswered(client.houses.list, retry),
      readLogEnd(home, retry),
    ]);
    const otherEnds = await Promise.all(houses.flatMap(({ id }) => (id === home ? [] : [readLogEnd(id, retry)])));
    const [agents, rooms, moreAnswers] = await retryUntilAnswered(
      () => Promise.all([client.agents.list(), client.rooms.list(), requestMore()]),
      retry,
    );
    if (retry.signal.aborted) return moreAnswers;
    book.setLists({ agents, houses, rooms });
    book.setMe(me);
    board.setHeads(moreAnswers[0]);
    logs.follow(new Map([homeEnd, ...otherEnds]));
    return moreAnswers;
  };

  return {
    load,
    async refetch(scope, retry) {
      const me = await retryUntilAnswered(client.me, retry);
      if (retry.signal.aborted) return;
      const isMeChanged = book.setMe(me);
      if (isMeChanged || scope === "all") await load(me, retry, async () => [await client.rooms.heads()] as const);
      else retain(me);
    },
    async refetchUnlogged(retry) {
      const holdsBefore = book.holds();
      const [heads, stops] = await Promise.all([
        retryUntilAnswered(client.rooms.heads, retry).catch(() => []),
        retryUntilAnswered(client.stops.list, retry).catch(() => holdsBefore),
      ]);
      if (retry.signal.aborted) return;
      board.setHeads(heads);
      // Stops that the log reported in the meantime are newer.
      if (book.holds() === holdsBefore) book.setHolds(stops);
    },
  };
};
