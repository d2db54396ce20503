/**
 * A fake house for tests of commands. It serves the routes that commands use, and the test decides
 * what bots do. It checks no permissions and no input, because the tests of the real house cover
 * them.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Activation,
  ActivationId,
  type AgentContent,
  type AgentId,
  type AgentRecord,
  type ChangeRoomView,
  type DeltaEvent,
  type ErrorBody,
  type HouseContent,
  type HouseRecord,
  type LiveEvent,
  type RenameRoom,
  type RoomContent,
  type RoomRecord,
  RoomView,
  StoredMessage,
  noUsage,
  parseMentions,
} from "@hearth/protocol";
import { createFakeGrants } from "./fake-grants.ts";
import { createFakeRecords, notFoundResponse, errorResponse } from "./fake-records.ts";
import { createFakeStreams } from "./fake-streams.ts";

export interface FakeActivation {
  readonly id: ActivationId;
  delta(event: DeltaPart): void;
  /** Replies to the message of the activation, and to `otherMessages`. */
  reply(text: string, otherMessages?: readonly StoredMessage[], label?: Pick<StoredMessage, "label">): void;
  end(state: Activation["state"], endFields?: EndFields): void;
}

type EndFields = Partial<Pick<Activation, "error" | "reason" | "mergedInto">>;
type WithoutTime<Event> = Event extends unknown ? Omit<Event, "at"> : never;
export type DeltaPart = WithoutTime<DeltaEvent>;

/** The status of a healthy house. */
export const fakeStatus = {
  version: "1.2.3",
  home: "/h",
  url: "http://127.0.0.1:1",
  pid: 7,
  startedAt: 1_000_000 - 65_000,
  durability: "process",
  houses: 1,
  rooms: 2,
  agents: 3,
  activations: { queued: 4, running: 5 },
  cells: [],
};

export interface FakeHouse {
  readonly home: string;
  readonly main: AgentRecord;
  readonly owner: AgentRecord;
  /** The first house. The owner has x on every house and room. */
  readonly house: HouseRecord;
  /**
   * `METHOD path {body}` of every request, in order; `FOLLOW path` for a request that follows a
   * stream.
   */
  readonly requests: readonly string[];
  readonly streams: Pick<ReturnType<typeof createFakeStreams>, "append" | "restoreTo">;
  /** The query of each request. */
  readonly queries: readonly Readonly<Record<string, string>>[];
  /** The current address of the house, and the owner's token. */
  facts(): { readonly url: string; readonly token: string };
  /** Resolves once a request that ends with this text has arrived. */
  whenRequested(end: string): Promise<void>;
  addAgent(content: AgentContent): AgentRecord;
  addRoom(content: RoomContent): RoomRecord;
  addHouse(content: HouseContent): HouseRecord;
  directRoom(agent: AgentRecord): RoomRecord;
  /** Appends a message by this author. */
  postMessage(room: RoomRecord, author: AgentRecord, text: string): StoredMessage;
  /** Edits a message as its author. Without a text, deletes it. */
  change(message: StoredMessage, text?: string): void;
  /** Called after each message that the command posts. Set by the test. */
  onPost: (message: StoredMessage) => void | Promise<void>;
  wake(cause: StoredMessage, agent: AgentRecord): FakeActivation;
  /** Makes a route answer with this error. */
  refuse(methodAndPath: string, error: ErrorBody): void;
  /** Undoes `refuse`. */
  allow(methodAndPath: string): void;
  /** Sets a fixed answer for a route. */
  answer(methodAndPath: string, body: unknown): void;
  /** Stops the server. In-memory streams are lost. */
  stopServer(): Promise<void>;
  /** Drops the in-memory streams. */
  forgetStreams(): void;
  /** Starts the server again with a new port and token. */
  restartServer(): Promise<void>;
  close(): Promise<void>;
}

export const createFakeHouse = async (home: string): Promise<FakeHouse> => {
  let count = 0;
  const id = (prefix: string): string => `${prefix}_${String((count += 1)).padStart(26, "0")}`;
  const records = createFakeRecords(id);
  const { agents, rooms, houses, addAgent, addRoom, addHouse } = records;
  const activations = new Map<string, Activation>();
  const streams = createFakeStreams(id);
  const refusals = new Map<string, ErrorBody>();
  const answers = new Map<string, unknown>();
  const views = new Map<string, RoomView>();
  const postedMessages = new Map<string, StoredMessage>();
  const requests: string[] = [];
  const queries: Record<string, string>[] = [];
  const watchers = new Set<() => void>();
  let token = "";
  let server: ReturnType<typeof Bun.serve> | undefined;

  const appendMessage = (
    room: RoomRecord,
    author: AgentId,
    text: string,
    overrides: Partial<StoredMessage> = {},
  ): StoredMessage => {
    const handles = parseMentions(text);
    const mentions = agents.filter(({ handle }) => handles.includes(handle)).map((agent) => agent.id);
    const body = { format: "markdown", text } as const;
    return StoredMessage.parse(
      streams.append(`room:${room.id}`, {
        type: "message",
        room: room.id,
        author,
        at: 1,
        body,
        mentions,
        causes: [],
        ...overrides,
      }),
    );
  };

  const firstHouse = addHouse({ name: "home", timezone: "UTC" });
  const owner = addAgent({ name: "Owner", kind: "human" });
  const main = addAgent({ name: "Main", kind: "bot" });
  const grants = createFakeGrants(owner.id);
  const directRoom = (agent: AgentRecord): RoomRecord =>
    rooms.find(({ content }) => content.kind === "direct" && content.members?.includes(agent.id)) ??
    addRoom({ name: agent.content.name, kind: "direct", members: [owner.id, agent.id] });

  const route = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const key = `${request.method} ${pathname}`;
    queries.push(Object.fromEntries(new URL(request.url).searchParams));
    requests.push(
      request.headers.get("accept") === "text/event-stream"
        ? `FOLLOW ${pathname}`
        : text === ""
          ? key
          : `${key} ${text}`,
    );
    for (const notifyWatcher of [...watchers]) notifyWatcher();
    if (request.headers.get("authorization") !== `Bearer ${token}`)
      return errorResponse({ code: "auth.invalid", message: "Unknown key." });
    const refusal = refusals.get(key);
    if (refusal !== undefined) return errorResponse(refusal);
    if (answers.has(key)) return Response.json(answers.get(key));
    const [, , kind = "", name, subresource, targetName] = pathname.split("/").map(decodeURIComponent);
    const agent = agents.find((record) => record.id === name || record.handle === name);
    const room = rooms.find((record) => record.id === name || record.handle === name);
    if (kind === "agents" && subresource === "room" && agent !== undefined) return Response.json(directRoom(agent));
    if (kind === "agents" && subresource === "chats" && agent !== undefined) {
      const name = `${agent.content.name} ${rooms.length + 1}`;
      return Response.json(addRoom({ name, kind: "direct", members: [owner.id, agent.id], titleFrom: "next" }));
    }
    if (kind === "room-views") return Response.json({ agent: owner.id, views: [...views.values()], head: 0 });
    if (kind === "rooms" && subresource === "view" && room !== undefined) {
      const view = changeView(views.get(room.id) ?? { room: room.id }, body as ChangeRoomView);
      views.set(room.id, view);
      return Response.json(view);
    }
    if (kind === "rooms" && subresource === "title" && room !== undefined) {
      const patch = new Request(request.url, { method: "PATCH" });
      const content = { ...(body as RenameRoom), titleFrom: null };
      return records.answer(patch, { kind, name: room.id, body: { content } }) ?? notFoundResponse();
    }
    if (kind === "agents" && subresource === "activations" && agent !== undefined) {
      const cause = new URL(request.url).searchParams.get("cause");
      return Response.json(
        [...activations.values()].filter(
          (activation) => activation.agent === agent.id && (cause === null || activation.cause === cause),
        ),
      );
    }
    if (subresource === "grants") {
      const on = [...houses, ...rooms].find((place) => place.id === name)?.id;
      const grantee = agents.find((record) => record.id === targetName || record.handle === targetName)?.id;
      return grants.change(request.method, on, grantee, body) ?? notFoundResponse();
    }
    if (kind === "grants") return grants.list(new URL(request.url).searchParams);
    if (kind === "me") {
      const permissions = [...houses, ...rooms].map((place) => ({ on: place.id, level: "x" }));
      return Response.json({ agent: owner, house: firstHouse, version: "1.2.3", permissions });
    }
    if (kind === "rooms" && subresource === "activations")
      return Response.json(
        [...activations.values()]
          .filter((activation) => activation.room === name)
          .filter((activation) =>
            [null, String(activation.state)].includes(new URL(request.url).searchParams.get("state")),
          ),
      );
    const recordResponse =
      subresource === undefined
        ? records.answer(request, { kind, ...(name === undefined ? {} : { name }), body })
        : undefined;
    if (recordResponse !== undefined) return recordResponse;
    if (kind === "rooms" && room === undefined) return notFoundResponse();
    if (kind === "rooms" && subresource === "events") return streams.read(`room:${room?.id}`, request);
    if (kind === "rooms" && subresource === "live") return streams.read(`live:${room?.id}`, request);
    if (kind === "rooms" && subresource === "messages" && room !== undefined) {
      const { text: messageText, idempotencyKey = "" } = body as { text: string; idempotencyKey?: string };
      const earlierMessage = postedMessages.get(idempotencyKey);
      const message = earlierMessage ?? appendMessage(room, owner.id, messageText);
      postedMessages.set(idempotencyKey, message);
      if (earlierMessage === undefined) await self.onPost(message);
      return Response.json(message, { status: 201 });
    }
    if (kind === "activations" && name !== undefined) {
      const activation = activations.get(name);
      if (activation === undefined)
        return errorResponse({ code: "activation.not-found", message: "It does not exist." });
      if (subresource === "deltas") {
        // The activation has ended and its stream no longer exists.
        if (activation.state !== "running" && !streams.has(`deltas:${name}`)) streams.end(`deltas:${name}`);
        return streams.read(`deltas:${name}`, request);
      }
      if (subresource === "retry") {
        const retriedActivation =
          activation.retriedBy === undefined ? undefined : activations.get(activation.retriedBy);
        if (retriedActivation !== undefined) return Response.json(retriedActivation);
        const { error: _error, reason: _reason, endedAt: _endedAt, ...retryFields } = activation;
        const newActivation: Activation = { ...retryFields, id: ActivationId.parse(id("act")), state: "queued" };
        activations.set(newActivation.id, newActivation);
        activations.set(activation.id, { ...activation, retriedBy: newActivation.id });
        return Response.json(newActivation);
      }
      if (subresource === "stop") {
        finish(activation, "stopped");
        return Response.json(activations.get(name));
      }
      return Response.json({ ...activation, steps: [], parts: [] });
    }
    if (key === "GET /api/stops") return Response.json([]);
    if (key === "GET /api/budget") return Response.json({ currency: "USD", timezone: "UTC", budgets: [] });
    if (key === "POST /api/stop") return Response.json({ stopping: true }, { status: 202 });
    return errorResponse({ code: "request.not-found", message: `There is no ${key}.` });
  };

  const appendLive = (activation: Activation, event: WithoutTime<LiveEvent>): void => {
    streams.append(`live:${activation.room}`, { ...event, at: 1 });
  };

  const finish = (activation: Activation, state: Activation["state"], fields: EndFields = {}): void => {
    activations.set(activation.id, { ...activation, state, ...fields, endedAt: 3 });
    appendLive(activation, { type: "activation-over", activation: activation.id, agent: activation.agent, state });
    streams.append(`deltas:${activation.id}`, { type: "end", at: 1, state });
    streams.end(`deltas:${activation.id}`);
  };

  const startServer = async (): Promise<void> => {
    token = id("token");
    server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: route });
    await mkdir(join(home, "run"), { recursive: true });
    await writeFile(join(home, "run/token"), `${token}\n`);
    await writeFile(join(home, "run/pid"), `${process.pid}\n`);
    await writeFile(join(home, "run/url"), `http://127.0.0.1:${server.port}\n`);
  };

  const stopServer = async (): Promise<void> => {
    await server?.stop(true);
    streams.forget();
  };

  const self: FakeHouse = {
    home,
    main,
    owner,
    house: firstHouse,
    requests,
    streams,
    queries,
    facts: () => ({ url: `http://127.0.0.1:${server?.port}`, token }),
    whenRequested: (end) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!requests.some((request) => request.endsWith(end))) return;
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      }),
    addAgent,
    addRoom,
    addHouse,
    directRoom,
    postMessage: (room, author, text) => appendMessage(room, author.id, text),
    change({ room, author: by, id: message }, text) {
      const event = { room, by, at: 1, message };
      streams.append(
        `room:${room}`,
        text === undefined
          ? { type: "message-deleted", ...event }
          : { type: "message-edited", ...event, body: { format: "markdown", text } },
      );
    },
    onPost: () => {},
    wake(cause, agent) {
      const activation: Activation = {
        id: ActivationId.parse(id("act")),
        agent: agent.id,
        room: cause.room,
        trigger: "direct",
        cause: cause.id,
        state: "running",
        usage: noUsage,
        depth: 0,
        createdAt: 1,
        startedAt: 2,
      };
      activations.set(activation.id, activation);
      appendLive(activation, {
        type: "activation-queued",
        activation: activation.id,
        agent: agent.id,
        cause: cause.id,
      });
      return {
        id: activation.id,
        delta: (event) => {
          streams.append(`deltas:${activation.id}`, { ...event, at: 1 });
        },
        reply(text, otherMessages = [], label) {
          const room = rooms.find((record) => record.id === cause.room);
          const causes = [cause, ...otherMessages].map((message) => message.id);
          if (room !== undefined) appendMessage(room, agent.id, text, { causes, activation: activation.id, ...label });
          finish(activation, "replied");
        },
        end: (state, fields) => finish(activation, state, fields),
      };
    },
    refuse: (methodAndPath, error) => {
      refusals.set(methodAndPath, error);
    },
    allow: (methodAndPath) => {
      refusals.delete(methodAndPath);
    },
    answer: (methodAndPath, body) => {
      answers.set(methodAndPath, body);
    },
    stopServer,
    forgetStreams: () => streams.forget(),
    restartServer: startServer,
    async close() {
      await stopServer();
      await rm(home, { recursive: true, force: true });
    },
  };
  await startServer();
  return self;
};

/** Returns the view after a change. An empty room has the head 0. */
const changeView = ({ room, pinnedAt, archivedHead }: RoomView, { pinned, archived }: ChangeRoomView): RoomView =>
  RoomView.parse({
    room,
    ...((pinned ?? pinnedAt !== undefined) ? { pinnedAt: 1 } : {}),
    ...((archived ?? archivedHead !== undefined) ? { archivedHead: 0 } : {}),
  });
