/**
 * An in-memory house that implements the calls and the socket of readers. Tests post messages, run
 * agents and inject failures.
 */
import {
  type Activation,
  type ActivationDetail,
  type ActivationId,
  type ActivationPart,
  type ActivationState,
  type AgentId,
  AgentRecord,
  type DeltaEvent,
  type EventId,
  type EventPage,
  HearthError,
  type Hold,
  type HouseId,
  HouseRecord,
  type LiveEvent,
  type Level,
  type MessageEvent,
  type Permission,
  type Place,
  type RoomId,
  RoomRecord,
  type RoomView,
  type Stored,
  type ReactToMessage,
  type StoredDeletion,
  type StoredReaction,
  type StoredEdit,
  type StoredMessage,
  type StreamName,
} from "@hearth/protocol";
import type { FakeWorld } from "@hearth/protocol/world-fake";
import { createFakeWire } from "./fake-wire.ts";
import type { HouseCalls } from "./house/house-calls.ts";
import type { OutboxOptions } from "./outbox.ts";
import type { RoomCalls } from "./room/room-reader.ts";

export type FakeHouse = ReturnType<typeof createFakeHouse>;

const NO_USAGE = { inputTokens: 0, outputTokens: 0 } as Activation["usage"];

export const createFakeHouse = (world: FakeWorld) => {
  const { clock, ids } = world;
  const wire = createFakeWire(world);
  const base = { house: ids.fresh("house"), version: 1, createdAt: 1, updatedAt: 1 };
  const newAgent = (name: string, kind: "human" | "bot") =>
    AgentRecord.parse({ type: "agent", id: ids.fresh("agent"), ...base, handle: name, content: { name, kind } });
  const newRoom = (name: string, content: object = {}) =>
    RoomRecord.parse({ type: "room", id: ids.fresh("room"), ...base, handle: name, content: { name, ...content } });
  const house = HouseRecord.parse({
    type: "house",
    id: base.house,
    ...base,
    handle: "home",
    content: { name: "Home" },
  });
  const me = newAgent("me", "human");
  const bot = newAgent("bot", "bot");
  const room = newRoom("den");
  const agents = new Map([me, bot].map((agent) => [agent.id, agent]));
  const rooms = new Map([[room.id, room]]);
  const activations = new Map<ActivationId, ActivationDetail>();
  const houses = new Map([[house.id, house]]);
  /** The levels of the user who reads. A room without an entry has the level of its house. */
  const levels = new Map<Place, Level | "none">([[house.id, "x"]]);
  const stops: Hold[] = [];
  const views = new Map<RoomId, RoomView>();
  const calls: string[] = [];
  /** Errors by the name of a call. The call fails with its error until the entry is removed. */
  const failures = new Map<string, HearthError>();
  /** Promises by the name of a call. The call waits for its promise. */
  const holds = new Map<string, Promise<void>>();

  const recordCall = async (name: string): Promise<void> => {
    calls.push(name);
    await clock.turn();
    await holds.get(name);
    const failure = failures.get(name) ?? failures.get("all");
    if (failure !== undefined) throw failure;
  };

  const say = (text: string, overrides: Partial<MessageEvent> = {}, roomId: RoomId = room.id): StoredMessage =>
    wire.append(`room:${roomId}`, {
      type: "message" as const,
      room: roomId,
      author: me.id,
      at: clock.now(),
      mentions: [],
      causes: [],
      body: { format: "markdown" as const, text },
      ...overrides,
    });
  const edit = (message: EventId, text: string): StoredEdit =>
    wire.append(`room:${room.id}`, {
      type: "message-edited" as const,
      room: room.id,
      by: me.id,
      at: clock.now(),
      message,
      body: { format: "markdown" as const, text },
    });
  const remove = (message: EventId): StoredDeletion =>
    wire.append(`room:${room.id}`, {
      type: "message-deleted" as const,
      room: room.id,
      by: me.id,
      at: clock.now(),
      message,
    });

  const react = (message: EventId, { emoji, isOn }: ReactToMessage, by: AgentId = me.id): StoredReaction =>
    wire.append(`room:${room.id}`, {
      type: "message-reacted" as const,
      room: room.id,
      by,
      at: clock.now(),
      message,
      emoji,
      isOn,
    });

  const appendLive = (id: ActivationId, event: object): void => {
    wire.append(`live:${room.id}`, { at: clock.now(), activation: id, agent: bot.id, ...event } as LiveEvent);
  };
  const change = (id: ActivationId, changes: Partial<Activation>): Activation => {
    const updatedActivation = { ...get(id), ...changes };
    activations.set(id, updatedActivation);
    return updatedActivation;
  };
  const get = (id: ActivationId): ActivationDetail => {
    const activation = activations.get(id);
    if (activation === undefined) throw new HearthError("activation.not-found", "no such activation");
    return activation;
  };
  const queue = (cause: EventId): ActivationId => {
    const id = ids.fresh("act");
    activations.set(id, {
      id,
      agent: bot.id,
      room: room.id,
      trigger: "direct",
      cause,
      state: "queued",
      usage: NO_USAGE,
      depth: 0,
      createdAt: clock.now(),
      steps: [],
      parts: [],
    });
    appendLive(id, { type: "activation-queued", cause });
    return id;
  };
  const run = (id: ActivationId): void => {
    const { cause } = change(id, { state: "running", startedAt: clock.now() });
    appendLive(id, { type: "activation-running", cause });
  };
  const delta = (id: ActivationId, event: object): void => {
    wire.append(`deltas:${id}`, { at: clock.now(), ...event } as DeltaEvent);
  };
  const endActivation = (id: ActivationId, overrides: object = {}): void => {
    const { state } = get(id);
    delta(id, { type: "end", state });
    wire.end(`deltas:${id}`);
    appendLive(id, { type: "activation-over", state, ...overrides });
  };
  /** Changes the state of an activation without an event. */
  const settle = (id: ActivationId, state: ActivationState, overrides: Partial<Activation> = {}): void => {
    change(id, { state, endedAt: clock.now(), ...overrides });
  };
  const reply = (id: ActivationId, text: string): StoredMessage =>
    say(text, { author: bot.id, activation: id, causes: [get(id).cause] });

  const page = (stream: StreamName, before: number | "end", limit: number): EventPage => {
    const events = wire.read(stream);
    const earlierEvents = before === "end" ? events : events.filter(({ offset }) => offset < before);
    const pageEvents = earlierEvents.slice(-limit);
    return {
      events: pageEvents as Stored[] as EventPage["events"],
      next: pageEvents.at(-1)?.offset ?? 0,
      head: events.length,
    };
  };

  const levelAt = ({ id, house: houseId }: HouseRecord | RoomRecord): Level | undefined => {
    const level = levels.get(id) ?? levels.get(houseId);
    return level === "none" ? undefined : level;
  };
  const isOpen = (place: HouseRecord | RoomRecord): boolean => levelAt(place) !== undefined;
  const permissions = (): readonly Permission[] =>
    [...houses.values(), ...rooms.values()].flatMap((place) => {
      const level = levelAt(place);
      return level === undefined ? [] : [{ on: place.id, level }];
    });

  const client: RoomCalls & HouseCalls = {
    async me() {
      await recordCall("me");
      return { agent: agents.get(me.id) ?? me, house, version: "1", permissions: [...permissions()], home: house.id };
    },
    houses: {
      async list() {
        await recordCall("houses");
        const open = new Set([...rooms.values()].filter(isOpen).map((room) => room.house));
        return [...houses.values()].filter(
          (candidate) => candidate.id === house.id || isOpen(candidate) || open.has(candidate.id),
        );
      },
      async log(houseId, { before, limit }) {
        await recordCall("log");
        return page(`house:${houseId}`, before, limit);
      },
    },
    agents: {
      async list() {
        await recordCall("agents");
        return [...agents.values()];
      },
    },
    stops: {
      async list() {
        await recordCall("stops");
        return [...stops];
      },
    },
    rooms: {
      async list() {
        await recordCall("rooms");
        return [...rooms.values()].filter(isOpen);
      },
      async heads() {
        await recordCall("heads");
        return [...rooms.keys()].map((roomId) => {
          const lastEvent = wire.read(`room:${roomId}`).at(-1);
          return {
            room: roomId,
            head: lastEvent?.offset ?? 0,
            ...(lastEvent === undefined ? {} : { at: lastEvent.at }),
          };
        });
      },
      async views() {
        await recordCall("views");
        return { agent: me.id, views: [...views.values()], head: wire.read(`agent:${me.id}`).length };
      },
      async events(roomId, { before, limit }) {
        await recordCall("events");
        return page(`room:${roomId}`, before, limit);
      },
      async activations(_, { limit, since = 0 }) {
        await recordCall("activations");
        const matchingActivations = [...activations.values()].filter(({ createdAt }) => createdAt >= since);
        return matchingActivations.toReversed().slice(0, limit);
      },
      async editMessage(_, message, text) {
        await recordCall("edit");
        return edit(message, text);
      },
      async deleteMessage(_, message) {
        await recordCall("delete");
        return remove(message);
      },
      async reactTo(_, message, reaction) {
        await recordCall("react");
        return react(message, reaction);
      },
    },
    activations: {
      async get(id) {
        await recordCall("activation");
        return get(id);
      },
      async stop(id) {
        await recordCall("stop");
        return get(id);
      },
      async retry(id) {
        await recordCall("retry");
        const newId = queue(get(id).cause);
        change(id, { retriedBy: newId });
        return get(newId);
      },
    },
  };

  const post: OutboxOptions["post"] = async (roomId, { text, idempotencyKey: key, replyTo }) => {
    await recordCall("post");
    const storedMessage = wire.read(`room:${roomId}`).find((event) => event.type === "message" && event.key === key);
    return storedMessage === undefined
      ? say(text, { key, ...(replyTo === undefined ? {} : { replyTo }) }, roomId)
      : (storedMessage as StoredMessage);
  };

  return {
    wire,
    client,
    post,
    house,
    me,
    bot,
    room,
    calls,
    newAgent,
    newRoom,
    agents,
    rooms,
    houses,
    levels,
    stops,
    say,
    edit,
    remove,
    react,
    queue,
    run,
    delta,
    reply,
    settle,
    endActivation,
    live: appendLive,
    setParts: (id: ActivationId, parts: readonly ActivationPart[]): void => {
      activations.set(id, { ...get(id), parts: [...parts] });
    },
    /** Ends an activation, and emits its events in the order of a real house. */
    finish(id: ActivationId, state: Exclude<ActivationState, "queued" | "running">, text = "done"): void {
      if (state === "replied") reply(id, text);
      settle(id, state);
      endActivation(id);
    },
    /** Changes a record and appends the change to the house's log. */
    record(change: "created" | "updated" | "removed", record: AgentRecord | RoomRecord | HouseRecord): void {
      const map: Map<string, unknown> = record.type === "agent" ? agents : rooms;
      if (record.type !== "house" && change === "removed") map.delete(record.id);
      else if (record.type !== "house") map.set(record.id, record);
      if (record.type === "room" && !isOpen(record)) this.hide(record.house);
      else wire.append(`house:${record.house}`, { type: "record-changed", at: clock.now(), by: me.id, change, record });
    },
    /**
     * Grants or revokes a level, and appends the change to the house's log. A level of the reading
     * user also takes effect.
     */
    grant(on: HouseRecord | RoomRecord, level: Level | "none", agent = me.id): void {
      if (agent === me.id) levels.set(on.id, level);
      const levelField = level === "none" ? {} : { level };
      const event = { type: "grant-changed" as const, at: clock.now(), by: bot.id, agent, on: on.id, ...levelField };
      wire.append(`house:${on.house}`, event);
      if (on.house !== house.id && level !== "none") wire.append(`house:${house.id}`, event);
    },
    /** Appends an event that the reading user may not see. */
    hide: (houseId: HouseId = house.id): void => {
      wire.append(`house:${houseId}`, { type: "hidden", at: clock.now() });
    },
    /** Stops or resumes agents, and appends the change to the house's log. */
    stop(scope: Hold["scope"], isHeld: boolean): void {
      const hold = { scope, by: me.id, at: clock.now() };
      const otherStops = stops.filter((stop) => stop.scope !== scope);
      stops.splice(0, Infinity, ...(isHeld ? [...otherStops, hold] : otherStops));
      wire.append(`house:${base.house}`, { type: "hold-changed", ...hold, isHeld });
    },
    /** Changes the user's view of a room, and appends the change to the user's log. */
    arrange(view: RoomView): void {
      views.set(view.room, view);
      wire.append(`agent:${me.id}`, { type: "room-view-changed", at: clock.now(), view });
    },
    fail: (name: string, code?: ConstructorParameters<typeof HearthError>[0]): void => {
      if (code === undefined) failures.delete(name);
      else failures.set(name, new HearthError(code, "no"));
    },
    hold(name: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(name, promise);
      return () => {
        holds.delete(name);
        resolve();
      };
    },
  };
};
