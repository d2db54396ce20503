/**
 * The interface between the port and the house, and the handler for the adapter that owns the real
 * port.
 */
import type { Activations, AgentStates, Stops, Fates, RestoreHold } from "../turns/index.ts";
import type {
  AuditLog,
  Outbox,
  ByteStreams,
  DurableStreams,
  MemoryStreams,
  Signing,
  Subscriptions,
  Log,
  ReaderState,
} from "../kernel/index.ts";
import type { Brains, PromptReports, Sessions, Forget, Memory, Inbox, Schedule } from "../agents/index.ts";
import type { Channels, Inbound } from "../channels/index.ts";
import type { Ledger } from "../cells/index.ts";
import type {
  LoginAttempts,
  Peer,
  Keys,
  Logins,
  Pairings,
  Permissions,
  Passwords,
  Principal,
  Records,
  Rooms,
} from "../people/index.ts";
import type { Budgets, LabelledFiles, Approvals, Vault } from "../policy/index.ts";
import type { Catalog } from "../models/index.ts";
import type {
  AgentId,
  AgentRecord,
  Audience,
  CellInfo,
  Check,
  HouseId,
  LoginLink,
  RoomRecord,
  SecurityReport,
  Status,
  World,
} from "@hearth/protocol";
import type { Connection } from "./arrival.ts";
import type { Reach } from "./reach.ts";
import type { UiFiles } from "./ui-files.ts";

export interface HttpOptions {
  readonly world: World;
  readonly log: Log;
  readonly records: Records;
  readonly permissions: Permissions;
  /** The first house. Its administrators manage the home. */
  readonly home: HouseId;
  readonly rooms: Rooms;
  readonly streams: DurableStreams;
  /** Sent with every offset. Changes when the home is restored. */
  readonly epoch: string;
  /** `deltas:` and `live:` streams. */
  readonly memory: MemoryStreams;
  readonly activations: Activations;
  /** Records activations' network requests. */
  readonly ledger: Pick<Ledger, "list" | "took">;
  readonly states: AgentStates;
  readonly stops: Stops;
  readonly brains: Pick<Brains, "open">;
  readonly memories: Pick<Memory, "recall" | "status" | "reindex">;
  readonly forget: Forget;
  /** "2026-11-22": the day of an instant in the zone of the agent's house. */
  readonly dayOf: (agent: AgentRecord, at: number) => Promise<string>;
  /** Labels of files in agents' workspaces. */
  readonly files: LabelledFiles;
  readonly approvals: Pick<Approvals, "list" | "get" | "decide" | "rules" | "removeRule">;
  readonly budgets: Pick<Budgets, "report">;
  /** Reports the brain parts of the prompt, for a room or for the agent's own people. */
  readonly prompt: PromptReports;
  /** Agents' sessions in rooms, and their summaries. */
  readonly sessions: Pick<Sessions, "ask" | "list" | "by">;
  readonly inbox: Pick<Inbox, "list" | "get" | "archive">;
  readonly schedule: Omit<Schedule, "run" | "skipDue">;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly passwords: Passwords;
  /** Limits failed attempts. */
  readonly attempts: LoginAttempts;
  readonly cells: Cells;
  /** The hold of a house after its home was restored. */
  readonly restore: RestoreHold;
  readonly providers: Catalog;
  readonly channels: Channels;
  readonly inbound: Pick<Inbound, "receive" | "refused">;
  readonly outbox: Pick<Outbox, "list" | "counts" | "decide">;
  readonly pairings: Pairings;
  readonly vault: Vault;
  readonly audit: AuditLog;
  readonly fates: Fates;
  readonly durable: () => Promise<Durable>;
  /** The files under `/ui/`. */
  readonly ui: UiFiles;
  /** Resolves the run token that the local CLI uses; undefined if it is not valid. */
  readonly runToken: (token: string) => Promise<Principal | undefined>;
  /** Its addresses. Called on each request, because the port is known late. */
  readonly reach: () => Reach;
  readonly version: string;
  readonly status: () => Promise<Status>;
  /** Examines the settings of the home and these houses. */
  readonly security: (houses: ReadonlySet<HouseId>) => Promise<SecurityReport>;
  readonly doctor: (how: { readonly deep: boolean }) => Promise<readonly Check[]>;
  readonly loginLink: (principal: Principal) => Promise<LoginLink>;
  /** Whether the house takes work: it has started, and can store it. */
  readonly ready: () => Promise<boolean>;
  /** States of its background readers. */
  readonly readers: () => readonly ReaderState[];
  /** Begins an orderly shutdown and returns at once. */
  readonly stop: (by: AgentId) => void;
}

/** The agents' cells. */
export interface Cells {
  list(): readonly CellInfo[];
  /**
   * Opens the agent's cell for the audience of that room. Throws `cell.unavailable` with the
   * reason.
   */
  open(agent: AgentRecord, room: RoomRecord): Promise<CellInfo>;
  /** Returns the number of closed cells. */
  close(agent: AgentId, audience?: Audience): Promise<number>;
}

/** The parts behind `/v1/stream/`. */
export interface Durable {
  readonly bytes: ByteStreams;
  readonly subscriptions: Subscriptions;
  readonly signing: Signing;
  /** The external address of `/v1/stream`. */
  readonly root: () => string;
  /** Whether a webhook may target this machine. */
  readonly allowsLoopback: boolean;
  /** Time limit of a long poll. */
  readonly longPollMs?: number;
}

/** The caller, with a check that its credential is still valid. */
export interface Caller {
  readonly principal: Principal;
  /** Its network address, which grants nothing. */
  readonly peer: Peer;
  /** The origin of the house that it used, such as `https://house.example`. */
  readonly origin: string;
  /** Checks again: a key may be revoked, a login ended, an agent removed. Never rejects. */
  holds(): Promise<boolean>;
}

/** A WebSocket connection. */
export interface SocketPeer {
  /**
   * `full`: this text was accepted, but send nothing more until `drained`. `gone`: no further text
   * will arrive.
   */
  send(text: string): "sent" | "full" | "gone";
  close(code: number, reason: string): void;
}

export interface SocketSession {
  message(text: string): void;
  drained(): void;
  closed(): void;
}

export interface Http {
  /**
   * Answers any request except an upgrade. `connection` is what the platform knows, whatever the
   * request says. Never rejects.
   */
  handle(request: Request, connection?: Connection): Promise<Response>;
  /** For an upgrade of `/ws`: returns the caller, or the refusal to send instead. Never rejects. */
  admit(
    request: Request,
    connection?: Connection,
  ): Promise<{ readonly caller: Caller } | { readonly refusal: Response }>;
  /** Starts a session on an upgraded socket. */
  connect(caller: Caller, peer: SocketPeer): SocketSession;
  /**
   * Ends everything that waits or streams (long polls, event streams, chats, sockets), and refuses
   * later requests.
   */
  close(): void;
}
