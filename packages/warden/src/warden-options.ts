/** What a daemon is handed of its machine, and what it gives. */
import type { StorageChecks, Http, UiFiles, HomeFile } from "./http/index.ts";
import type { AuditParts, ConfigSource, LeasesOptions, Log, Blobs, Store, Ed25519 } from "./kernel/index.ts";
import type { BrainDisk, MemoryParts, FurtherTools } from "./agents/index.ts";
import type { BackendTable, EgressOptions } from "./cells/index.ts";
import type { ChannelTable } from "./channels/index.ts";
import type { PasswordHash } from "./people/index.ts";
import type { Stage, StageName, VaultOptions, Redaction, Vault } from "./policy/index.ts";
import type { KeyFiles, ProviderFactory } from "./models/index.ts";
import type { ActivationId, LoginLink, World } from "@hearth/protocol";

/** What an agent's requests to the network go through. */
export type EgressParts = Pick<EgressOptions, "network" | "resolver" | "tls">;

export type SecretParts = Pick<VaultOptions, "aead" | "sources" | "passphrase" | "ask"> & {
  readonly redaction: Redaction;
};

export interface WardenOptions {
  readonly world: World;
  readonly log: Log;
  readonly config: ConfigSource;
  /** It seals what `audit` has the key to. */
  readonly store: Store;
  /** What of the audit log lies outside the store. */
  readonly audit: AuditParts;
  readonly blobs: Blobs;
  readonly brainDisk: BrainDisk;
  readonly starter: () => Promise<Readonly<Record<string, string>>>;
  readonly backends: BackendTable;
  /** Absent: nothing leads out of a cell. */
  readonly egress?: EgressParts;
  /** More kinds of provider than ship. */
  readonly providers?: Readonly<Record<string, ProviderFactory>>;
  /** Stages of the choke point beyond those that are always there, for tests. */
  readonly stages?: Readonly<Partial<Record<Exclude<StageName, "journal">, Stage>>>;
  /** Whether other daemons may work on the same store. Default: alone, for the home is locked. */
  readonly house?: LeasesOptions["house"];
  /** More tools than ship. */
  readonly further?: FurtherTools;
  /** More kinds of channel than ship. */
  readonly channels?: ChannelTable;
  /** What memory is made of. Absent: nothing is recalled. */
  readonly memory?: MemoryParts;
  readonly ui: UiFiles;
  readonly environment: (name: string) => string | undefined;
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly keyFiles: KeyFiles;
  /** What the vault is made of. */
  readonly secrets: SecretParts;
  readonly passwordHash: PasswordHash;
  readonly ed25519: Ed25519;
  readonly timezone: () => string;
  /** What the CLI of this machine proves itself with, new at each start. */
  readonly runToken: string;
  readonly version: string;
  readonly home: string;
  /** Looks at the files under the store. Absent: it has none. */
  readonly storage?: StorageChecks;
  /** What lies in the home folder. Absent: the house has none. */
  readonly homeFiles?: () => Promise<readonly HomeFile[]>;
  readonly pid: number;
  /** The port's own address, once there is one. */
  readonly url: () => string;
  /** Begins the orderly end of the process. */
  readonly stop: () => void;
  /** How long a poll of a stream waits. */
  readonly longPollMs?: number;
}

export interface Warden extends AsyncDisposable {
  readonly http: Http;
  /** Takes up what was left, then works until it is disposed. Resolves once it accepts work. */
  start(): Promise<void>;
  /** A one-time link for the owner. */
  loginLink(): LoginLink;
  /** A decision was made about what the activation waits for: it goes on. Whether it was waiting. */
  resume(activation: ActivationId): Promise<boolean>;
  /** Whether nothing runs until the owner decides about a restored home. */
  onHold(): boolean;
  /** Whether secrets can be used, and why not. */
  readonly vault: Pick<Vault, "status">;
}
