/**
 * Options of a daemon (the parts that the machine provides), and the running daemon's interface.
 */
import type { StorageChecks, Http, Reach, UiFiles, HomeFile } from "./http/index.ts";
import type { AuditParts, ConfigSource, LeasesOptions, Log, Blobs, Store, Ed25519 } from "./kernel/index.ts";
import type { BrainDisk, MemoryParts, ExternalTools } from "./agents/index.ts";
import type { BackendTable, EgressOptions } from "./cells/index.ts";
import type { ChannelTable } from "./channels/index.ts";
import type { PasswordHash } from "./people/index.ts";
import type { Stage, StageName, VaultOptions, Redaction, Vault } from "./policy/index.ts";
import type { KeyFiles, ProviderFactory } from "./models/index.ts";
import type { ActivationId, LoginLink, World } from "@hearth/protocol";

/** The network parts of an agent's requests. */
export type EgressParts = Pick<EgressOptions, "network" | "resolver" | "tls">;

export type SecretParts = Pick<VaultOptions, "aead" | "sources" | "passphrase" | "ask"> & {
  readonly redaction: Redaction;
};

export interface WardenOptions {
  readonly world: World;
  readonly log: Log;
  readonly config: ConfigSource;
  /** Holds the sealed audit rows; `audit` has their key. */
  readonly store: Store;
  /** The parts of the audit log outside the store. */
  readonly audit: AuditParts;
  readonly blobs: Blobs;
  readonly brainDisk: BrainDisk;
  readonly starter: () => Promise<Readonly<Record<string, string>>>;
  readonly backends: BackendTable;
  /** Absent: cells have no network. */
  readonly egress?: EgressParts;
  /** Provider kinds in addition to the built-in ones. */
  readonly providers?: Readonly<Record<string, ProviderFactory>>;
  /** Additional stages of the choke point, for tests. */
  readonly stages?: Readonly<Partial<Record<Exclude<StageName, "journal">, Stage>>>;
  /** Whether other daemons may use the same store. Default: no, since the home is locked. */
  readonly house?: LeasesOptions["house"];
  /** Tools in addition to the built-in ones. */
  readonly further?: ExternalTools;
  /** Channel kinds in addition to the built-in ones. */
  readonly channels?: ChannelTable;
  /** The parts of memory. Absent: agents have no recall. */
  readonly memory?: MemoryParts;
  readonly ui: UiFiles;
  readonly environment: (name: string) => string | undefined;
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly keyFiles: KeyFiles;
  /** The parts of the vault. */
  readonly secrets: SecretParts;
  readonly passwordHash: PasswordHash;
  readonly ed25519: Ed25519;
  readonly timezone: () => string;
  /** The credential of this machine's CLI, new at each start. */
  readonly runToken: string;
  readonly version: string;
  readonly home: string;
  /** Checks the store's files. Absent: the store has no files. */
  readonly storage?: StorageChecks;
  /** Lists the files of the home folder. Absent: the house has no home folder. */
  readonly homeFiles?: () => Promise<readonly HomeFile[]>;
  readonly pid: number;
  /** The addresses of the port, complete once it is open. */
  readonly reach: () => Reach;
  /** Starts a graceful shutdown of the process. */
  readonly stop: () => void;
  /** How long a poll of a stream waits. */
  readonly longPollMs?: number;
}

export interface Warden extends AsyncDisposable {
  readonly http: Http;
  /** Resumes unfinished work and runs until disposed. Resolves once it accepts work. */
  start(): Promise<void>;
  /** A one-time link for the owner. */
  loginLink(): LoginLink;
  /** Resumes an activation after a decision that it waits for. Returns whether it was waiting. */
  resume(activation: ActivationId): Promise<boolean>;
  /** Whether all work waits for the owner's decision about a restored home. */
  onHold(): boolean;
  /** Whether secrets can be used, with the reason if not. */
  readonly vault: Pick<Vault, "status">;
}
