/** Opens a daemon's durable state: the audited store, the streams, the journal and the leases. */
import type { World } from "@hearth/protocol";
import { type Audit, type AuditParts, openAudit } from "./audit/audit.ts";
import { type ActingScope, noActing } from "./audit/audit-rows.ts";
import { type RestoredHome, type RestoreFindings, openRestoreFindings } from "./audit/restore-findings.ts";
import type { KeyFiles } from "./config/key-files.ts";
import type { ConfigSource } from "./config/source.ts";
import { createVersionOf } from "./config/version.ts";
import { type Journal, createJournal } from "./journal/journal.ts";
import { type Leases, createLeases } from "./journal/leases.ts";
import type { Log } from "./log/log.ts";
import { type Notices, createNotices } from "./outbox/notices.ts";
import type { Blobs } from "./store/blobs.ts";
import { type DeferringStore, createDeferringStore } from "./store/deferred-writes.ts";
import type { Store } from "./store/store.ts";
import { createDurableStreams } from "./streams/durable.ts";
import { createMemoryStreams } from "./streams/memory.ts";
import type { DurableStreams, MemoryStreams } from "./streams/streams.ts";
import { createTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
import type { Observer } from "./telemetry/observer.ts";
import { type Supervisor, createSupervisor } from "./supervisor.ts";

export interface KernelOptions {
  readonly world: World;
  readonly log: Log;
  readonly config: ConfigSource;
  readonly keyFiles: KeyFiles;
  /** The store with the sealed audit rows. `audit` has their key. */
  readonly store: Store;
  /** The parts of the audit log outside the store. */
  readonly audit: AuditParts;
  readonly blobs: Blobs;
  /** Set at the first start after a restore from a backup. */
  readonly restored?: RestoredHome | undefined;
  /** Whether other daemons may use the same store. Default: no, since the home is locked. */
  readonly house?: "alone" | "shared";
  /** Knows the request for which code runs, for the audit log. Default: rows name no credentials. */
  readonly acting?: ActingScope | undefined;
  /** An observer in addition to those of the config, for tests that read spans. */
  readonly observer?: Observer | undefined;
}

export interface Kernel extends AsyncDisposable {
  readonly world: World;
  readonly log: Log;
  readonly config: ConfigSource;
  /** The keys that people typed, to which the config refers. */
  readonly keyFiles: KeyFiles;
  /** Returns the version of the current config. */
  readonly configVersion: () => string;
  /** The audited store. */
  readonly store: Store;
  /** The same store, with deferred writes that are written with later commits. */
  readonly deferring: DeferringStore;
  readonly blobs: Blobs;
  readonly audit: Audit;
  readonly acting: ActingScope;
  /** The signs that the home was restored or copied. */
  readonly findings: RestoreFindings;
  readonly streams: DurableStreams;
  /** The `deltas:` and `live:` streams. */
  readonly memory: MemoryStreams;
  readonly journal: Journal;
  readonly leases: Leases;
  /** Messages of the house to conversations. */
  readonly notices: Notices;
  readonly supervisor: Supervisor;
  /** Measures turns for the observers. */
  readonly telemetry: Telemetry;
  /** Aborts when the daemon closes. */
  readonly signal: AbortSignal;
  /** Aborts `signal`. */
  close(): void;
}

/** Maximum number of past live events of a room that new watchers can read. */
const MAX_LIVE_EVENTS = 256;
/**
 * Maximum number of deltas of an activation. It suffices for a reply of the maximum length with one
 * delta per token, and its tool calls.
 */
const MAX_DELTAS = 16_384;
/** Length in bytes of the id under which this run of the daemon holds leases. */
const HOLDER_SIZE = 16;

export const openKernel = async (options: KernelOptions): Promise<Kernel> => {
  const { world, log, config, keyFiles, blobs, house = "alone", acting = noActing } = options;
  const audit = await openAudit({ world, log, store: options.store, blobs, parts: options.audit, acting });
  const deferring = createDeferringStore(audit.store);
  const { store } = deferring;
  const closeAbort = new AbortController();
  const { signal } = closeAbort;
  const telemetry = createTelemetry({ world, log, config, additional: options.observer });
  const supervisor = createSupervisor({ clock: world.clock, log });
  const findings = await openRestoreFindings({
    world,
    log,
    store,
    blobs,
    lost: audit.lostHeads(),
    restored: options.restored,
  });
  const streams = createDurableStreams({ world, store, blobs, log, signal, house });
  const maxEvents = (stream: string): number => (stream.startsWith("live:") ? MAX_LIVE_EVENTS : MAX_DELTAS);
  return {
    world,
    log,
    config,
    keyFiles,
    configVersion: createVersionOf(config, world.hash),
    store,
    deferring,
    blobs,
    audit,
    acting,
    findings,
    streams,
    memory: createMemoryStreams({ world, signal, maxEvents }),
    journal: createJournal({ world, store, blobs }),
    leases: createLeases({ world, store, house, holder: world.random(HOLDER_SIZE).toHex() }),
    notices: createNotices({ world, store }),
    supervisor,
    telemetry,
    signal,
    close: () => closeAbort.abort(),
    async [Symbol.asyncDispose]() {
      await telemetry[Symbol.asyncDispose]();
      await audit[Symbol.asyncDispose]();
    },
  };
};
