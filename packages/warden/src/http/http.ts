/**
 * The interface between the port and the house. The adapter that owns the real port calls its
 * handler.
 */
import type {
  Brains,
  Forget,
  Inbox,
  Memory,
  Passages,
  PictureDescriptions,
  PromptReports,
  Schedule,
  Sessions,
  SizedPictures,
  Transcripts,
} from "../agents/index.ts";
import type { Documents, Ledger, Pool } from "../cells/index.ts";
import type { ChannelChanges, Channels, Inbound, Push, Speeches } from "../channels/index.ts";
import type {
  ActingScope,
  Audit,
  AuditLog,
  ByteStreams,
  ConfigSource,
  DurableStreams,
  Log,
  MemoryStreams,
  Outbox,
  RestoreFindings,
  Signing,
  Subscriptions,
  Supervisor,
  Telemetry,
} from "../kernel/index.ts";
import type { Catalog, Media } from "../models/index.ts";
import type { CodeOffer, Peer, Principal, ServedPeople } from "../people/index.ts";
import type {
  AdmitHomeCost,
  Approvals,
  Budgets,
  LabelledFiles,
  OpenHomeGate,
  Secrets,
  UsageSums,
} from "../policy/index.ts";
import type { Activations, AgentStates, Fates, RestoreHold, StepPrompts, Stops } from "../turns/index.ts";
import type {
  AgentId,
  AgentRecord,
  AgentTool,
  BackupState,
  Check,
  HouseId,
  LogQuery,
  LogReport,
  LoginLink,
  SecurityReport,
  Status,
  StorageReport,
  TunnelInfo,
  World,
} from "@hearth/protocol";
import type { PlannedUpdate } from "./doctor.ts";
import type { Connection } from "./arrival.ts";
import type { BackupTargets } from "./backup-targets.ts";
import type { HomeRestorer } from "./backups.ts";
import type { Imports } from "./imports/house-imports.ts";
import type { OidcLogins } from "./oidc/house-oidc.ts";
import type { Reach } from "./reach.ts";
import type { TunnelChanges } from "./tunnel/tunnel-changes.ts";
import type { UiFiles } from "./ui-files.ts";

/** The areas of the house that the port serves, and the process to which the port belongs. */
export interface HttpOptions {
  readonly kernel: {
    readonly world: World;
    readonly log: Log;
    readonly streams: DurableStreams;
    /** The `deltas:` and `live:` streams. */
    readonly memory: MemoryStreams;
    readonly config: ConfigSource;
    readonly audit: AuditLog & Pick<Audit, "rotateKey">;
    /** The epoch is sent with every offset. It changes when the home is restored. */
    readonly findings: Pick<RestoreFindings, "epoch">;
    readonly supervisor: Pick<Supervisor, "list">;
    readonly telemetry: Pick<Telemetry, "expose">;
    readonly acting: Pick<ActingScope, "run" | "cover">;
  };
  readonly people: ServedPeople;
  readonly secrets: Pick<Secrets, "vault">;
  readonly models: { readonly providers: Catalog; readonly media: Media };
  readonly policy: {
    readonly admitHomeCost: AdmitHomeCost;
    readonly openHomeGate: OpenHomeGate;
    readonly usage: Pick<UsageSums, "list">;
    readonly approvals: Pick<Approvals, "list" | "get" | "decide" | "rules" | "removeRule">;
    readonly budgets: Pick<Budgets, "report">;
    readonly files: LabelledFiles;
  };
  readonly messaging: {
    readonly channels: Channels;
    readonly changes: ChannelChanges;
    readonly inbound: Pick<Inbound, "receive" | "listRefused">;
    readonly outbox: Pick<Outbox, "list" | "counts" | "lastMessageAt" | "decide">;
    readonly speeches: Speeches;
    readonly push: Pick<Push, "show" | "change" | "key" | "add" | "remove" | "test">;
  };
  readonly cells: {
    readonly ledger: Pick<Ledger, "list" | "readUsage">;
    readonly pool: Pick<Pool, "list" | "open" | "evict">;
    /** Shows documents of workspaces as text. */
    readonly documents: Documents;
  };
  readonly agents: {
    readonly forget: Forget;
    /** Returns the day of an instant in the zone of the agent's house, as "2026-11-22". */
    readonly dayOf: (agent: AgentRecord, at: number) => Promise<string>;
    readonly transcripts: Transcripts;
    readonly passages: Passages;
    readonly pictures: SizedPictures;
    readonly descriptions: PictureDescriptions;
    readonly brains: Pick<Brains, "open" | "pendingProposals">;
    readonly memories: Pick<Memory, "recall" | "status" | "reindex">;
    readonly session: { readonly sessions: Pick<Sessions, "request" | "list" | "findByActivation"> };
    readonly inbox: Pick<Inbox, "list" | "get" | "archive">;
    readonly schedule: Omit<Schedule, "run" | "skipDue">;
  };
  readonly turns: {
    readonly states: AgentStates;
    readonly stops: Stops;
    readonly fates: Fates;
    readonly prompts: StepPrompts;
    readonly restore: RestoreHold;
    readonly activations: Activations;
  };
  readonly daemon: DaemonView;
  readonly tunnel: {
    readonly info: () => TunnelInfo;
    readonly tryNow: () => void;
    readonly changes: () => Promise<TunnelChanges>;
  };
  readonly reports: Reports;
}

/** The addresses of a page of the house: on this machine, and on others if it has a public address. */
export type Link = Omit<LoginLink, "expiresAt">;

/** The process of the daemon, as the port uses it. */
export interface DaemonView {
  readonly version: string;
  /** The files under `/ui/`. */
  readonly ui: UiFiles;
  /** Its addresses. Called on each request, because the port is known late. */
  readonly reach: () => Reach;
  /** Resolves the run token that the local CLI uses; undefined if it is not valid. */
  readonly runToken: (token: string) => Promise<Principal | undefined>;
  readonly linkTo: (path: string) => Link;
  readonly loginLink: (principal: Principal, offer: Pick<CodeOffer, "method">) => LoginLink;
  /** Whether the house takes work: it has started, and can store it. */
  readonly ready: () => Promise<boolean>;
  readonly durable: () => Promise<Durable>;
  /** Logins by OpenID Connect in progress, which are in memory. */
  readonly oidc: OidcLogins;
  /** Begins an orderly shutdown and returns at once. */
  readonly stop: (by: AgentId) => void;
}

/** Reports about the whole home. Their code is loaded at the first request. */
export interface Reports {
  readonly status: () => Promise<Status>;
  /** Examines the settings of the home and these houses. */
  readonly security: (houses: ReadonlySet<HouseId>) => Promise<SecurityReport>;
  readonly doctor: (options: { readonly deep: boolean }) => Promise<readonly Check[]>;
  /** The places of `[backup]`, and how their last backups went. */
  readonly backups: () => Promise<readonly BackupState[]>;
  /** Starts a backup. Throws `backup.not-found` and `backup.busy`. */
  readonly makeBackup: (target: string | undefined) => Promise<BackupState>;
  /** Restores backups into the running house. Throws `backup.not-found` without a home folder. */
  readonly restorer: () => Promise<HomeRestorer>;
  /** Changes the targets of backups. */
  readonly backupTargets: () => Promise<BackupTargets>;
  /** Imports agents of other programs. */
  readonly imports: () => Promise<Imports>;
  /** The last lines of the log file. */
  readonly log: (query: LogQuery) => Promise<LogReport>;
  /** Measures the space that each part of the home takes. */
  readonly measure: () => Promise<StorageReport>;
  /** Returns the update that the next start makes. */
  readonly update: () => Promise<PlannedUpdate>;
  /** Reports the brain parts of the prompt, for a room or for the agent's own people. */
  readonly prompt: PromptReports;
  /** Lists all tools for the people who choose an agent's. */
  readonly tools: (agent: AgentRecord) => Promise<readonly AgentTool[]>;
  /** Makes one search with the configured engine. Throws `search.none`, `search.failed`. */
  readonly searchWeb: (query: string, signal: AbortSignal) => Promise<readonly { readonly title: string }[]>;
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
}

/** The caller, with a check that its credential is still valid. */
export interface Caller {
  readonly principal: Principal;
  /** Its network address, which grants nothing. */
  readonly peer: Peer;
  /** The origin of the house that it used, such as `https://house.example`. */
  readonly origin: string;
  /** Checks again: a key may be revoked, a login ended, an agent removed. Never rejects. */
  isStillValid(): Promise<boolean>;
  /**
   * Checks like `isStillValid`, for a further request on the same connection, and counts a use of
   * the credential. Throws `key.limit`.
   */
  mayRequest(): Promise<boolean>;
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
  onMessage(text: string): void;
  onDrain(): void;
  onClose(): void;
}

export interface Http {
  /**
   * Answers any request except an upgrade. `connection` contains the platform's facts about the
   * connection, which the request cannot change. Never rejects.
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
