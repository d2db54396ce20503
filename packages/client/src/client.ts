/** Everything a house offers at its port, as typed calls. Knows no platform: who calls brings `fetch` and `sleep`. */
import {
  Activation,
  ActivationDetail,
  type ActivationId,
  ActivationList,
  type ActivationQuery,
  AgentList,
  type AgentContent,
  AgentRecord,
  ChatAnswer,
  CheckList,
  type Clock,
  CreatedKey,
  type CreateKey,
  type CreateProvider,
  DeltaEvent,
  EventPage,
  type HouseContent,
  HouseList,
  HouseRecord,
  KeyList,
  LiveEvent,
  LoginLink,
  type PatchRecord,
  type PostMessage,
  ProviderInfo,
  ProviderList,
  ProviderTest,
  type RecordOf,
  type RecordType,
  type RoomContent,
  RoomList,
  RoomRecord,
  Status,
  type Stored,
  StoredEvent,
  StoredMessage,
} from "@hearth/protocol";
import { type Following, type StreamItem, follow } from "./follow.ts";
import { type Connection, type RequestOptions, type Schema, request, requestJson } from "./request.ts";

export interface ClientOptions extends Connection {
  readonly sleep: Clock["sleep"];
}

/** The fields that a new record needs; the house adds defaults. */
type Content<Type extends RecordType> = {
  readonly house: Pick<HouseContent, "name"> & Partial<HouseContent>;
  readonly room: Pick<RoomContent, "name"> & Partial<RoomContent>;
  readonly agent: AgentContent;
}[Type];

export interface RecordCalls<Type extends RecordType> {
  list(): Promise<readonly RecordOf<Type>[]>;
  get(idOrHandle: string): Promise<RecordOf<Type>>;
  create(content: Content<Type>): Promise<RecordOf<Type>>;
  update(idOrHandle: string, patch: PatchRecord): Promise<RecordOf<Type>>;
  remove(idOrHandle: string): Promise<void>;
}

/** Where to read from, and for how long to wait for a first event. */
export interface Reading {
  readonly after?: number;
  readonly limit?: number;
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

export type Client = ReturnType<typeof createClient>;

export const createClient = (options: ClientOptions) => {
  const { sleep, ...connection } = options;

  const ask = <Answer>(schema: Schema<Answer>, path: string, more: RequestOptions = {}): Promise<Answer> =>
    requestJson(connection, schema, "GET", path, more);
  const tell = <Answer>(schema: Schema<Answer>, path: string, body: unknown): Promise<Answer> =>
    requestJson(connection, schema, "POST", path, { body });
  const done = async (method: "POST" | "DELETE", path: string): Promise<void> => {
    const response = await request(connection, method, path, method === "POST" ? { body: {} } : {});
    await response.body?.cancel();
  };

  const records = <Type extends RecordType>(
    path: string,
    one: Schema<RecordOf<Type>>,
    many: Schema<readonly RecordOf<Type>[]>,
  ): RecordCalls<Type> => ({
    list: () => ask(many, path),
    get: (idOrHandle) => ask(one, at(path, idOrHandle)),
    create: (content) => tell(one, path, { content }),
    update: (idOrHandle, patch) => requestJson(connection, one, "PATCH", at(path, idOrHandle), { body: patch }),
    remove: (idOrHandle) => done("DELETE", at(path, idOrHandle)),
  });

  const page = (path: string, { signal, ...query }: Reading = {}): Promise<EventPage> =>
    ask(EventPage, path, { query, signal });
  const stream = <Event extends StoredEvent>(
    path: string,
    schema: Schema<Event>,
    following: Following,
  ): AsyncIterable<StreamItem<Event>> => follow({ connection, sleep }, path, schema, following);
  const memoryStream = <Event extends StoredEvent>(
    path: string,
    schema: Schema<Event>,
    following: Following,
  ): AsyncIterable<StreamItem<Event>> => follow({ connection, sleep, inMemory: true }, path, schema, following);

  return {
    houses: records<"house">("/api/houses", HouseRecord, HouseList),
    rooms: {
      ...records<"room">("/api/rooms", RoomRecord, RoomList),
      /** Repeating a post with the same `idempotencyKey` gives the first message again. */
      post: (room: string, message: PostMessage): Promise<StoredMessage> =>
        tell(StoredMessage, at("/api/rooms", room, "messages"), message),
      events: (room: string, reading?: Reading) => page(at("/api/rooms", room, "events"), reading),
      /** The offset of the last event, 0 when there is none. */
      head: (room: string): Promise<number> =>
        findHead(
          async (offset) =>
            (await page(at("/api/rooms", room, "events"), { after: offset - 1, limit: 1 })).events.length > 0,
        ),
      follow: (room: string, following: Following) =>
        stream(at("/api/rooms", room, "events"), StoredMessage, following),
      /** Which activations the room has right now, in memory. */
      live: (room: string, reading?: Reading) => page(at("/api/rooms", room, "live"), reading),
      followLive: (room: string, following: Following) =>
        memoryStream(at("/api/rooms", room, "live"), stored(LiveEvent), following),
    },
    agents: {
      ...records<"agent">("/api/agents", AgentRecord, AgentList),
      /** The direct room of this agent and who is asking; made on first use. */
      room: (agent: string): Promise<RoomRecord> => tell(RoomRecord, at("/api/agents", agent, "room"), {}),
      log: (agent: string, reading?: Reading) => page(at("/api/agents", agent, "log"), reading),
      followLog: (agent: string, following: Following) =>
        stream(at("/api/agents", agent, "log"), StoredEvent, following),
      activations: (agent: string, query: Partial<ActivationQuery> = {}): Promise<readonly Activation[]> =>
        ask(ActivationList, at("/api/agents", agent, "activations"), { query }),
    },
    activations: {
      get: (id: ActivationId) => ask(ActivationDetail, at("/api/activations", id)),
      stop: (id: ActivationId): Promise<Activation> => tell(Activation, at("/api/activations", id, "stop"), {}),
      deltas: (id: ActivationId, reading?: Reading) => page(at("/api/activations", id, "deltas"), reading),
      /** What an activation does, as it happens. */
      followDeltas: (id: ActivationId, following: Following) =>
        memoryStream(at("/api/activations", id, "deltas"), stored(DeltaEvent), following),
    },
    keys: {
      list: () => ask(KeyList, "/api/keys"),
      create: (key: CreateKey): Promise<CreatedKey> => tell(CreatedKey, "/api/keys", key),
      revoke: (id: string): Promise<void> => done("DELETE", at("/api/keys", id)),
    },
    providers: {
      list: (): Promise<readonly ProviderInfo[]> => ask(ProviderList, "/api/providers"),
      create: (provider: CreateProvider): Promise<ProviderInfo> => tell(ProviderInfo, "/api/providers", provider),
      remove: (name: string): Promise<void> => done("DELETE", at("/api/providers", name)),
      /** Makes one small call with this model. */
      test: (name: string, model: string): Promise<ProviderTest> =>
        tell(ProviderTest, at("/api/providers", name, "test"), { model }),
    },
    /** Says something in the direct room with an agent and waits for its reply. */
    chat: (agentName: string, message: string): Promise<ChatAnswer> =>
      tell(ChatAnswer, "/api/chat", { agentName, message }),
    status: () => ask(Status, "/api/status"),
    doctor: () => ask(CheckList, "/api/doctor"),
    loginLink: () => tell(LoginLink, "/api/login-links", {}),
    /** Begins an orderly end of the daemon. */
    stop: (): Promise<void> => done("POST", "/api/stop"),
  };
};

/** A path whose last parts are names that may hold anything. */
const at = (path: string, ...names: readonly string[]): string =>
  [path, ...names.map((name) => encodeURIComponent(name))].join("/");

/** The largest offset that is there. Offsets are dense, so about twice as many questions as it has bits find it. */
const findHead = async (isThere: (offset: number) => Promise<boolean>): Promise<number> => {
  let past = 1;
  while (await isThere(past)) past *= 2;
  let there = Math.floor(past / 2);
  while (past - there > 1) {
    const middle = Math.floor((there + past) / 2);
    if (await isThere(middle)) there = middle;
    else past = middle;
  }
  return there;
};

/** Of all stored events, those of one in-memory stream. */
const stored = <Event extends DeltaEvent | LiveEvent>(schema: Schema<Event>): Schema<Stored<Event>> => ({
  safeParse(value) {
    const event = StoredEvent.safeParse(value);
    if (!event.success) return event;
    const own = schema.safeParse(event.data);
    return own.success ? { success: true, data: { ...own.data, id: event.data.id, offset: event.data.offset } } : own;
  },
});
