/** Watches the work of agents in a room: the live stream, and the deltas of each running activation. */
import {
  type Activation,
  type ActivationDetail,
  type ActivationId,
  type Clock,
  isHearthError,
  type RoomId,
  type StoredEvent,
} from "@hearth/protocol";
import type { StreamItem } from "../follow.ts";
import { retryUntilAnswered } from "../transient.ts";
import type { Socket } from "../socket.ts";
import { followReopening } from "../socket/reopening.ts";
import { StoredDelta, StoredLive } from "../stored.ts";
import type { Activity } from "./activity.ts";
import type { LiveActivation } from "./room.ts";
import { observe } from "../observe.ts";

export interface ActivationCalls {
  readonly rooms: {
    activations(
      room: RoomId,
      query: { readonly limit: number; readonly since?: number },
    ): Promise<readonly Activation[]>;
  };
  readonly activations: {
    get(id: ActivationId): Promise<ActivationDetail>;
    stop(id: ActivationId): Promise<Activation>;
    retry(id: ActivationId): Promise<Activation>;
  };
}

export interface ActivityWatch {
  /** Follows the live stream until `signal` aborts. */
  followLive(): Promise<void>;
  /** Follows the deltas of exactly these activations. */
  followDeltasOf(live: readonly LiveActivation[]): void;
}

export interface WatchOptions {
  readonly client: ActivationCalls;
  readonly socket: Socket;
  readonly activity: Activity;
  readonly room: RoomId;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when the activity or the state of the live stream may have changed. */
  readonly onChange: (kind: StreamItem<StoredEvent>["kind"]) => void;
}

export const RECENT_ACTIVATIONS = 50;

export const createActivityWatch = ({
  client,
  socket,
  activity,
  room,
  clock,
  signal,
  onChange,
}: WatchOptions): ActivityWatch => {
  const deltaFollowers = new Map<ActivationId, AbortController>();

  /**
   * Refetches the activations after an outage, because the live stream of a restarted daemon does
   * not contain earlier ones.
   */
  const check = async (): Promise<void> => {
    const recent = await retryUntilAnswered(() => client.rooms.activations(room, { limit: RECENT_ACTIVATIONS }), {
      clock,
      signal,
    }).catch(() => []);
    if (signal.aborted) return;
    activity.list(recent);
    const known = new Set(recent.map(({ id }) => id));
    for (const { id } of activity.liveActivations()) if (!known.has(id)) observe(refetchActivation(id));
    onChange("event");
  };

  /** Refetches one activation. If the request fails, the shown details stay. */
  const refetchActivation = async (id: ActivationId): Promise<void> => {
    try {
      activity.list([await retryUntilAnswered(() => client.activations.get(id), { clock, signal })]);
    } catch (error) {
      if (!isHearthError(error, "activation.not-found")) return;
      activity.forget(id);
    }
    onChange("event");
  };

  const followDeltas = async (id: ActivationId, until: AbortSignal): Promise<void> => {
    for await (const item of socket.follow(`deltas:${id}`, StoredDelta, { signal: until })) {
      if (item.kind === "event") activity.applyDelta(id, item.event);
      else if (item.kind === "restarted") activity.clearParts(id);
      else continue;
      onChange("event");
    }
  };

  /**
   * Drops the followers of deltas, which were closed together with the room. The deltas are sent
   * again when the room opens.
   */
  const leaveDeltas = (): void => {
    for (const [id, one] of deltaFollowers) {
      one.abort();
      activity.clearParts(id);
    }
    deltaFollowers.clear();
  };

  return {
    async followLive() {
      let was: StreamItem<StoredEvent>["kind"] = "open";
      await followReopening({ socket, clock, stream: `live:${room}`, schema: StoredLive, signal }, (item) => {
        if (item.kind === "open" && was === "end") leaveDeltas();
        if (item.kind === "event") {
          const unexplained = activity.applyLiveEvent(item.event);
          if (unexplained !== undefined) observe(refetchActivation(unexplained));
        } else if (item.kind === "restarted" || (item.kind === "open" && was !== "open")) observe(check());
        if (item.kind === "lost" || item.kind === "open" || item.kind === "end") was = item.kind;
        onChange(item.kind);
      });
      for (const one of deltaFollowers.values()) one.abort();
    },
    followDeltasOf(live) {
      const running = new Set(live.filter((one) => one.state === "running").map(({ id }) => id));
      for (const [id, one] of deltaFollowers) {
        if (running.has(id)) continue;
        one.abort();
        deltaFollowers.delete(id);
      }
      for (const id of running) {
        if (deltaFollowers.has(id)) continue;
        const one = new AbortController();
        deltaFollowers.set(id, one);
        observe(followDeltas(id, one.signal));
      }
    },
  };
};
