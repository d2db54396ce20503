/**
 * Options of a daemon (the parts that the machine provides), and the running daemon's interface.
 */
import type { BrainDisk, ExternalTools, MemoryParts } from "./agents/index.ts";
import type { BackendTable, EgressParts, Scratch } from "./cells/index.ts";
import type { ChannelTable } from "./channels/index.ts";
import type { DaemonParts, Http } from "./http/index.ts";
import type { KernelOptions, ReferenceSources } from "./kernel/index.ts";
import type { ProviderFactory, RunSpeech } from "./models/index.ts";
import type { PasswordHash } from "./people/index.ts";
import type { SecretParts, Stages, Vault } from "./policy/index.ts";
import type { ActivationId, LoginLink } from "@hearth/protocol";

export type { SecretParts } from "./policy/index.ts";
export type { EgressParts } from "./cells/index.ts";

export interface WardenOptions {
  readonly kernel: KernelOptions;
  readonly people: {
    readonly passwordHash: PasswordHash;
    /** IANA time zone of the machine. */
    readonly timezone: () => string;
  };
  /** Sources of what the config refers to. */
  readonly references: Pick<ReferenceSources, "environment" | "readFile">;
  readonly secrets: SecretParts;
  readonly models?: {
    /** Provider kinds in addition to the built-in ones. */
    readonly providers?: Readonly<Record<string, ProviderFactory>>;
    /** Runs programs that speak. Absent: the house uses none. */
    readonly runSpeech?: RunSpeech | undefined;
  };
  readonly brains: {
    readonly disk: BrainDisk;
    /** Files of a new brain: path → text. */
    readonly starter: () => Promise<Readonly<Record<string, string>>>;
  };
  readonly cells: {
    readonly backends: BackendTable;
    /** Absent: cells have no network. */
    readonly egress?: EgressParts | undefined;
    /** Absent: documents are not converted to text. */
    readonly scratch?: (() => Promise<Scratch>) | undefined;
    /** Whether the programs for OCR are installed. */
    readonly hasOcr?: (() => boolean) | undefined;
  };
  readonly agents?: {
    /** Tools in addition to the built-in ones. */
    readonly further?: ExternalTools | undefined;
    /** The parts of memory. Absent: agents have no recall. */
    readonly memory?: MemoryParts | undefined;
  };
  /** Channel kinds in addition to the built-in ones. */
  readonly channels?: ChannelTable | undefined;
  /** Additional stages of the choke point, for tests. */
  readonly stages?: Stages | undefined;
  readonly daemon: DaemonParts;
  /** Further work of the running house, by name. The supervisor restarts it when it fails. */
  readonly background?: Readonly<Record<string, BackgroundWork>> | undefined;
}

export interface BackgroundWork {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
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
  isOnHold(): boolean;
  /** Whether secrets can be used, with the reason if not. */
  readonly vault: Pick<Vault, "status">;
}
