/** What a daemon is handed of its machine, and what it gives. */
import type { StorageChecks } from "./http/doctor.ts";
import type { ActivationId, LoginLink, World } from "@hearth/protocol";
import type { AuditParts } from "./kernel/audit/audit.ts";
import type { BrainDisk } from "./agents/brains/disk.ts";
import type { BackendTable } from "./cells/backends.ts";
import type { ChannelTable } from "./channels/house-channels.ts";
import type { ConfigSource } from "./kernel/config/source.ts";
import type { EgressOptions } from "./cells/egress/egress.ts";
import type { Http } from "./http/http.ts";
import type { UiFiles } from "./http/ui-files.ts";
import type { PasswordHash } from "./people/credentials/password-hash.ts";
import type { LeasesOptions } from "./kernel/journal/leases.ts";
import type { MemoryParts } from "./agents/memory/backend.ts";
import type { Log } from "./kernel/log/log.ts";
import type { Stage, StageName } from "./policy/effect.ts";
import type { KeyFiles } from "./models/catalog/key-files.ts";
import type { ProviderFactory } from "./models/provider.ts";
import type { HomeFile } from "./http/security/view.ts";
import type { VaultOptions } from "./policy/secrets/house-vault.ts";
import type { Redaction } from "./policy/secrets/redaction.ts";
import type { Vault } from "./policy/secrets/vault.ts";
import type { Blobs } from "./kernel/store/blobs.ts";
import type { Store } from "./kernel/store/store.ts";
import type { FurtherTools } from "./agents/tools/tool.ts";
import type { Ed25519 } from "./kernel/streams/subscriptions/signing.ts";

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
