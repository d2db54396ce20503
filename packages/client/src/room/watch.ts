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
  followDeltasOf(liveActivations: readonly LiveActivation[]): void;
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
  const refetchActivations = async (): Promise<void> => {
    const recentActivations = await retryUntilAnswered(
      () => client.rooms.activations(room, { limit: RECENT_ACTIVATIONS }),
      { clock, signal },
    ).catch(() => []);
    if (signal.aborted) return;
    activity.list(recentActivations);
    const knownIds = new Set(recentActivations.map(({ id }) => id));
    for (const { id } of activity.liveActivations()) if (!knownIds.has(id)) observe(refetchActivation(id));
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

  const followDeltas = async (id: ActivationId, stopSignal: AbortSignal): Promise<void> => {
    for await (const item of socket.follow(`deltas:${id}`, StoredDelta, { signal: stopSignal })) {
      if (item.kind === "event") activity.applyDelta(id, item.event);
      else if (item.kind === "restarted") activity.clearParts(id);
      else continue;
      onChange("event");
    }
  };

  /**
   * Ends all followers of deltas, because the house closed their streams together with the room. When
   * the room opens again, new followers receive the deltas from the beginning.
   */
  const dropDeltaFollowers = (): void => {
    for (const [id, follower] of deltaFollowers) {
      follower.abort();
      activity.clearParts(id);
    }
    deltaFollowers.clear();
  };

  return {
    async followLive() {
      let lastState: StreamItem<StoredEvent>["kind"] = "open";
      await followReopening({ socket, clock, stream: `live:${room}`, schema: StoredLive, signal }, (item) => {
        if (item.kind === "open" && lastState === "end") dropDeltaFollowers();
        if (item.kind === "event") {
          const unknownActivation = activity.applyLiveEvent(item.event);
          if (unknownActivation !== undefined) observe(refetchActivation(unknownActivation));
        } else if (item.kind === "restarted" || (item.kind === "open" && lastState !== "open"))
          observe(refetchActivations());
        if (item.kind === "lost" || item.kind === "open" || item.kind === "end") lastState = item.kind;
        onChange(item.kind);
      });
      for (const follower of deltaFollowers.values()) follower.abort();
    },
    followDeltasOf(liveActivations) {
      const runningIds = new Set(
        liveActivations.filter((activation) => activation.state === "running").map(({ id }) => id),
      );
      for (const [id, follower] of deltaFollowers) {
        if (runningIds.has(id)) continue;
        follower.abort();
        deltaFollowers.delete(id);
      }
      for (const id of runningIds) {
        if (deltaFollowers.has(id)) continue;
        const controller = new AbortController();
        deltaFollowers.set(id, controller);
        observe(followDeltas(id, controller.signal));
      }
    },
  };
};
