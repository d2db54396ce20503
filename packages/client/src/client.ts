/** Everything a house offers at its port, as typed calls. Knows no platform: who calls brings `fetch` and `sleep`. */
import {
  Activation,
  ActivationDetail,
  type ActivationId,
  ActivationList,
  type ActivationQuery,
  type AgentContent,
  AgentIntrospection,
  AgentList,
  AgentRecord,
  type AgentState,
  AgentStateList,
  BudgetReport,
  ChatAnswer,
  CheckList,
  type Clock,
  type CompactAgent,
  Compaction,
  CompactionList,
  type CompactionQuery,
  CreatedKey,
  type CreateKey,
  type CreateProvider,
  EgressList,
  type EventId,
  EventPage,
  FatePage,
  type FateQuery,
  type FoundServer,
  FoundServerList,
  Grant,
  GrantList,
  type GrantQuery,
  Hold,
  HoldList,
  type HouseContent,
  type HouseId,
  HouseList,
  HouseRecord,
  InboxList,
  InboxMessage,
  type InboxQuery,
  KeyList,
  type KnownProvider,
  KnownProviderList,
  type Level,
  type LogIn,
  LoginLink,
  Me,
  ModelList,
  PasswordState,
  type PatchRecord,
  type Place,
  type PostMessage,
  type PromptQuery,
  PromptReport,
  ProviderInfo,
  ProviderList,
  ProviderTest,
  type TestNewProvider,
  type RecordOf,
  type RecordType,
  type RestoreDecision,
  RestoreState,
  Resumed,
  type RoomActivationQuery,
  type RoomContent,
  type RoomHead,
  RoomHeadList,
  RoomList,
  RoomRecord,
  Session,
  SessionList,
  SessionsEnded,
  type SetPassword,
  Status,
  StoredDeletion,
  StoredEdit,
  StoredEvent,
  StoredMessage,
  StoredRoomEvent,
} from "@hearth/protocol";
import { createCellCalls } from "./cell-calls.ts";
import type { Following, FollowOptions, StreamItem } from "./follow.ts";
import { type Connection, type RequestOptions, type Schema, at, request, requestJson } from "./request.ts";
import { StoredDelta, StoredLive } from "./stored.ts";

export interface ClientOptions extends Connection {
  readonly sleep: Clock["sleep"];
}

/** The fields that a new record needs; the house adds defaults. */
type Content<Type extends RecordType> = {
  readonly house: Pick<HouseContent, "name"> & Partial<HouseContent>;
  readonly room: Pick<RoomContent, "name"> & Partial<RoomContent>;
  readonly agent: AgentContent;
}[Type];

/** Where a new record belongs, the caller's own house by default, and what an agent may do there from the beginning. */
interface Founding {
  readonly house: Readonly<Record<string, never>>;
  readonly room: { readonly house?: HouseId };
  readonly agent: { readonly house?: HouseId; readonly level?: Level | "none" };
}

export interface RecordCalls<Type extends RecordType> {
  list(query?: { readonly house?: HouseId }): Promise<readonly RecordOf<Type>[]>;
  get(idOrHandle: string): Promise<RecordOf<Type>>;
  create(content: Content<Type>, more?: Founding[Type]): Promise<RecordOf<Type>>;
  update(idOrHandle: string, patch: PatchRecord): Promise<RecordOf<Type>>;
  remove(idOrHandle: string): Promise<void>;
}

/** Where to read from, and for how long to wait for a first event. */
export interface Reading {
  readonly after?: number;
  /** Instead of `after` and `wait`: the last `limit` events before this offset, or before the end of what is there. */
  readonly before?: number | "end";
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
    list: (query = {}) => ask(many, path, { query }),
    get: (idOrHandle) => ask(one, at(path, idOrHandle)),
    create: (content, more = {}) => tell(one, path, { ...more, content }),
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
    houses: {
      ...records<"house">("/api/houses", HouseRecord, HouseList),
      /** Changes of records and keys. */
      log: (house: string, reading?: Reading) => page(at("/api/houses", house, "log"), reading),
      /** What its agents do at the moment. */
      agentStates: (house: string): Promise<readonly AgentState[]> =>
        ask(AgentStateList, at("/api/houses", house, "agent-states")),
    },
    rooms: {
      ...records<"room">("/api/rooms", RoomRecord, RoomList),
      /** Repeating a post with the same `idempotencyKey` gives the first message again. */
      post: (room: string, message: PostMessage): Promise<StoredMessage> =>
        tell(StoredMessage, at("/api/rooms", room, "messages"), message),
      events: (room: string, reading?: Reading) => page(at("/api/rooms", room, "events"), reading),
      /** The offset of the last event, 0 when there is none. */
      head: (room: string): Promise<number> =>
        page(at("/api/rooms", room, "events"), { before: "end", limit: 1 }).then((last) => last.head),
      /** How far each room has come. */
      heads: (): Promise<readonly RoomHead[]> => ask(RoomHeadList, "/api/heads"),
      /** What is said, edited and deleted. */
      follow: (room: string, following: Following) =>
        stream(at("/api/rooms", room, "events"), StoredRoomEvent, following),
      editMessage: (room: string, message: EventId, text: string): Promise<StoredEdit> =>
        requestJson(connection, StoredEdit, "PATCH", at("/api/rooms", room, "messages", message), { body: { text } }),
      /** Nothing that it woke runs any more when this resolves. */
      deleteMessage: (room: string, message: EventId): Promise<StoredDeletion> =>
        requestJson(connection, StoredDeletion, "DELETE", at("/api/rooms", room, "messages", message)),
      /** Newest first. */
      activations: (room: string, query: Partial<RoomActivationQuery> = {}): Promise<readonly Activation[]> =>
        ask(ActivationList, at("/api/rooms", room, "activations"), { query }),
      /** What became of each message of a person, oldest first. */
      fates: (room: string, query: Partial<FateQuery> = {}): Promise<FatePage> =>
        ask(FatePage, at("/api/rooms", room, "fates"), { query }),
      /** Which activations the room has right now, in memory. */
      live: (room: string, reading?: Reading) => page(at("/api/rooms", room, "live"), reading),
      followLive: (room: string, following: Following) =>
        memoryStream(at("/api/rooms", room, "live"), StoredLive, following),
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
      /** For who decides over it: what it is made of and has before it. */
      introspection: (agent: string): Promise<AgentIntrospection> =>
        ask(AgentIntrospection, at("/api/agents", agent, "introspection")),
      /** What of its brain it is given with every turn: among its own people, or in a room. */
      prompt: (agent: string, query: PromptQuery = {}): Promise<PromptReport> =>
        ask(PromptReport, at("/api/agents", agent, "prompt"), { query }),
      /** Which stretches of its rooms it is given a summary of, newest first. */
      compactions: (agent: string, query: Partial<CompactionQuery> = {}): Promise<readonly Compaction[]> =>
        ask(CompactionList, at("/api/agents", agent, "compactions"), { query }),
      /** Its next turn in the room begins with one. */
      compact: (agent: string, which: CompactAgent): Promise<Compaction> =>
        tell(Compaction, at("/api/agents", agent, "compact"), which),
      /** What other agents left for it, newest first. */
      inbox: (agent: string, query: Partial<InboxQuery> = {}): Promise<readonly InboxMessage[]> =>
        ask(InboxList, at("/api/agents", agent, "inbox"), { query }),
      /** Nothing of it runs when this resolves, and nothing begins until it is resumed. */
      stop: (agent: string): Promise<Hold> => tell(Hold, at("/api/agents", agent, "stop"), {}),
      /** What waits goes on. Whether it was stopped. */
      resume: (agent: string): Promise<boolean> =>
        tell(Resumed, at("/api/agents", agent, "resume"), {}).then(({ resumed }) => resumed),
    },
    cells: createCellCalls(connection),
    inbox: {
      /** It is shown in no prompt any more. */
      archive: (id: string): Promise<InboxMessage> =>
        requestJson(connection, InboxMessage, "PATCH", at("/api/inbox", id), { body: { status: "archived" } }),
    },
    /** What was spent on models, and what is left of each limit. */
    budget: (): Promise<BudgetReport> => ask(BudgetReport, "/api/budget"),
    stops: {
      /** Who is stopped now. */
      list: (): Promise<readonly Hold[]> => ask(HoldList, "/api/stops"),
    },
    /** Stops every agent, those that are added meanwhile too. */
    stopAll: (): Promise<Hold> => tell(Hold, "/api/stop-all", {}),
    /** Those who were stopped one by one stay so. Whether there was a stop of all. */
    resumeAll: (): Promise<boolean> => tell(Resumed, "/api/resume-all", {}).then(({ resumed }) => resumed),
    activations: {
      get: (id: ActivationId) => ask(ActivationDetail, at("/api/activations", id)),
      stop: (id: ActivationId): Promise<Activation> => tell(Activation, at("/api/activations", id, "stop"), {}),
      /** Starts a new activation in place of a failed one. Asked again, it answers with the same one. */
      retry: (id: ActivationId): Promise<Activation> => tell(Activation, at("/api/activations", id, "retry"), {}),
      /** What it did on the network, request by request. */
      egress: (id: ActivationId) => ask(EgressList, at("/api/activations", id, "egress")),
      deltas: (id: ActivationId, reading?: Reading) => page(at("/api/activations", id, "deltas"), reading),
      /** What an activation does, as it happens. */
      followDeltas: (id: ActivationId, following: Following) =>
        memoryStream(at("/api/activations", id, "deltas"), StoredDelta, following),
    },
    /** Who may do what: your own, and all on houses and rooms where you decide. */
    grants: {
      list: (query: Partial<GrantQuery> = {}): Promise<readonly Grant[]> => ask(GrantList, "/api/grants", { query }),
      /** In place of another level. `agent` by id, or by handle where you see them. */
      give: (on: Place, agent: string, level: Level): Promise<Grant> =>
        requestJson(connection, Grant, "PUT", at(pathOf(on), "grants", agent), { body: { level } }),
      take: (on: Place, agent: string): Promise<void> => done("DELETE", at(pathOf(on), "grants", agent)),
    },
    /** Read when they are asked for: a browser has no use for them, and gets no byte of them. */
    secrets: async () => (await import("./secrets.ts")).createSecretCalls(connection),
    audit: async () => (await import("./audit.ts")).createAuditCalls(connection),
    /** What agents remember. */
    memories: async () => (await import("./memory-calls.ts")).createMemoryCalls(connection),
    /** Files of agents, and what became of them. */
    brains: async () => (await import("./brain-calls.ts")).createBrainCalls(connection),
    /** What agents ask people about. */
    approvals: async () => (await import("./approval-calls.ts")).createApprovalCalls(connection),
    /** What agents do by themselves at set times. */
    jobs: async () => (await import("./job-calls.ts")).createJobCalls(connection),
    channels: async () => (await import("./channel-calls.ts")).createChannelCalls(connection),
    /** Who is heard from channels. */
    pairings: async () => (await import("./channel-calls.ts")).createPairingCalls(connection),
    keys: {
      list: () => ask(KeyList, "/api/keys"),
      create: (key: CreateKey): Promise<CreatedKey> => tell(CreatedKey, "/api/keys", key),
      revoke: (id: string): Promise<void> => done("DELETE", at("/api/keys", id)),
    },
    /** Where who is asking is logged in. What a session holds open ends with it, within a second. */
    sessions: {
      /** Newest first. */
      list: (): Promise<readonly Session[]> => ask(SessionList, "/api/sessions"),
      end: (id: string): Promise<void> => done("DELETE", at("/api/sessions", id)),
      /** All of them, this one too; or all others. How many ended. */
      endAll: (query: { readonly others?: boolean } = {}): Promise<number> =>
        requestJson(connection, SessionsEnded, "DELETE", "/api/sessions", {
          query: { others: query.others === true ? "true" : undefined },
        }).then(({ ended }) => ended),
    },
    passwords: {
      /** Whether this person has one, and whether setting another one takes it. */
      show: (person: string): Promise<PasswordState> => ask(PasswordState, at("/api/agents", person, "password")),
      /** How many sessions ended: all of the person's but the one that asks. */
      set: (person: string, password: SetPassword): Promise<number> =>
        tell(SessionsEnded, at("/api/agents", person, "password"), password).then(({ ended }) => ended),
    },
    providers: {
      list: (): Promise<readonly ProviderInfo[]> => ask(ProviderList, "/api/providers"),
      /** Vendors that need nothing but a key. */
      known: (): Promise<readonly KnownProvider[]> => ask(KnownProviderList, "/api/providers/known"),
      /** Model servers on the house's machine that are not set up yet. */
      found: (): Promise<readonly FoundServer[]> => ask(FoundServerList, "/api/providers/found"),
      /** By the provider's own names. */
      models: (name: string): Promise<readonly string[]> => ask(ModelList, at("/api/providers", name, "models")),
      create: (provider: CreateProvider): Promise<ProviderInfo> => tell(ProviderInfo, "/api/providers", provider),
      remove: (name: string): Promise<void> => done("DELETE", at("/api/providers", name)),
      /** Makes one small call with this model. Without a model it lists the models. */
      test: (name: string, model?: string): Promise<ProviderTest> =>
        tell(ProviderTest, at("/api/providers", name, "test"), { model }),
      /** The same for a provider that is not set up: nothing of it is kept. Without a model it lists the models. */
      testNew: (provider: TestNewProvider): Promise<ProviderTest> =>
        tell(ProviderTest, "/api/provider-tests", provider),
    },
    /** Says something in the direct room with an agent and waits for its reply. */
    chat: (agentName: string, message: string): Promise<ChatAnswer> =>
      tell(ChatAnswer, "/api/chat", { agentName, message }),
    /** In a browser: the session's cookie comes with the answer, where no script can read it. */
    logIn: (who: LogIn): Promise<Session> => tell(Session, "/login", who),
    /** Who the credential stands for, and where. */
    me: (): Promise<Me> => ask(Me, "/api/me"),
    status: () => ask(Status, "/api/status"),
    doctor: ({ deep = false } = {}) => ask(CheckList, deep ? "/api/doctor?deep=true" : "/api/doctor"),
    security: async () => (await import("./security.ts")).readSecurity(connection),
    loginLink: () => tell(LoginLink, "/api/login-links", {}),
    /** Whether the house is on hold after a restore, and what it would do again. */
    restore: {
      state: () => ask(RestoreState, "/api/restore"),
      decide: (decision: RestoreDecision): Promise<RestoreState> => tell(RestoreState, "/api/restore", { decision }),
    },
    /** Begins an orderly end of the daemon. */
    stop: (): Promise<void> => done("POST", "/api/stop"),
  };
};

/** Read when it is asked for: a browser follows over its socket. */
async function* follow<Event extends StoredEvent>(
  options: FollowOptions,
  path: string,
  schema: Schema<Event>,
  following: Following,
): AsyncGenerator<StreamItem<Event>, void, undefined> {
  const events = await import("./follow.ts");
  yield* events.follow(options, path, schema, following);
}

/** Where the port has a house or a room. */
const pathOf = (on: Place): string => at(on.startsWith("house_") ? "/api/houses" : "/api/rooms", on);
