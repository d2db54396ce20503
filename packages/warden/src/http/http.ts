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
import type { Activations } from "../activations/activations.ts";
import type { AgentStates } from "../activations/agent-states.ts";
import type { Stops } from "../activations/stops.ts";
import type { AuditLog } from "../audit/audit.ts";
import type { Brains } from "../brains/brains.ts";
import type { Channels } from "../channels/channels.ts";
import type { PromptReports } from "../context/prompt-report.ts";
import type { Sessions } from "../context/sessions.ts";
import type { Fates } from "../dispatch/fates.ts";
import type { Forget } from "../memory/forgetting.ts";
import type { Memory } from "../memory/memory.ts";
import type { Ledger } from "../egress/ledger.ts";
import type { Inbound } from "../dispatch/inbound.ts";
import type { Attempts, Peer } from "../identity/attempts.ts";
import type { Keys } from "../identity/keys.ts";
import type { Logins } from "../identity/logins.ts";
import type { Pairings } from "../identity/pairings.ts";
import type { Permissions } from "../identity/permissions.ts";
import type { Passwords } from "../identity/passwords.ts";
import type { Principal } from "../identity/principal.ts";
import type { Records } from "../identity/records.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { RestoreHold } from "../restore/restore-hold.ts";
import type { Schedule } from "../schedule/schedule.ts";
import type { Budgets } from "../policy/budgets.ts";
import type { LabelledFiles } from "../policy/file-labels.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Approvals } from "../policy/approvals.ts";
import type { Catalog } from "../providers/catalog.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { Vault } from "../secrets/vault.ts";
import type { ByteStreams } from "../streams/bytes/byte-streams.ts";
import type { DurableStreams, MemoryStreams } from "../streams/streams.ts";
import type { Signing } from "../streams/subscriptions/signing.ts";
import type { Subscriptions } from "../streams/subscriptions/subscriptions.ts";
import type { Log } from "../observe/log.ts";
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
  readonly attempts: Attempts;
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
  readonly doctor: () => Promise<readonly Check[]>;
  readonly loginLink: (principal: Principal) => Promise<LoginLink>;
  /** Whether it takes work: it has started, and what it is told can be kept. */
  readonly ready: () => Promise<boolean>;
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
