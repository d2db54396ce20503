/**
 * The client of a house: typed calls of all operations. It is independent of the platform, because
 * the caller passes `fetch` and `sleep`.
 */
import {
  type ActivationId,
  type BackupCopy,
  type BackupRestore,
  type BackupState,
  type BudgetReport,
  type UsageQuery,
  type UsageReport,
  type CellInfo,
  type ChatAnswer,
  type Check,
  type Clock,
  type CreateLoginLink,
  type EventPage,
  type Grant,
  type InboxMessage,
  type Level,
  type Right,
  type LogIn,
  LogInAnswer,
  type LogInStep,
  type LogInWithPasskey,
  type Place,
  type ProviderTest,
  type RestoreBackup,
  type RestoreDecision,
  type RestoreState,
  type RoomRecord,
  StoredEvent,
  StoredRoomEvent,
} from "@hearth/protocol";
import {
  activationOperations,
  agentOperations,
  budgetOperations,
  cellOperations,
  chatOperations,
  roomViewOperations,
  compactionOperations,
  daemonOperations,
  fateOperations,
  grantOperations,
  houseGrantOperations,
  houseOperations,
  inboxOperations,
  keyOperations,
  loginOperations,
  messageOperations,
  passwordOperations,
  promptOperations,
  providerOperations,
  restoreOperations,
  roomGrantOperations,
  roomOperations,
  sessionOperations,
  stopOperations,
  streamOperations,
} from "@hearth/protocol/operations";
import { type LeanOperation, call, createCalls, pathOf } from "./calls.ts";
import type { FollowRequest, FollowOptions, StreamItem } from "./follow.ts";
import { createMessageCalls } from "./message-calls.ts";
import { type Connection, requestJson, type Schema } from "./request.ts";
import type { Sha256 } from "./uploads.ts";
import { StoredDelta, StoredLive } from "./stored.ts";

export interface ClientOptions extends Connection {
  readonly sleep: Clock["sleep"];
  /** Computes SHA-256. Undefined on a platform without it, where parts of uploads have no checksum. */
  readonly sha256?: Sha256 | undefined;
}

/** The offset after which to read, and how long to wait for a first event. */
export interface EventPageQuery {
  readonly after?: number;
  /**
   * Reads the last `limit` events before this offset, or before the current end. Use it instead of
   * `after` and `wait`.
   */
  readonly before?: number | "end";
  readonly limit?: number;
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

export type Client = ReturnType<typeof createClient>;

const createBudgetCalls = (connection: Connection) => ({
  /** Returns the model spending so far, and the rest of each limit. */
  budget: (): Promise<BudgetReport> => call(connection, budgetOperations.report),
  /** Returns the usage of models per day, by one dimension. */
  usage: (query: Partial<UsageQuery> = {}): Promise<UsageReport> => call(connection, budgetOperations.usage, { query }),
});

const createPageCall =
  (connection: Connection) =>
  (operation: LeanOperation, id: string, { signal, ...query }: EventPageQuery = {}): Promise<EventPage> =>
    call(connection, operation, { params: { of: id }, query, signal }) as Promise<EventPage>;

export const createClient = (options: ClientOptions) => {
  const { sleep, sha256, ...connection } = options;

  const houses = createCalls(connection, houseOperations);
  const rooms = createCalls(connection, roomOperations);
  const agents = createCalls(connection, agentOperations);
  const messages = createCalls(connection, messageOperations);
  const activations = createCalls(connection, activationOperations);
  const stops = createCalls(connection, stopOperations);
  const chats = createCalls(connection, chatOperations);
  const roomViews = createCalls(connection, roomViewOperations);
  const compactions = createCalls(connection, compactionOperations);
  const inbox = createCalls(connection, inboxOperations);
  const cells = createCalls(connection, cellOperations);
  const sessions = createCalls(connection, sessionOperations);
  const passwords = createCalls(connection, passwordOperations);
  const providers = createCalls(connection, providerOperations);
  const restore = createCalls(connection, restoreOperations);
  const daemon = createCalls(connection, daemonOperations);
  const grants = {
    house: createCalls(connection, houseGrantOperations),
    room: createCalls(connection, roomGrantOperations),
  };
  const grantsOn = (place: Place) => (place.startsWith("house_") ? grants.house : grants.room);

  const readPage = createPageCall(connection);
  const createStream =
    (kind: { readonly isInMemory?: true }) =>
    <Event extends StoredEvent>(
      { path }: LeanOperation,
      id: string,
      schema: Schema<Event>,
      request: FollowRequest,
    ): AsyncIterable<StreamItem<Event>> =>
      follow({ connection, sleep, ...kind }, pathOf(path, { of: id }), schema, request);
  const followStream = createStream({});
  const followMemoryStream = createStream({ isInMemory: true });

  return {
    houses: {
      ...houses,
      create: toCreateCall(houses.create),
      /** Reads the log of a house: changes of records, grants and keys. */
      log: (house: string, query?: EventPageQuery) => readPage(streamOperations.houseLog, house, query),
      /** Lists the current states of the house's agents. */
      agentStates: activations.agentStates,
    },
    rooms: {
      ...rooms,
      create: toCreateCall(rooms.create),
      /** Idempotent: a post with the same `idempotencyKey` returns the first message. */
      post: messages.post,
      events: (room: string, query?: EventPageQuery) => readPage(streamOperations.room, room, query),
      /** Returns the offset of the last event, or 0 for an empty room. */
      head: (room: string): Promise<number> =>
        readPage(streamOperations.room, room, { before: "end", limit: 1 }).then((lastPage) => lastPage.head),
      /** Lists the head of each room. */
      heads: () => call(connection, streamOperations.heads),
      /** Lists the rooms that the caller pinned or archived. */
      views: roomViews.views,
      /** Pins, unpins, archives or unarchives a room in the caller's list. */
      setView: roomViews.setView,
      /** Sets the title of a direct room. `null` removes it. */
      rename: (room: string, title: string | null): Promise<RoomRecord> => roomViews.rename(room, { title }),
      /** Follows messages, edits and deletions. */
      follow: (room: string, request: FollowRequest) =>
        followStream(streamOperations.room, room, StoredRoomEvent, request),
      /** Changes of messages, reactions, branches and the place of an instant. */
      ...createMessageCalls(connection),
      /** Lists the activations in a room, newest first. */
      activations: activations.ofRoom,
      /** Lists what happened to each message of a person, oldest first. */
      ...createCalls(connection, fateOperations),
      /** Reads the room's live stream, which reports current activations and is only in memory. */
      live: (room: string, query?: EventPageQuery) => readPage(streamOperations.live, room, query),
      followLive: (room: string, request: FollowRequest) =>
        followMemoryStream(streamOperations.live, room, StoredLive, request),
    },
    agents: {
      ...agents,
      create: toCreateCall(agents.create),
      /** Returns the direct room of this agent and the caller. The first call creates it. */
      room: chats.directRoom,
      /** Creates another direct room of this agent and the caller. An empty one is reused. */
      newChat: chats.newChat,
      log: (agent: string, query?: EventPageQuery) => readPage(streamOperations.agentLog, agent, query),
      followLog: (agent: string, request: FollowRequest) =>
        followStream(streamOperations.agentLog, agent, StoredEvent, request),
      state: activations.agentState,
      activations: activations.ofAgent,
      /** Returns the agent's configuration and pending work. The caller needs `x` on the agent. */
      introspection: activations.introspect,
      /** Returns the parts of the brain that every turn includes, for private rooms or for one room. */
      prompt: createCalls(connection, promptOperations).show,
      /** Lists the summarized ranges of the agent's rooms, newest first. */
      compactions: compactions.list,
      /** Requests a compaction. The agent's next turn in the room starts with it. */
      compact: compactions.compact,
      /** Lists messages that other agents left for this agent, newest first. */
      inbox: inbox.list,
      /**
       * Stops the agent. Resolves after all its activations have ended. New ones wait until the
       * agent is resumed.
       */
      stop: stops.stop,
      /** Resumes the agent and its waiting work. Returns whether it was stopped. */
      resume: (agent: string): Promise<boolean> => stops.resume(agent).then(({ resumed }) => resumed),
    },
    cells: {
      /** Lists the open cells. Only people may call this. */
      list: cells.list,
      /** Opens the agent's cell for the people of a room, ahead of its first use. */
      open: (agent: string, room: string): Promise<CellInfo> => cells.open(agent, { room }),
      /**
       * Closes the cell for an audience, or all cells of the agent. Running work continues in a new
       * cell. Returns the number of closed cells.
       */
      close: (agent: string, audience?: string): Promise<number> =>
        cells.close(agent, { audience }).then(({ closed }) => closed),
    },
    inbox: {
      /** Archives the message, so that later prompts do not contain it. */
      archive: (id: string): Promise<InboxMessage> => inbox.archive(id, { status: "archived" }),
    },
    ...createBudgetCalls(connection),
    /** Lists the stops in force. */
    stops: { list: stops.list },
    /** Stops every agent, including agents that are added later. */
    stopAll: stops.stopAll,
    /**
     * Ends the stop of all agents. Agents that were stopped individually stay stopped. Returns
     * whether all agents were stopped.
     */
    resumeAll: (): Promise<boolean> => stops.resumeAll().then(({ resumed }) => resumed),
    activations: {
      get: activations.get,
      stop: activations.stop,
      /** Starts a new activation in place of a failed one. Idempotent. */
      retry: activations.retry,
      /** Lists the parts of the prompt of a model call. */
      prompt: (id: ActivationId, step: number) => activations.prompt(id, String(step)),
      /** Lists the network requests of an activation. */
      egress: activations.egress,
      deltas: (id: ActivationId, query?: EventPageQuery) => readPage(streamOperations.deltas, id, query),
      /** Follows an activation's deltas as they arrive. */
      followDeltas: (id: ActivationId, request: FollowRequest) =>
        followMemoryStream(streamOperations.deltas, id, StoredDelta, request),
    },
    /**
     * Calls about grants. A caller sees its own grants, and all grants on houses and rooms where it
     * has `x`.
     */
    grants: {
      ...createCalls(connection, grantOperations),
      /**
       * Grants a level, in place of an existing one. `agent` is an id, or a handle that the caller can
       * see. Without `rights`, the current rights stay.
       */
      give: (place: Place, agent: string, level: Level, rights?: readonly Right[]): Promise<Grant> =>
        grantsOn(place).give(place, agent, { level, ...(rights === undefined ? {} : { rights: [...rights] }) }),
      take: (place: Place, agent: string): Promise<void> => grantsOn(place).take(place, agent),
    },
    /** Calls about files of messages. Loaded on demand. */
    uploads: async () => (await import("./uploads.ts")).createUploads(connection, { sleep, sha256 }),
    ...createLazyCalls(connection),
    keys: createCalls(connection, keyOperations),
    /** Calls about the caller's sessions. When a session ends, its open connections end within a second. */
    sessions: {
      ...sessions,
      /** Ends all sessions, or all except the current one. Returns the number of ended sessions. */
      endAll: ({ others = false }: { readonly others?: boolean } = {}): Promise<number> =>
        sessions.endAll(others ? { others: "true" } : {}).then(({ ended }) => ended),
    },
    passwords: {
      /** Returns whether this person has a password, and whether changing it requires the current one. */
      show: passwords.show,
      /** Sets a password. Ends all sessions of the person except the caller's, and returns their number. */
      set: (...input: Parameters<typeof passwords.set>): Promise<number> =>
        passwords.set(...input).then(({ ended }) => ended),
    },
    providers: {
      ...providers,
      /** Makes one small call with this model. Without a model, lists the models. */
      test: (name: string, model?: string): Promise<ProviderTest> => providers.test(name, { model }),
    },
    /** Posts a message in the direct room with an agent and waits for the reply. */
    chat: (agentName: string, message: string): Promise<ChatAnswer> => chats.chat({ agentName, message }),
    /** Logs a browser in. The response sets the session cookie, which scripts cannot read. */
    logIn: (proof: LogInProof) => logIn(connection, proof),
    /** Returns the caller's identity and permissions. */
    me: daemon.me,
    status: daemon.status,
    doctor: ({ deep = false } = {}): Promise<readonly Check[]> => daemon.doctor(deep ? { deep: "true" } : {}),
    /** Returns the last lines of the daemon's log file, oldest first. */
    log: daemon.log,
    /** Returns the disk space of the home by kind of content, and what will be deleted when. */
    storage: daemon.storage,
    /** Returns what the next start updates, and the copy of the database that the last update made. */
    update: daemon.update,
    /** Lists the places of `[backup]`, each with the outcome of its last backup. */
    backups: daemon.backups,
    /** Starts a backup, and returns before it is complete. Without a target, the backup goes to the folder. */
    makeBackup: (target?: string): Promise<BackupState> => daemon.makeBackup(target === undefined ? {} : { target }),
    /** Lists the backups at a place, oldest first. Without a target, lists those in the folder. */
    backupCopies: (target?: string): Promise<readonly BackupCopy[]> =>
      daemon.backupCopies(target === undefined ? {} : { target }),
    /** Starts to replace the house by a backup. The house restarts after the backup was copied. */
    restoreBackup: (body: RestoreBackup): Promise<BackupRestore> => daemon.restoreBackup(body),
    /** Returns the outcome of the last restore into the running house. */
    backupRestore: daemon.backupRestore,
    /** Creates a login link. A caller with a second factor passes its `code`. */
    loginLink: (body: CreateLoginLink = {}) => daemon.loginLink(body),
    restore: {
      /** Returns whether the house is on hold after a restore, and which work it would repeat. */
      state: restore.state,
      decide: (decision: RestoreDecision): Promise<RestoreState> => restore.decide({ decision }),
    },
    /** Starts a graceful shutdown of the daemon. */
    stop: daemon.stop,
  };
};

/**
 * Creates the groups of calls that few visits need. Each is loaded on demand, so that browsers do
 * not download it at the start.
 */
const createLazyCalls = (connection: Connection) => ({
  secrets: async () => (await import("./secrets.ts")).createSecretCalls(connection),
  audit: async () => (await import("./audit.ts")).createAuditCalls(connection),
  /** Memories of agents. */
  memories: async () => (await import("./memory-calls.ts")).createMemoryCalls(connection),
  /** Files of agents' workspaces. */
  workspaces: async () => (await import("./workspace-calls.ts")).createWorkspaceCalls(connection),
  /** Agents' files and their history. */
  brains: async () => (await import("./brain-calls.ts")).createBrainCalls(connection),
  /** Calls of agents that need the approval of a person. */
  approvals: async () => (await import("./approval-calls.ts")).createApprovalCalls(connection),
  /** Scheduled jobs of agents. */
  jobs: async () => (await import("./job-calls.ts")).createJobCalls(connection),
  /** Targets of backups. */
  backupTargets: async () => (await import("./backup-calls.ts")).createBackupTargetCalls(connection),
  /** Imports of other programs' agents. */
  imports: async () => (await import("./import-calls.ts")).createImportCalls(connection),
  channels: async () => (await import("./channel-calls.ts")).createChannelCalls(connection),
  /** Pairings with users of chat platforms. */
  pairings: async () => (await import("./channel-calls.ts")).createPairingCalls(connection),
  /** Second factors of people. */
  secondFactors: async () => (await import("./second-factor-calls.ts")).createSecondFactorCalls(connection),
  /** Passkeys of people. */
  passkeys: async () => (await import("./passkey-calls.ts")).createPasskeyCalls(connection),
  /** Notifications of the person. */
  notifications: async () => (await import("./notification-calls.ts")).createNotificationCalls(connection),
  /** Accounts at OpenID Connect providers, and the providers. */
  identities: async () => (await import("./identity-calls.ts")).createIdentityCalls(connection),
  /** Transcripts of audio, and spoken messages. */
  voice: async () => (await import("./voice-calls.ts")).createVoiceCalls(connection),
  /** Finds messages, memory and workspace files, agents and rooms. */
  search: async () => (await import("./search.ts")).createSearchCalls(connection),
  /** Invite links. */
  invites: async () => (await import("./invite-calls.ts")).createInviteCalls(connection),
  /** Single values of the config file. */
  agentTools: async () => (await import("./agent-tools.ts")).createAgentToolCalls(connection),
  settings: async () => (await import("./settings.ts")).createSettingCalls(connection),
  /** The tunnel from a public address to the house. */
  tunnel: async () => (await import("./tunnel.ts")).createTunnelCalls(connection),
  /** Settings that are more open than necessary, and how to fix them. */
  security: async () => (await import("./security.ts")).createSecurityCalls(connection),
});

type LogInProof = LogIn | LogInStep | LogInWithPasskey | { readonly code: string };

const logIn = (connection: Connection, body: LogInProof): Promise<LogInAnswer> => {
  const { method, path } = loginOperations.logIn;
  return requestJson(connection, LogInAnswer, method, path, { body });
};

/** Returns a call that creates a record. It takes the content first, and then the house and the grants. */
const toCreateCall =
  <Body extends { readonly content: unknown }, Answer>(create: (body: Body) => Promise<Answer>) =>
  (content: Body["content"], options?: Omit<Body, "content">): Promise<Answer> =>
    create({ ...options, content } as Body);

/** Follows a stream over server-sent events. Loaded on demand, because browsers follow over a socket. */
async function* follow<Event extends StoredEvent>(
  options: FollowOptions,
  path: string,
  schema: Schema<Event>,
  request: FollowRequest,
): AsyncGenerator<StreamItem<Event>, void, undefined> {
  const events = await import("./follow.ts");
  yield* events.follow(options, path, schema, request);
}
