/** Follows the log of each visible house. */
import { type HearthError, type HouseId, StoredEvent } from "@hearth/protocol";
import type { Socket } from "../socket.ts";
import { observe } from "../observe.ts";

export interface HouseLogs {
  isFollowed(house: HouseId): boolean;
  /** Follows exactly these logs. A log that was not followed before starts after its offset. */
  follow(heads: ReadonlyMap<HouseId, number>): void;
}

export interface HouseLogsOptions {
  readonly socket: Socket;
  readonly onEvent: (event: StoredEvent) => void;
  /** Called for each house when the connection is back. Missed events follow. */
  readonly onReconnect: () => void;
  /**
   * Called when a log ended, because the house was restored from a backup. Gets an error if the
   * house refused the log or is no longer readable.
   */
  readonly onEnd: (house: HouseId, error: HearthError | undefined) => void;
}

export const createHouseLogs = ({ socket, onEvent, onReconnect, onEnd }: HouseLogsOptions): HouseLogs => {
  const controllers = new Map<HouseId, AbortController>();

  const followLog = async (house: HouseId, after: number, signal: AbortSignal): Promise<void> => {
    let wasLost = false;
    let error: HearthError | undefined;
    for await (const item of socket.follow(`house:${house}`, StoredEvent, { after, signal })) {
      if (item.kind === "event") onEvent(item.event);
      if (item.kind === "open" && wasLost) onReconnect();
      if (item.kind === "open" || item.kind === "lost") wasLost = item.kind === "lost";
      if (item.kind === "failed") error = item.error;
      // The house was restored from a backup, so the reader must load it again.
      if (item.kind === "restarted") break;
    }
    if (signal.aborted) return;
    controllers.delete(house);
    onEnd(house, error);
  };

  return {
    isFollowed: (house) => controllers.has(house),
    follow(heads) {
      for (const [house, controller] of controllers) {
        if (heads.has(house)) continue;
        controllers.delete(house);
        controller.abort();
      }
      for (const [house, after] of heads) {
        if (controllers.has(house)) continue;
        const controller = new AbortController();
        controllers.set(house, controller);
        observe(followLog(house, after, controller.signal));
      }
    },
  };
};
