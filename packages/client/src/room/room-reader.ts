/** Reads one room: opens with its last page, then follows its messages and the work of agents. */
import {
  type ActivationId,
  type ActivationPart,
  type AgentId,
  type Clock,
  type EventId,
  type EventPage,
  fromErrorBody,
  isHearthError,
  type ReactToMessage,
  type RoomId,
  type StoredDeletion,
  type StoredEdit,
  type StoredReaction,
  type StoredEvent,
  StoredRoomEvent,
  toErrorBody,
} from "@hearth/protocol";
import type { StreamItem } from "../follow.ts";
import type { Outbox } from "../outbox.ts";
import { retryUntilAnswered } from "../transient.ts";
import type { Socket } from "../socket.ts";
import { followReopening } from "../socket/reopening.ts";
import { type Activity, createActivity } from "./activity.ts";
import { emptyRoom, foldRoom, isMessageLogEvent } from "./fold-room.ts";
import type { RoomReader, RoomSnapshot, RoomState } from "./room.ts";
import { createUnconfirmedMessages } from "./unconfirmed.ts";
import { type ActivationCalls, RECENT_ACTIVATIONS, createActivityWatch } from "./watch.ts";
import { oncePerTurn } from "../once-per-turn.ts";
import { createListeners } from "../listeners.ts";
import { observe } from "../observe.ts";

/** The part of the client that the reader uses. */
export interface RoomCalls extends ActivationCalls {
  readonly rooms: ActivationCalls["rooms"] & {
    events(room: RoomId, page: { readonly before: number | "end"; readonly limit: number }): Promise<EventPage>;
    editMessage(room: RoomId, message: EventId, text: string): Promise<StoredEdit>;
    deleteMessage(room: RoomId, message: EventId): Promise<StoredDeletion>;
    reactTo(room: RoomId, message: EventId, reaction: ReactToMessage): Promise<StoredReaction>;
  };
}

export interface RoomReaderOptions {
  readonly client: RoomCalls;
  readonly socket: Socket;
  readonly outbox: Outbox;
  readonly room: RoomId;
  /** The agent record of the user who reads. */
  readonly me: AgentId;
  readonly clock: Clock;
}

const FIRST_PAGE_SIZE = 60;
const OLDER_PAGE_SIZE = 200;
/** The maximum page size of the house, used to reach a message far back. */
const FAR_PAGE_SIZE = 1000;
const MAX_ACTIVATIONS = 1000;

export const createRoomReader = ({ client, socket, outbox, room, me, clock }: RoomReaderOptions): RoomReader => {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const listeners = createListeners();
  const activity = createActivity();
  const unconfirmedMessages = createUnconfirmedMessages({ outbox, room, me });
  /** Events since the last snapshot. */
  const newEvents: StoredRoomEvent[] = [];
  const lostStreams = new Set<"room" | "live">();
  let fold = emptyRoom;
  let state: RoomState = { kind: "loading" };
  /** The offset of the oldest loaded event; 1 if there are no older ones. */
  let oldestOffset = 1;
  let isLoadingOlder = false;
  /** Whether every activation that the room ever had is loaded. */
  let hasAllActivations = true;

  const toSnapshot = (): RoomSnapshot => ({
    state,
    messages: fold.messages,
    hasOlder: state.kind === "ready" && oldestOffset > 1,
    isLoadingOlder,
    live: activity.liveActivations(),
    ended: activity.endedActivations(fold.messages),
    pending: unconfirmedMessages.messages(),
    isCurrent: state.kind === "ready" && lostStreams.size === 0,
  });
  let snapshot = toSnapshot();

  /** Emits one snapshot for all changes of one turn of the event loop. */
  const change = oncePerTurn(clock, () => {
    if (signal.aborted) return;
    fold = foldRoom(fold, newEvents.splice(0));
    const newSnapshot = toSnapshot();
    if (hasSameParts(snapshot, newSnapshot)) return;
    snapshot = newSnapshot;
    listeners.call();
  });

  const stopWatchingOutbox = outbox.onChange(change);

  /** Adds an event of the stream or of an older page. */
  const addEvent = (event: StoredRoomEvent): void => {
    queueEvent(event);
    unconfirmedMessages.markArrived(event);
    if (event.type === "message" && event.activation !== undefined) activity.markReplied(event.activation);
  };

  const queueEvent = (event: StoredRoomEvent): void => {
    newEvents.push(event);
    change();
  };

  const addPage = ({ events }: EventPage): void => {
    for (const event of events) if (isMessageLogEvent(event)) addEvent(event);
    oldestOffset = events[0]?.offset ?? 1;
  };

  const open = async (): Promise<void> => {
    const [page, recentActivations] = await retryUntilAnswered(
      () =>
        Promise.all([
          client.rooms.events(room, { before: "end", limit: FIRST_PAGE_SIZE }),
          client.rooms.activations(room, { limit: RECENT_ACTIVATIONS }),
        ]),
      { clock, signal },
    );
    addPage(page);
    activity.setOpenedAt(page.events.at(-1)?.at ?? 0);
    activity.list(recentActivations);
    hasAllActivations = recentActivations.length < RECENT_ACTIVATIONS;
    if (!page.events.some(isMessage)) await retryUntilAnswered(loadOlderPages, { clock, signal });
    state = { kind: "ready" };
    change();
    await Promise.all([followRoom(page.events.at(-1)?.offset ?? 0), activityWatch.followLive()]);
  };

  const followRoom = (after: number): Promise<void> =>
    followReopening({ socket, clock, stream: `room:${room}`, schema: StoredRoomEvent, after, signal }, (item) => {
      if (item.kind === "event") addEvent(item.event);
      else if (item.kind === "restarted") startOver();
      else if (item.kind === "failed") throw item.error;
      else setLost("room", item.kind);
    });

  /** Drops all events, because the house was restored from a backup and the room's stream starts again. */
  const startOver = (): void => {
    newEvents.length = 0;
    fold = emptyRoom;
    oldestOffset = 1;
    change();
  };

  const setLost = (stream: "room" | "live", kind: StreamItem<StoredEvent>["kind"]): void => {
    if (kind === "lost" || kind === "end") lostStreams.add(stream);
    else if (kind === "open") lostStreams.delete(stream);
    change();
  };

  const activityWatch = createActivityWatch({
    client,
    socket,
    activity,
    room,
    clock,
    signal,
    onChange: (kind) => setLost("live", kind),
  });
  listeners.add(() => activityWatch.followDeltasOf(snapshot.live));

  /** Loads older pages until one contains a message. A page with only edits and deletions shows nothing new. */
  const loadOlderPages = (): Promise<void> => loadUntil(OLDER_PAGE_SIZE, (page) => page.events.some(isMessage));

  /** Loads pages of this size until `isEnough` accepts one, and the activations of their messages. */
  const loadUntil = async (limit: number, isEnough: (page: EventPage) => boolean): Promise<void> => {
    let since: number | undefined;
    while (oldestOffset > 1) {
      const page = await client.rooms.events(room, { before: oldestOffset, limit });
      addPage(page);
      since = page.events.find(isMessage)?.at ?? since;
      if (isEnough(page)) break;
    }
    if (hasAllActivations || since === undefined) return;
    activity.list(await client.rooms.activations(room, { since, limit: MAX_ACTIVATIONS }));
  };

  /** Runs one load of older messages at a time. */
  const load = async (request: () => Promise<void>): Promise<void> => {
    isLoadingOlder = true;
    change();
    try {
      await request();
    } finally {
      isLoadingOlder = false;
      change();
    }
  };

  observe(
    open().catch((error: unknown) => {
      state = { kind: "failed", error: isHearthError(error) ? error : fromErrorBody(toErrorBody(error)) };
      change();
    }),
  );

  return {
    snapshot: () => snapshot,
    onChange: listeners.add,
    async loadOlder() {
      if (isLoadingOlder || state.kind !== "ready" || oldestOffset <= 1) return;
      await load(loadOlderPages);
    },
    async loadThrough(offset) {
      if (isLoadingOlder || state.kind !== "ready" || oldestOffset <= offset) return;
      await load(() => loadUntil(FAR_PAGE_SIZE, () => oldestOffset <= offset));
    },
    send: (text, options) => {
      outbox.add(room, text, options);
    },
    retry: (key) => outbox.retry(key),
    discard: (key) => outbox.discard(key),
    ...createMessageChanges(client, room, queueEvent),
    ...createActivationCalls(client, activity, change),
    [Symbol.dispose]() {
      lifetime.abort();
      stopWatchingOutbox();
      unconfirmedMessages[Symbol.dispose]();
    },
  };
};

/** Creates the reader's calls about sent messages. `queueEvent` takes the event of each change. */
const createMessageChanges = (
  client: RoomCalls,
  room: RoomId,
  queueEvent: (event: StoredRoomEvent) => void,
): Pick<RoomReader, "edit" | "remove" | "react"> => ({
  async edit(message, text) {
    queueEvent(await client.rooms.editMessage(room, message, text));
  },
  async remove(message) {
    queueEvent(await client.rooms.deleteMessage(room, message));
  },
  async react(message, reaction) {
    queueEvent(await client.rooms.reactTo(room, message, reaction));
  },
});

/** Creates the reader's calls about activations. `change` runs after each change of the activity. */
const createActivationCalls = (
  client: RoomCalls,
  activity: Activity,
  change: () => void,
): Pick<RoomReader, "stop" | "retryActivation" | "partsOf"> => {
  const partsByActivation = new Map<ActivationId, Promise<readonly ActivationPart[]>>();
  return {
    async stop(id) {
      activity.setStopping(id, "stopping");
      change();
      try {
        activity.list([await client.activations.stop(id)]);
      } catch (error) {
        activity.setStopping(id, "running");
        throw error;
      } finally {
        change();
      }
    },
    async retryActivation(id) {
      const newActivation = await client.activations.retry(id);
      activity.forget(id);
      activity.list([newActivation]);
      change();
    },
    partsOf(id) {
      const existingRequest = partsByActivation.get(id);
      if (existingRequest !== undefined) return existingRequest;
      const request = client.activations.get(id).then(({ parts, endedAt }) => {
        if (endedAt === undefined) partsByActivation.delete(id);
        return parts;
      });
      partsByActivation.set(id, request);
      request.catch(() => partsByActivation.delete(id));
      return request;
    },
  };
};

const hasSameParts = (a: RoomSnapshot, b: RoomSnapshot): boolean =>
  (Object.keys(a) as (keyof RoomSnapshot)[]).every((part) => a[part] === b[part]);

const isMessage = ({ type }: StoredEvent): boolean => type === "message";
