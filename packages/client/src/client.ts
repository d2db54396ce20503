/**
 * Everything a house offers at its port, as typed calls. Platform-independent: the caller passes
 * `fetch` and `sleep`.
 */
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

/**
 * Where a new record belongs (by default the caller's own house), and an agent's initial grants.
 */
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

/** Where to start reading, and how long to wait for a first event. */
export interface Reading {
  readonly after?: number;
  /**
   * Replaces `after` and `wait`: the last `limit` events before this offset, or before the current
   * end.
   */
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
      /** Current states of the house's agents. */
      agentStates: (house: string): Promise<readonly AgentState[]> =>
        ask(AgentStateList, at("/api/houses", house, "agent-states")),
    },
    rooms: {
      ...records<"room">("/api/rooms", RoomRecord, RoomList),
      /** Idempotent: a post with the same `idempotencyKey` returns the first message. */
      post: (room: string, message: PostMessage): Promise<StoredMessage> =>
        tell(StoredMessage, at("/api/rooms", room, "messages"), message),
      events: (room: string, reading?: Reading) => page(at("/api/rooms", room, "events"), reading),
      /** The offset of the last event, or 0 for an empty room. */
      head: (room: string): Promise<number> =>
        page(at("/api/rooms", room, "events"), { before: "end", limit: 1 }).then((last) => last.head),
      /** The head of each room. */
      heads: (): Promise<readonly RoomHead[]> => ask(RoomHeadList, "/api/heads"),
      /** Follows messages, edits and deletions. */
      follow: (room: string, following: Following) =>
        stream(at("/api/rooms", room, "events"), StoredRoomEvent, following),
      editMessage: (room: string, message: EventId, text: string): Promise<StoredEdit> =>
        requestJson(connection, StoredEdit, "PATCH", at("/api/rooms", room, "messages", message), { body: { text } }),
      /** Resolves after every activation that the message caused has ended. */
      deleteMessage: (room: string, message: EventId): Promise<StoredDeletion> =>
        requestJson(connection, StoredDeletion, "DELETE", at("/api/rooms", room, "messages", message)),
      /** Newest first. */
      activations: (room: string, query: Partial<RoomActivationQuery> = {}): Promise<readonly Activation[]> =>
        ask(ActivationList, at("/api/rooms", room, "activations"), { query }),
      /** The fate of each message sent by a person, oldest first. */
      fates: (room: string, query: Partial<FateQuery> = {}): Promise<FatePage> =>
        ask(FatePage, at("/api/rooms", room, "fates"), { query }),
      /** The room's current activations, from memory. */
      live: (room: string, reading?: Reading) => page(at("/api/rooms", room, "live"), reading),
      followLive: (room: string, following: Following) =>
        memoryStream(at("/api/rooms", room, "live"), StoredLive, following),
    },
    agents: {
      ...records<"agent">("/api/agents", AgentRecord, AgentList),
      /** The direct room of this agent and the caller; created on first use. */
      room: (agent: string): Promise<RoomRecord> => tell(RoomRecord, at("/api/agents", agent, "room"), {}),
      log: (agent: string, reading?: Reading) => page(at("/api/agents", agent, "log"), reading),
      followLog: (agent: string, following: Following) =>
        stream(at("/api/agents", agent, "log"), StoredEvent, following),
      activations: (agent: string, query: Partial<ActivationQuery> = {}): Promise<readonly Activation[]> =>
        ask(ActivationList, at("/api/agents", agent, "activations"), { query }),
      /** The agent's configuration and upcoming work. The caller needs `x` on the agent. */
      introspection: (agent: string): Promise<AgentIntrospection> =>
        ask(AgentIntrospection, at("/api/agents", agent, "introspection")),
      /**
       * The parts of the brain that every turn includes, for the agent's own people or for a room.
       */
      prompt: (agent: string, query: PromptQuery = {}): Promise<PromptReport> =>
        ask(PromptReport, at("/api/agents", agent, "prompt"), { query }),
      /** The summarized ranges of the agent's rooms, newest first. */
      compactions: (agent: string, query: Partial<CompactionQuery> = {}): Promise<readonly Compaction[]> =>
        ask(CompactionList, at("/api/agents", agent, "compactions"), { query }),
      /** The agent's next turn in the room starts with a compaction. */
      compact: (agent: string, which: CompactAgent): Promise<Compaction> =>
        tell(Compaction, at("/api/agents", agent, "compact"), which),
      /** Messages that other agents left for this agent, newest first. */
      inbox: (agent: string, query: Partial<InboxQuery> = {}): Promise<readonly InboxMessage[]> =>
        ask(InboxList, at("/api/agents", agent, "inbox"), { query }),
      /**
       * Resolves after all activations of the agent have ended. None starts until the agent is
       * resumed.
       */
      stop: (agent: string): Promise<Hold> => tell(Hold, at("/api/agents", agent, "stop"), {}),
      /** Resumes the agent and its waiting work. Returns whether it was stopped. */
      resume: (agent: string): Promise<boolean> =>
        tell(Resumed, at("/api/agents", agent, "resume"), {}).then(({ resumed }) => resumed),
    },
    cells: createCellCalls(connection),
    inbox: {
      /** Removes the message from later prompts. */
      archive: (id: string): Promise<InboxMessage> =>
        requestJson(connection, InboxMessage, "PATCH", at("/api/inbox", id), { body: { status: "archived" } }),
    },
    /** Model spending so far, and what remains of each limit. */
    budget: (): Promise<BudgetReport> => ask(BudgetReport, "/api/budget"),
    stops: {
      /** The holds in force. */
      list: (): Promise<readonly Hold[]> => ask(HoldList, "/api/stops"),
    },
    /** Stops every agent, including agents that are added later. */
    stopAll: (): Promise<Hold> => tell(Hold, "/api/stop-all", {}),
    /**
     * Ends the stop of all agents; agents that were stopped individually stay stopped. Returns
     * whether there was a stop of all.
     */
    resumeAll: (): Promise<boolean> => tell(Resumed, "/api/resume-all", {}).then(({ resumed }) => resumed),
    activations: {
      get: (id: ActivationId) => ask(ActivationDetail, at("/api/activations", id)),
      stop: (id: ActivationId): Promise<Activation> => tell(Activation, at("/api/activations", id, "stop"), {}),
      /** Starts a new activation in place of a failed one. Idempotent. */
      retry: (id: ActivationId): Promise<Activation> => tell(Activation, at("/api/activations", id, "retry"), {}),
      /** The network requests of an activation. */
      egress: (id: ActivationId) => ask(EgressList, at("/api/activations", id, "egress")),
      deltas: (id: ActivationId, reading?: Reading) => page(at("/api/activations", id, "deltas"), reading),
      /** Follows an activation's deltas as they arrive. */
      followDeltas: (id: ActivationId, following: Following) =>
        memoryStream(at("/api/activations", id, "deltas"), StoredDelta, following),
    },
    /** Grants: the caller's own, and all grants on houses and rooms where the caller has `x`. */
    grants: {
      list: (query: Partial<GrantQuery> = {}): Promise<readonly Grant[]> => ask(GrantList, "/api/grants", { query }),
      /** Replaces an existing level. `agent` is an id, or a handle that the caller can see. */
      give: (on: Place, agent: string, level: Level): Promise<Grant> =>
        requestJson(connection, Grant, "PUT", at(pathOf(on), "grants", agent), { body: { level } }),
      take: (on: Place, agent: string): Promise<void> => done("DELETE", at(pathOf(on), "grants", agent)),
    },
    /** Loaded on demand, so that browsers do not download it. */
    secrets: async () => (await import("./secrets.ts")).createSecretCalls(connection),
    audit: async () => (await import("./audit.ts")).createAuditCalls(connection),
    /** What agents remember. Loaded on demand. */
    memories: async () => (await import("./memory-calls.ts")).createMemoryCalls(connection),
    /** Agents' files and their history. Loaded on demand. */
    brains: async () => (await import("./brain-calls.ts")).createBrainCalls(connection),
    /** What agents ask people to approve. Loaded on demand. */
    approvals: async () => (await import("./approval-calls.ts")).createApprovalCalls(connection),
    /** Scheduled jobs of agents. Loaded on demand. */
    jobs: async () => (await import("./job-calls.ts")).createJobCalls(connection),
    channels: async () => (await import("./channel-calls.ts")).createChannelCalls(connection),
    /** Pairings with users of chat platforms. Loaded on demand. */
    pairings: async () => (await import("./channel-calls.ts")).createPairingCalls(connection),
    keys: {
      list: () => ask(KeyList, "/api/keys"),
      create: (key: CreateKey): Promise<CreatedKey> => tell(CreatedKey, "/api/keys", key),
      revoke: (id: string): Promise<void> => done("DELETE", at("/api/keys", id)),
    },
    /**
     * The caller's sessions. Connections that a session holds open end with it, within a second.
     */
    sessions: {
      /** Newest first. */
      list: (): Promise<readonly Session[]> => ask(SessionList, "/api/sessions"),
      end: (id: string): Promise<void> => done("DELETE", at("/api/sessions", id)),
      /** Ends all sessions, or all but the current one. Returns how many ended. */
      endAll: (query: { readonly others?: boolean } = {}): Promise<number> =>
        requestJson(connection, SessionsEnded, "DELETE", "/api/sessions", {
          query: { others: query.others === true ? "true" : undefined },
        }).then(({ ended }) => ended),
    },
    passwords: {
      /** Whether this person has a password, and whether changing it requires the current one. */
      show: (person: string): Promise<PasswordState> => ask(PasswordState, at("/api/agents", person, "password")),
      /** Ends all sessions of the person except the caller's. Returns how many ended. */
      set: (person: string, password: SetPassword): Promise<number> =>
        tell(SessionsEnded, at("/api/agents", person, "password"), password).then(({ ended }) => ended),
    },
    providers: {
      list: (): Promise<readonly ProviderInfo[]> => ask(ProviderList, "/api/providers"),
      /** Vendors that need only a key. */
      known: (): Promise<readonly KnownProvider[]> => ask(KnownProviderList, "/api/providers/known"),
      /** Model servers on the house's machine that are not set up yet. */
      found: (): Promise<readonly FoundServer[]> => ask(FoundServerList, "/api/providers/found"),
      /** Model ids, as the provider names them. */
      models: (name: string): Promise<readonly string[]> => ask(ModelList, at("/api/providers", name, "models")),
      create: (provider: CreateProvider): Promise<ProviderInfo> => tell(ProviderInfo, "/api/providers", provider),
      remove: (name: string): Promise<void> => done("DELETE", at("/api/providers", name)),
      /** Makes one small call with this model. Without a model it lists the models. */
      test: (name: string, model?: string): Promise<ProviderTest> =>
        tell(ProviderTest, at("/api/providers", name, "test"), { model }),
      /**
       * Tests a provider that is not set up; stores nothing. Without a model it lists the models.
       */
      testNew: (provider: TestNewProvider): Promise<ProviderTest> =>
        tell(ProviderTest, "/api/provider-tests", provider),
    },
    /** Posts a message in the direct room with an agent and waits for the reply. */
    chat: (agentName: string, message: string): Promise<ChatAnswer> =>
      tell(ChatAnswer, "/api/chat", { agentName, message }),
    /** For browsers: the response sets the session cookie, which scripts cannot read. */
    logIn: (who: LogIn): Promise<Session> => tell(Session, "/login", who),
    /** The caller's identity and permissions. */
    me: (): Promise<Me> => ask(Me, "/api/me"),
    status: () => ask(Status, "/api/status"),
    doctor: ({ deep = false } = {}) => ask(CheckList, deep ? "/api/doctor?deep=true" : "/api/doctor"),
    security: async () => (await import("./security.ts")).readSecurity(connection),
    loginLink: () => tell(LoginLink, "/api/login-links", {}),
    /** Whether the house is on hold after a restore, and which work it would repeat. */
    restore: {
      state: () => ask(RestoreState, "/api/restore"),
      decide: (decision: RestoreDecision): Promise<RestoreState> => tell(RestoreState, "/api/restore", { decision }),
    },
    /** Starts a graceful shutdown of the daemon. */
    stop: (): Promise<void> => done("POST", "/api/stop"),
  };
};

/** Loaded on demand: a browser follows over its socket. */
async function* follow<Event extends StoredEvent>(
  options: FollowOptions,
  path: string,
  schema: Schema<Event>,
  following: Following,
): AsyncGenerator<StreamItem<Event>, void, undefined> {
  const events = await import("./follow.ts");
  yield* events.follow(options, path, schema, following);
}

/** The API path of a house or a room. */
const pathOf = (on: Place): string => at(on.startsWith("house_") ? "/api/houses" : "/api/rooms", on);
