/** What the house's port needs of the house, and what it gives the adapter that owns the real port. */
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
import type { UiFiles } from "./ui-files.ts";

export interface HttpOptions {
  readonly world: World;
  readonly log: Log;
  readonly records: Records;
  readonly permissions: Permissions;
  /** The first house: who decides there looks after the home. */
  readonly home: HouseId;
  readonly rooms: Rooms;
  readonly streams: DurableStreams;
  /** Goes with every offset that is given out: another one after the home was restored. */
  readonly epoch: string;
  /** `deltas:` and `live:` streams. */
  readonly memory: MemoryStreams;
  readonly activations: Activations;
  /** What activations did on the network. */
  readonly ledger: Pick<Ledger, "list" | "took">;
  readonly states: AgentStates;
  readonly stops: Stops;
  readonly brains: Pick<Brains, "open">;
  readonly memories: Pick<Memory, "recall" | "status" | "reindex">;
  readonly forget: Forget;
  /** "2026-11-22": the day of an instant where the agent's house is. */
  readonly dayOf: (agent: AgentRecord, at: number) => Promise<string>;
  /** Where the text of files in agents' workspaces came from. */
  readonly files: LabelledFiles;
  readonly approvals: Pick<Approvals, "list" | "get" | "decide" | "rules" | "removeRule">;
  readonly budgets: Pick<Budgets, "report">;
  /** What the agent is given of its brain in that room, or among its own people. */
  readonly prompt: PromptReports;
  /** What agents take of rooms, and what stands for the oldest of it. */
  readonly sessions: Pick<Sessions, "ask" | "list" | "by">;
  readonly inbox: Pick<Inbox, "list" | "get" | "archive">;
  readonly schedule: Omit<Schedule, "run" | "skipDue">;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly passwords: Passwords;
  /** How often whoever asks may be wrong. */
  readonly attempts: LoginAttempts;
  readonly cells: Cells;
  /** Whether the house is on hold because its home was restored. */
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
  /** What `/ui/` serves. */
  readonly ui: UiFiles;
  /** The owner's token of this start, for the CLI on this machine: who it stands for, or nobody. */
  readonly runToken: (token: string) => Promise<Principal | undefined>;
  /** `host:port` values that a request may name. Asked on each request: the port is known late. */
  readonly hosts: () => readonly string[];
  readonly version: string;
  readonly status: () => Promise<Status>;
  /** How the home and these houses are set up, looked at anew. */
  readonly security: (houses: ReadonlySet<HouseId>) => Promise<SecurityReport>;
  readonly doctor: (how: { readonly deep: boolean }) => Promise<readonly Check[]>;
  readonly loginLink: (principal: Principal) => Promise<LoginLink>;
  /** Whether it takes work: it has started, and what it is told can be kept. */
  readonly ready: () => Promise<boolean>;
  /** Its background readers. */
  readonly readers: () => readonly ReaderState[];
  /** Begins an orderly end of the daemon and returns at once. */
  readonly stop: (by: AgentId) => void;
}

/** Where agents' hands are. */
export interface Cells {
  list(): readonly CellInfo[];
  /** The agent's cell for whoever may read that room. Throws `cell.unavailable` with the reason. */
  open(agent: AgentRecord, room: RoomRecord): Promise<CellInfo>;
  /** How many there were. */
  close(agent: AgentId, audience?: Audience): Promise<number>;
}

/** What stands behind `/v1/stream/`. */
export interface Durable {
  readonly bytes: ByteStreams;
  readonly subscriptions: Subscriptions;
  readonly signing: Signing;
  /** The address of `/v1/stream`, as others reach it. */
  readonly root: () => string;
  /** Whether a webhook may lead to this machine. */
  readonly allowsLoopback: boolean;
  /** How long a poll waits. */
  readonly longPollMs?: number;
}

/** Who is asking, and whether the credential that says so still holds. */
export interface Caller {
  readonly principal: Principal;
  /** Where it comes from. Nothing is granted by it. */
  readonly peer: Peer;
  /** Asks again: a key may be revoked, a login ended, an agent removed. Never rejects. */
  holds(): Promise<boolean>;
}

/** One WebSocket as a core sees it. */
export interface SocketPeer {
  /** `full`: it took this one, but the peer is slow; send nothing until `drained`. `gone`: nothing will arrive any more. */
  send(text: string): "sent" | "full" | "gone";
  close(code: number, reason: string): void;
}

export interface SocketSession {
  message(text: string): void;
  drained(): void;
  closed(): void;
}

export interface Http {
  /** Answers any request but an upgrade. `peer` is whom the platform is connected to, whatever the request says. Never rejects. */
  handle(request: Request, peer?: Peer): Promise<Response>;
  /** For an upgrade of `/ws`: who is asking, or the refusal to send instead. Never rejects. */
  admit(request: Request, peer?: Peer): Promise<{ readonly caller: Caller } | { readonly refusal: Response }>;
  /** A session on an upgraded socket. */
  connect(caller: Caller, peer: SocketPeer): SocketSession;
  /** Ends whatever waits or streams (long polls, event streams, chats, sockets), and refuses what comes after. */
  close(): void;
}
