/** The direct room of a person and an agent, and one message there with its reply. */
import {
  type Activation,
  type ActivationId,
  fromErrorBody,
  HearthError,
  isForHouse,
  isHearthError,
  type RoomId,
  type StoredMessage,
} from "@hearth/protocol";
import { chatOperations, roomViewOperations } from "@hearth/protocol/operations";
import { requireReady } from "../require-ready.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const chatRoutes = (app: App, options: RouteOptions): void => {
  const { access, lifetimes, areas } = options;
  const { world, memory } = areas.kernel;
  const { rooms, chats } = areas.people;

  bind(app, options, chatOperations, {
    directRoom: async ({ principal, params }) => {
      const { id } = await access.find(principal, "agent", params.agent);
      const self = principal.agent;
      if (id === self) throw selfChatError();
      return rooms.direct(self, id);
    },

    newChat: async ({ principal, params }) => {
      const { id } = await access.find(principal, "agent", params.agent);
      if (id === principal.agent) throw selfChatError();
      return chats.begin(principal.agent, id);
    },

    branch: async ({ principal, params }) =>
      chats.branch(await access.find(principal, "room", params.room), params.message, principal.agent),

    chat: async ({ principal, caller, request, body }) => {
      await requireReady(options.areas.daemon.ready);
      const { agentName, message } = body;
      const self = await access.self(principal);
      const agent = await access.findBot(principal, agentName);
      if (agent.id === self.id) throw selfChatError();
      const { id: room } = await rooms.direct(self.id, agent.id);
      const sessionId = world.ids.derive("ses", room, agent.id);
      const life = lifetimes.begin(caller, { peer: request.signal });
      try {
        const liveHead = await memory.head(`live:${room}`);
        const postedMessage = await rooms.post(room, { text: message }, self.id);
        // A command for the house wakes no agent.
        if (isForHouse(message)) return { result: "", sessionId };
        const id = world.ids.derive("act", postedMessage.id, agent.id);
        const activation = await waitUntilOver(options, { id, room, liveHead, signal: life.signal });
        if (isPostponed(activation, world.clock.now())) {
          const { retryAt } = activation;
          return { result: "", sessionId, retryAt };
        }
        checkReplied(activation);
        const result = (await findReply(options, postedMessage, activation.id))?.body.text ?? "";
        return { result, sessionId };
      } finally {
        life.end();
      }
    },
  });
};

export const roomViewRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { chats } = areas.people;

  bind(app, options, roomViewOperations, {
    views: async ({ principal }) => {
      const readable = new Set(await access.readableRooms(principal));
      const { agent, views, head } = await chats.views(principal.agent);
      return { agent, views: views.filter(({ room }) => readable.has(room)), head };
    },

    setView: async ({ principal, params, body }) => {
      const { id } = await access.find(principal, "room", params.room);
      return chats.setView(principal.agent, id, body);
    },

    rename: async ({ principal, params, body }) => {
      const room = await access.find(principal, "room", params.room);
      return chats.rename(room, body.title, principal.agent);
    },
  });
};

const selfChatError = (): HearthError =>
  new HearthError("request.invalid", "A direct room needs two participants: this agent is you.", {
    hint: "Name another agent: hearth agent list",
  });

/** Maximum time in which a message wakes an agent. */
const WAKE_TIMEOUT_MS = 30_000;
/** Interval of polls, in case the room's live stream reports nothing. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Maximum time until a retry for which a caller waits. A later retry ends the call with `retryAt`.
 */
const RETRY_WAIT_MS = 10_000;

const isPostponed = ({ state, retryAt }: Activation, now: number): boolean =>
  state === "queued" && retryAt !== undefined && retryAt - now > RETRY_WAIT_MS;

/** Waits until the activation is over, or waits long for its next try. */
const waitUntilOverOrPostponed = async (
  { areas }: RouteOptions,
  id: ActivationId,
  signal: AbortSignal,
): Promise<Activation> => {
  const { world } = areas.kernel;
  const { activations } = areas.turns;
  const doneController = new AbortController();
  const stopSignal = AbortSignal.any([signal, doneController.signal]);
  const poll = async (): Promise<Activation> => {
    for (let currentId = id; !stopSignal.aborted; await world.clock.sleep(POLL_INTERVAL_MS, stopSignal)) {
      const activation = await activations.get(currentId);
      if (isPostponed(activation, world.clock.now())) return activation;
      currentId = activation.mergedInto ?? currentId;
    }
    return activations.get(id);
  };
  try {
    return await Promise.race([activations.wait(id, stopSignal), poll()]);
  } finally {
    doneController.abort();
  }
};

/** Waits for an activation that may not exist yet, because the bot wakes asynchronously. */
const waitUntilOver = async (
  options: RouteOptions,
  { id, room, liveHead, signal }: { id: ActivationId; room: RoomId; liveHead: number; signal: AbortSignal },
): Promise<Activation> => {
  const { memory, world } = options.areas.kernel;
  const polling = new AbortController();
  const stopPolling = (): void => polling.abort();
  signal.addEventListener("abort", stopPolling);
  const liveEvents = memory.follow(`live:${room}`, liveHead, polling.signal)[Symbol.asyncIterator]();
  const deadline = world.clock.monotonic() + WAKE_TIMEOUT_MS;
  try {
    let nextEvent = liveEvents.next();
    for (;;) {
      const activation = await undefinedIfMissing(waitUntilOverOrPostponed(options, id, signal));
      if (activation !== undefined) return activation;
      if (signal.aborted || world.clock.monotonic() >= deadline) break;
      const event = await Promise.race([nextEvent, world.clock.sleep(POLL_INTERVAL_MS, signal)]);
      if (event !== undefined) nextEvent = liveEvents.next();
    }
  } finally {
    signal.removeEventListener("abort", stopPolling);
    stopPolling();
  }
  if (signal.aborted) throw interruptedError();
  throw new HearthError("activation.failed", "The message is in the room, but it woke no agent in time.", {
    hint: "Run `hearth doctor`, and read logs/hearth.log in the home folder.",
  });
};

const undefinedIfMissing = async (pendingActivation: Promise<Activation>): Promise<Activation | undefined> => {
  try {
    return await pendingActivation;
  } catch (error) {
    if (isHearthError(error, "activation.not-found")) return undefined;
    throw error;
  }
};

/** Throws the error of an activation that did not reply. */
const checkReplied = ({ state, error, reason }: Activation): void => {
  switch (state) {
    case "replied":
    case "skipped":
      return;
    case "failed":
      throw error === undefined
        ? new HearthError("activation.failed", reason ?? "The activation failed.")
        : fromErrorBody(error);
    case "stopped":
      throw new HearthError("activation.stopped", reason ?? "The activation was stopped.");
    case "waiting":
    case "queued":
    case "running":
      throw interruptedError();
  }
};

const interruptedError = (): HearthError =>
  new HearthError("house.closing", "The wait was interrupted; the reply will be in the room.", {
    hint: "Read it there: GET /api/rooms/ROOM/events",
  });

const PAGE_SIZE = 100;

/** Returns the activation's message, which is somewhere after the one that it answers. */
const findReply = async (
  { areas }: RouteOptions,
  postedMessage: StoredMessage,
  activation: ActivationId,
): Promise<StoredMessage | undefined> => {
  let after = postedMessage.offset;
  for (;;) {
    const events = await areas.kernel.streams.read(`room:${postedMessage.room}`, after, PAGE_SIZE);
    for (const event of events) if (event.type === "message" && event.activation === activation) return event;
    const lastEvent = events.at(-1);
    if (lastEvent === undefined) return undefined;
    after = lastEvent.offset;
  }
};
