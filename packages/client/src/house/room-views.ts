/** Holds the rooms that the user pinned or archived. It loads them once, and then follows the user's log. */
import {
  type AgentId,
  type Clock,
  isArchived,
  isHearthError,
  type RoomId,
  type RoomView,
  type RoomViews as LoadedViews,
  StoredEvent,
} from "@hearth/protocol";
import type { Socket } from "../socket.ts";
import { isTransient, retryUntilAnswered } from "../transient.ts";

export interface RoomViewsReader {
  /** Returns whether the user pinned or archived the room. `head` is the offset of its last event. */
  viewOf(room: RoomId, head: number): { readonly isPinned: boolean; readonly isArchived: boolean };
  /**
   * Loads the views, and follows their changes until `signal` aborts. A user without access to the
   * log sees the house without views.
   */
  open(signal: AbortSignal): Promise<void>;
}

export interface RoomViewsOptions {
  readonly client: { readonly rooms: { views(): Promise<LoadedViews> } };
  readonly socket: Socket;
  readonly clock: Clock;
  readonly onChange: () => void;
}

const RELOAD_PAUSE_MS = 1_000;

export const createRoomViews = ({ client, socket, clock, onChange }: RoomViewsOptions): RoomViewsReader => {
  let views: ReadonlyMap<RoomId, RoomView> = new Map();
  let controller = new AbortController();

  const setViews = (list: readonly RoomView[]): void => {
    views = new Map(list.map((view) => [view.room, view]));
    onChange();
  };

  /** Follows the log. Resolves when it ended, for example because the house was restored from a backup. */
  const follow = async (agent: AgentId, after: number, signal: AbortSignal): Promise<void> => {
    for await (const item of socket.follow(`agent:${agent}`, StoredEvent, { after, signal })) {
      if (item.kind === "restarted" || item.kind === "failed") return;
      if (item.kind === "event" && item.event.type === "room-view-changed")
        setViews([...new Map(views).set(item.event.view.room, item.event.view).values()]);
    }
  };

  const load = async (signal: AbortSignal): Promise<LoadedViews> => {
    const loadedViews = await client.rooms.views();
    if (!signal.aborted) setViews(loadedViews.views);
    return loadedViews;
  };

  const keepFollowing = async (initialViews: LoadedViews, signal: AbortSignal): Promise<void> => {
    for (let latestViews = initialViews; !signal.aborted;) {
      await follow(latestViews.agent, latestViews.head, signal);
      await clock.sleep(RELOAD_PAUSE_MS, signal);
      if (!signal.aborted) latestViews = await retryUntilAnswered(() => load(signal), { clock, signal });
    }
  };

  return {
    viewOf(room, head) {
      const view = views.get(room);
      return { isPinned: view?.pinnedAt !== undefined, isArchived: isArchived(view, head) };
    },

    async open(signal) {
      controller.abort();
      controller = new AbortController();
      const combinedSignal = AbortSignal.any([signal, controller.signal]);
      try {
        // After a refusal, the last known views stay. The reader of the house reports a lost session.
        keepFollowing(await load(combinedSignal), combinedSignal).catch((error: unknown) => {
          if (!combinedSignal.aborted && !isHearthError(error)) reportError(error);
        });
      } catch (error) {
        if (isHearthError(error) && isTransient(error)) throw error;
      }
    },
  };
};
