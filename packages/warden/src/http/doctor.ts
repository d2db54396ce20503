/** The checks of `hearth doctor`. Each does a real operation and, if it fails, says what to do. */
import type { Channels } from "../channels/index.ts";
import type { Audit, Config, ConfigSource, ReaderState, Store, RestoreFindings, Supervisor } from "../kernel/index.ts";
import type { Brains } from "../agents/index.ts";
import type { Backends, Documents } from "../cells/index.ts";
import type { Records } from "../people/index.ts";
import type { Catalog, Pictures, Voice } from "../models/index.ts";
import type { Vault } from "../policy/index.ts";
import { checkBackups, type HomeBackups } from "./backups.ts";
import type { Reach } from "./reach.ts";
import { checkTunnel } from "./tunnel/check-tunnel.ts";
import {
  type CellKind,
  type Check,
  type Clock,
  DEFAULT_MODEL,
  durabilityWords,
  HearthError,
  type KeySourceKind,
  type RestoreFinding,
  type StorageReport,
  type UpdateReport,
  toErrorBody,
  type TunnelInfo,
  type World,
} from "@hearth/protocol";

export interface DoctorOptions {
  readonly kernel: {
    readonly world: World;
    readonly store: Store;
    readonly audit: Audit;
    readonly config: ConfigSource;
    readonly findings: RestoreFindings;
    readonly supervisor: Supervisor;
    readonly signal: AbortSignal;
  };
  readonly providers: Catalog;
  readonly media: {
    readonly voice: Pick<Voice, "describe">;
    readonly pictures: Pick<Pictures, "describe">;
    readonly descriptions: Pick<Pictures, "describe">;
    readonly documents: Pick<Documents, "hasOcr">;
  };
  readonly channels: Pick<Channels, "list" | "open" | "state">;
  /** Brains whose folder was missing. */
  readonly brains: Pick<Brains, "restoredBrains">;
  readonly records: Records;
  readonly vault: Pick<Vault, "status">;
  /** `kind`: the default kind of cell. */
  readonly cells: { readonly backends: Backends; readonly kind: CellKind };
  /** The files under the store. Absent: it has none. */
  readonly storage?: Pick<HomeStorage, "examine" | "known">;
  readonly backups: HomeBackups | undefined;
  readonly reach: () => Reach;
  /** Checks the route of the tunnel, and returns the result. */
  readonly tunnel: () => Promise<TunnelInfo>;
}

/** The files under the store. */
export interface HomeStorage {
  /** Checks every page and blob, which may take minutes. */
  examine(): Promise<readonly Check[]>;
  /** Returns known results without a check. */
  known(): readonly Check[];
  /** Measures what takes space, which may take seconds. */
  measure(keeps: Pick<Config, "retention" | "turns">): Promise<StorageReport>;
  /** Finds out what the next start updates, which may take seconds. */
  planUpdate(): Promise<PlannedUpdate>;
}
/** An update, without the version that runs. */
export type PlannedUpdate = Omit<UpdateReport, "running">;

export const runDoctor = async (
  options: DoctorOptions,
  { deep }: { readonly deep: boolean },
): Promise<readonly Check[]> => [
  checkAddress(options.reach(), options.kernel.world.clock.now()),
  ...checkTunnel(await options.tunnel()),
  checkConfig(options.kernel.config),
  ...(await checkPasskeys(options)),
  await checkStore(options.kernel.store),
  await checkDisk(options.kernel.store),
  checkDurability(options.kernel.store),
  checkVault(options.vault),
  checkAudit(options.kernel.audit),
  checkRestore(options.kernel.findings.open()),
  ...checkReaders(options.kernel.supervisor.list()),
  ...(await checkProviders(options.providers)),
  ...(await checkVoice(options.media.voice, options.kernel.signal)),
  await checkPictures("pictures", options.media.pictures),
  await checkPictures("descriptions", options.media.descriptions),
  await checkOcr(options.media.documents),
  ...(await checkAgents(options)),
  ...(await checkChannels(options.channels)),
  ...(await checkBrains(options)),
  ...(await checkCells(options)),
  ...(deep ? await checkStorage(options.storage) : (options.storage?.known() ?? [])),
  ...(await checkBackups(options.backups)),
];

const DAY_MS = 24 * 60 * 60_000;
/**
 * Days before the end of a certificate at which its renewal is late. Renewals begin about a month
 * before the end.
 */
const LATE_DAYS = 14;

/** Checks who can connect, and whether the connection is encrypted. */
export const checkAddress = (reach: Reach, now: number): Check => {
  const { localUrl, publicUrl, outside, trustedProxies, certificate } = reach;
  const name = "address";
  const proxies = trustedProxies.length === 0 ? "" : ` through ${trustedProxies.join(", ")}`;
  const port =
    outside === undefined
      ? ""
      : `; ${outside} takes ${certificate === undefined ? "plain" : "TLS"} connections of other machines`;
  const places =
    publicUrl === undefined
      ? `only this machine can connect: ${localUrl}`
      : `${publicUrl}${proxies}, and ${localUrl} on this machine${port}`;
  if (certificate === undefined) return { name, ok: true, detail: places };
  const { names, validUntil, problem } = certificate();
  const days = Math.floor((validUntil - now) / DAY_MS);
  const until = days < 0 ? `expired ${-days} days ago` : `is valid for ${days} days`;
  const detail = `${places}; the certificate for ${names} ${until}`;
  if (problem !== undefined)
    return {
      name,
      ok: false,
      detail: `${detail}; the changed files are not used: ${problem}`,
      fix: "Correct the files of tls_cert and tls_key. The house reads them again every ten seconds.",
    };
  return days >= LATE_DAYS
    ? { name, ok: true, detail }
    : { name, ok: false, detail, fix: "Renew the certificate. The house uses the new files without a restart." };
};

/** Reports whether OCR is installed. OCR is optional: without it, scanned pages have no text. */
const checkOcr = async ({ hasOcr }: Pick<Documents, "hasOcr">): Promise<Check> => ({
  name: "ocr",
  ok: true,
  detail: (await hasOcr())
    ? "scanned pages of PDF files are read by tesseract"
    : "scanned pages of PDF files have no text; to read them, install tesseract-ocr and poppler-utils",
});

/** Whether the present text of hearth.toml is in force. */
const checkConfig = (config: Pick<ConfigSource, "problem" | "restartTables">): Check => {
  const name = "config";
  const problem = config.problem();
  if (problem !== undefined)
    return {
      name,
      ok: false,
      detail: `${problem.message.replace(/\.?$/, ".")} The last valid settings are in force.`,
      fix: `${problem.hint ?? "Correct hearth.toml."} The house reads the file when it changes.`,
    };
  const pendingTables = config.restartTables().map((table) => `[${table}]`);
  if (pendingTables.length === 0) return { name, ok: true, detail: "hearth.toml is in force" };
  return {
    name,
    ok: false,
    detail: `changed since the start, and not in force yet: ${pendingTables.join(", ")}`,
    fix: "Restart the house: hearth stop, then hearth up",
  };
};

/** Finds passkeys that do not work, or will not after the next start, because the house has another address. */
const checkPasskeys = async ({ kernel, reach }: DoctorOptions): Promise<readonly Check[]> => {
  const rows = await kernel.store.select({ table: "passkeys" });
  if (rows.length === 0) return [];
  const name = "passkeys";
  const configuredUrl = kernel.config.current().server.publicUrl;
  const currentUrl = reach().publicUrl;
  // The file names the address after the next start; a tunnel keeps its own.
  const nextUrl = reach().tunnel === undefined ? configuredUrl : currentUrl;
  const hosts = new Set(["localhost", ...(nextUrl === undefined ? [] : [new URL(nextUrl).hostname])]);
  const unusable = rows.filter(({ host }) => !hosts.has(host));
  if (unusable.length === 0) return [{ name, ok: true, detail: `${rows.length}, all at an address of the house` }];
  const [firstUnusable] = unusable;
  const effectText = currentUrl === nextUrl ? "do not work" : "will not work after the next start";
  return [
    {
      name,
      ok: false,
      detail: `${unusable.length} of ${rows.length} ${effectText}, because they belong to ${firstUnusable?.host ?? ""}: ${[...hosts].join(", ")} ${hosts.size === 1 ? "is the only address" : "are the only addresses"} with a name`,
      fix: `Keep public_url at ${firstUnusable?.host ?? ""}, or make sure that each person has a password, and add passkeys at the new address.`,
      page: "account",
    },
  ];
};

const checkChannels = async (channels: Pick<Channels, "list" | "open" | "state">): Promise<readonly Check[]> =>
  Promise.all(
    channels.list().map(async ({ name, agent }) => {
      await channels.open(name);
      const { state, error } = channels.state(name);
      if (error === undefined)
        return { name: `channel ${name}`, ok: true, detail: `${state}; @${agent} answers there` };
      const { message, hint } = error;
      return {
        name: `channel ${name}`,
        ok: false,
        detail: message,
        ...(hint === undefined ? {} : { fix: hint }),
        page: "channels",
      };
    }),
  );

/** Measures the storage. Throws `request.not-found` for a house without files. */
export const measure = async (
  { storage }: { readonly storage?: Pick<HomeStorage, "measure"> | undefined },
  config: Pick<Config, "retention" | "turns">,
): Promise<StorageReport> => {
  if (storage !== undefined) return storage.measure(config);
  throw noFilesError("measured");
};

/** Plans the next update. Throws `request.not-found` for a house without files. */
export const planUpdate = async ({
  storage,
}: {
  readonly storage?: Pick<HomeStorage, "planUpdate"> | undefined;
}): Promise<PlannedUpdate> => {
  if (storage !== undefined) return storage.planUpdate();
  throw noFilesError("updated");
};

const noFilesError = (verb: string): HearthError =>
  new HearthError("request.not-found", `This house has no files that can be ${verb}.`, {
    hint: "It keeps everything in memory. Use a house that was started with: hearth up",
  });

const checkStorage = async (storage: Pick<HomeStorage, "examine" | "known"> | undefined): Promise<readonly Check[]> => {
  if (storage === undefined) return [];
  try {
    return await storage.examine();
  } catch (error) {
    return [toFailedCheck("storage", error)];
  }
};

/** A text that is a little longer than a long message. */
const PROBE = "x".repeat(64 * 1024);
const PROBE_ROW = { reader: "doctor", stream: PROBE } as const;

/** Writes and removes a row, to see whether the disk has space. */
const probeWrite = async (store: Store): Promise<void> => {
  await store.commit({
    writes: [
      { kind: "put", table: "readers", row: { ...PROBE_ROW, offset: 0 } },
      { kind: "delete", table: "readers", where: PROBE_ROW },
    ],
  });
};

/**
 * Disk space reserved for work in progress. New work is refused before it takes the space that
 * accepted work needs.
 */
export const DISK_RESERVE = 16 * 1024 * 1024;

/** How long the result of the write check is cached, because monitors may poll often. */
const CACHED_MS = 1000;

/**
 * Creates the check whether new work is accepted: the disk has the reserve left (checked each time)
 * and accepts writes (checked at most once a second). `/readyz` and requests use the same check.
 */
export const createWritableCheck = (store: Store, clock: Clock): (() => Promise<boolean>) => {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(true);
  const takesWrites = (): Promise<boolean> => {
    if (clock.monotonic() - answeredAt < CACHED_MS) return answer;
    answeredAt = clock.monotonic();
    answer = probeWrite(store).then(
      () => true,
      () => false,
    );
    return answer;
  };
  const hasSpace = (): Promise<boolean> =>
    store.freeBytes().then(
      (bytes) => bytes >= DISK_RESERVE,
      () => false,
    );
  return async () => (await hasSpace()) && (await takesWrites());
};

const toFailedCheck = (name: string, error: unknown): Check => {
  const { message, hint } = toErrorBody(error);
  return { name, ok: false, detail: message, ...(hint === undefined ? {} : { fix: hint }) };
};

const checkStore = async (store: Store): Promise<Check> => {
  try {
    await probeWrite(store);
    return { name: "store", ok: true, detail: "hearth.db accepts writes" };
  } catch (error) {
    return toFailedCheck("store", error);
  }
};

const checkDisk = async (store: Store): Promise<Check> => {
  const name = "disk";
  try {
    const bytes = await store.freeBytes();
    if (bytes === Infinity) return { name, ok: true, detail: "not used: this house is in memory" };
    const ok = bytes >= DISK_RESERVE;
    const remainingText =
      bytes < MIN_ROUNDED_BYTES ? `${Math.floor(bytes / MIB)} MiB left` : `${Math.floor(bytes / GIB)} GiB left`;
    if (ok) return { name, ok, detail: remainingText };
    const fix = "Free space on the disk of the home folder. The house then continues automatically.";
    return { name, ok, detail: `${remainingText}: the house refuses new work below ${DISK_RESERVE / MIB} MiB`, fix };
  } catch (error) {
    return toFailedCheck(name, error);
  }
};

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Minimum size that is shown in whole GiB. */
const MIN_ROUNDED_BYTES = 10 * GIB;

const checkDurability = ({ traits: { durability } }: Store): Check => ({
  name: "durability",
  ok: true,
  detail: `${durability}: ${durabilityWords[durability]}`,
});

const checkVault = (vault: Pick<Vault, "status">): Check => {
  const status = vault.status();
  switch (status.state) {
    case "empty":
      return { name: "secrets", ok: true, detail: "no secrets are stored" };
    case "open":
      return { name: "secrets", ok: true, detail: `encrypted; the key is ${keyPlaces[status.source]}` };
    case "locked":
      return { name: "secrets", ok: false, detail: `locked, so no secret can be used: ${status.why}`, fix: status.fix };
  }
};

/** Whether the log matched its anchor at the start. `hearth audit verify` checks every row. */
const checkAudit = (audit: Pick<Audit, "lostHeads">): Check => {
  const name = "audit log";
  const [lostHead] = audit.lostHeads();
  return lostHead === undefined
    ? { name, ok: true, detail: "matches its anchor" }
    : {
        name,
        ok: false,
        detail: `does not match its anchor, which recorded row ${lostHead.offset} of ${lostHead.house}`,
        fix: "See what is missing: hearth audit verify. If you restored a backup, move audit/lost-*.json out of the home.",
        page: "audit",
      };
};

const checkRestore = (findings: readonly RestoreFinding[]): Check => {
  const name = "restore";
  if (findings.length === 0) return { name, ok: true, detail: "the house is not on hold" };
  const detail = `the house is on hold: ${findings.map((finding) => finding.detail).join(" ")}`;
  const fix =
    "To list the work that it would repeat: hearth restore show. To decide: hearth restore continue, or hearth restore discard";
  return { name, ok: false, detail, fix, page: "restore" };
};

/** Reports failing readers. A failing reader blocks its part of the house until it runs again. */
const checkReaders = (readers: readonly ReaderState[]): readonly Check[] => {
  const failing = readers.filter(({ failures }) => failures > 0);
  if (failing.length === 0) return [{ name: "background readers", ok: true, detail: "all are running" }];
  return failing.map(({ name, failures, lastError, nextTryAt }) => {
    const nextTryText =
      nextTryAt === undefined ? "it was restarted just now" : `next try ${new Date(nextTryAt).toISOString()}`;
    return {
      name: `reader ${name}`,
      ok: false,
      detail: `failed ${failures} ${failures === 1 ? "time" : "times"} in a row, last with: ${lastError}; ${nextTryText}`,
      fix: "It is restarted automatically. If it keeps failing, read the error in Settings → System → Log, or in logs/hearth.log of the home folder.",
    };
  });
};

const keyPlaces: Readonly<Record<KeySourceKind, string>> = {
  file: "in a file of the home folder",
  passphrase: "derived from a passphrase at each start",
  keyring: "in the system keyring",
};

const checkProviders = async (providers: Catalog): Promise<readonly Check[]> =>
  (await providers.list()).map(({ name, ready, detail }) => ({
    name: `provider ${name}`,
    ok: ready,
    detail,
    ...(ready
      ? {}
      : {
          fix: `Set its key, or correct it in Settings → Models. Then test it: hearth provider test ${name} --model MODEL`,
          page: "models" as const,
        }),
  }));

/** Checks that the models of all bots have a provider. A bot without a provider would fail at its first message. */
const checkAgents = async ({ records, providers }: DoctorOptions): Promise<readonly Check[]> => {
  const bots = (await records.list("agent")).filter(({ content }) => content.kind === "bot");
  return Promise.all(
    bots.map(async ({ handle, content }) => {
      const model = content.model ?? DEFAULT_MODEL;
      try {
        const fallback = content.fallback ?? [];
        for (const name of [model, ...fallback]) await providers.resolve(name);
        const fallbackText = fallback.length === 0 ? "" : `, then ${fallback.join(", ")}`;
        return { name: `agent ${handle}`, ok: true, detail: `uses ${model}${fallbackText}` };
      } catch (error) {
        return { ...toFailedCheck(`agent ${handle}`, error), page: "agent", agent: handle };
      }
    }),
  );
};

/** Reports agents halted by a brain proposal, and brains whose folder was missing. */
const checkBrains = async ({ kernel: { store }, records, brains }: DoctorOptions): Promise<readonly Check[]> => {
  const halting = await store.select({ table: "brain_proposals", where: { state: "pending", halts: 1 } });
  const haltedChecks = await Promise.all(
    [...new Set(halting.map(({ agent }) => agent))].map(async (agent) => {
      const handle = (await records.find("agent", agent))?.handle ?? agent;
      const paths = halting.filter((row) => row.agent === agent).map(({ path }) => path);
      const detail = `the agent is paused: a change to ${[...new Set(paths)].join(", ")} needs approval`;
      return {
        name: `brain ${handle}`,
        ok: false,
        detail,
        fix: `Review the change: hearth brain proposals ${handle}`,
        page: "proposals" as const,
        agent: handle,
      };
    }),
  );
  const restoredChecks = brains.restoredBrains().map(({ handle, written, missing }) => ({
    name: `brain ${handle}`,
    ok: false,
    detail: `the folder was missing: ${written} files were restored from the version history, ${missing} could not be restored`,
    fix: "If the folder was moved, stop Hearth and move it back to brains/. The next start no longer reports this.",
  }));
  return [...haltedChecks, ...restoredChecks];
};

/** Cells in use must work. For the others, reports their limits or what is missing. */
const checkCells = async ({ cells, records }: DoctorOptions): Promise<readonly Check[]> => {
  const { backends, kind: cell } = cells;
  const bots = (await records.list("agent")).filter(({ content }) => content.kind === "bot");
  const kinds = new Set<CellKind>([cell, ...bots.map(({ content }) => content.cell ?? cell)]);
  const checks = await Promise.all([...kinds].map((kind) => checkKind(backends, kind)));
  const kindChecks = (await backends.examine()).map(({ backend: { kind, traits }, probe: { ok, why, walls } }) => {
    const isolation = walls.size === 0 ? "no isolation" : `${traits.isolation}: ${[...walls].join(", ")}`;
    const detail = ok
      ? `available (${isolation})${why === undefined ? "" : `; ${why}`}`
      : `not available: ${why ?? "it does not start"}`;
    return { name: `cell ${kind}`, ok: true, ...(ok ? {} : { absent: true as const }), detail };
  });
  return [...checks, ...kindChecks];
};

const checkKind = async (backends: Backends, kind: CellKind): Promise<Check> => {
  const name = `agents in ${kind}`;
  try {
    const { backend, probe } = await backends.choose(kind);
    const detail =
      probe.walls.size === 0
        ? `run in ${backend.kind}, without isolation: they have tools that run commands only if a person adds them`
        : `run in ${backend.kind}`;
    return { name, ok: true, detail };
  } catch (error) {
    return toFailedCheck(name, error);
  }
};

/** Checks speech, which is optional: a part that is off is not a problem. */
const checkVoice = async (voice: Pick<Voice, "describe">, signal: AbortSignal): Promise<readonly Check[]> =>
  (await voice.describe(signal)).map(({ part, state, detail, fix }) => ({
    name: part === "transcribe" ? "voice in" : "voice out",
    ok: state !== "missing",
    detail,
    ...(fix === undefined ? {} : { fix }),
    ...(state === "missing" ? { page: "models" as const } : {}),
  }));

const checkPictures = async (name: string, provider: Pick<Pictures, "describe">): Promise<Check> => {
  const { state, detail, fix } = await provider.describe();
  return {
    name,
    ok: state !== "missing",
    detail,
    ...(fix === undefined ? {} : { fix }),
    ...(state === "missing" ? { page: "models" } : {}),
  };
};
