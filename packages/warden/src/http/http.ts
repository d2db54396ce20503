/** What the house's port needs of the house, and what it gives the adapter that owns the real port. */
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
import type { Activations } from "../turns/run/activations.ts";
import type { AgentStates } from "../turns/queue/agent-states.ts";
import type { Stops } from "../turns/queue/stops.ts";
import type { AuditLog } from "../kernel/audit/audit.ts";
import type { Brains } from "../agents/brains/brains.ts";
import type { Channels } from "../channels/channels.ts";
import type { PromptReports } from "../agents/context/prompt-report.ts";
import type { Sessions } from "../agents/context/sessions.ts";
import type { Fates } from "../turns/dispatch/fates.ts";
import type { Forget } from "../agents/memory/forgetting.ts";
import type { Memory } from "../agents/memory/memory.ts";
import type { Ledger } from "../cells/egress/ledger.ts";
import type { Inbound } from "../channels/inbound/inbound.ts";
import type { LoginAttempts, Peer } from "../people/credentials/login-attempts.ts";
import type { Keys } from "../people/credentials/keys.ts";
import type { Logins } from "../people/credentials/logins.ts";
import type { Pairings } from "../people/pairings/pairings.ts";
import type { Permissions } from "../people/permissions/permissions.ts";
import type { Passwords } from "../people/credentials/passwords.ts";
import type { Principal } from "../people/permissions/principal.ts";
import type { Records } from "../people/records/records.ts";
import type { Inbox } from "../agents/inbox/inbox.ts";
import type { RestoreHold } from "../turns/recovery/restore-hold.ts";
import type { Schedule } from "../agents/schedule/schedule.ts";
import type { Budgets } from "../policy/budgets/budgets.ts";
import type { LabelledFiles } from "../policy/taint/file-labels.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import type { Approvals } from "../policy/approvals/approvals.ts";
import type { Catalog } from "../models/catalog/catalog.ts";
import type { Rooms } from "../people/rooms/rooms.ts";
import type { Vault } from "../policy/secrets/vault.ts";
import type { ByteStreams } from "../kernel/streams/bytes/byte-streams.ts";
import type { DurableStreams, MemoryStreams } from "../kernel/streams/streams.ts";
import type { Signing } from "../kernel/streams/subscriptions/signing.ts";
import type { Subscriptions } from "../kernel/streams/subscriptions/subscriptions.ts";
import type { Log } from "../kernel/log/log.ts";
import type { ReaderState } from "../kernel/supervisor.ts";
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
