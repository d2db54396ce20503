/**
 * Starts a house on Bun: reads the machine, wires the warden, opens the port, and ends everything
 * in order.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type AuditKeyRotation,
  type Check,
  type ErrorBody,
  HearthError,
  lazy,
  type LoginLink,
  type RepairReport,
  type SecurityReport,
  type World,
  type Clock,
} from "@hearth/protocol";
import { createUiFiles } from "@hearth/ui/bun";
import { channelRemarks } from "../../channels/house-channels.ts";
import { channels } from "../../channels/table.ts";
import type { Reach } from "../../http/reach.ts";
import { sealerOf } from "../../kernel/audit/audit.ts";
import { loadConfig } from "../../kernel/config/load.ts";
import type { ParsedConfig } from "../../kernel/config/read.ts";
import { findServerProblem, type ServerConfig } from "../../kernel/config/text/server-text.ts";
import type { ConfigFile } from "../../kernel/config/file.ts";
import { type ConfigSource, createConfigSource, placeIn } from "../../kernel/config/source.ts";
import { createSink } from "../../kernel/log/index.ts";
import { createLog, type Log } from "../../kernel/log/log.ts";
import { observe } from "../../kernel/supervisor.ts";
import { composites } from "../../models/resilience/composites.ts";
import { findConfigWarnings } from "../../models/catalog/entry.ts";
import { providers } from "../../models/table.ts";
import { createRedaction, type Redaction } from "../../policy/secrets/redaction.ts";
import { createWarden, type Warden } from "../../warden.ts";
import type { BackgroundWork, WardenOptions } from "../../warden-options.ts";
import type { OfflineAuditLog } from "./audit/offline-audit-log.ts";
import { openAuditParts } from "./audit/parts.ts";
import { openBlobs } from "./blobs.ts";
import { createBunBrainDisk, readStarter } from "./brain-disk.ts";
import { createBackendTable } from "./cells/table.ts";
import { createConfigFile } from "./config-file.ts";
import { createBunEgress } from "./egress/parts.ts";
import { createEd25519 } from "./ed25519.ts";
import { environment, environmentOf } from "./env.ts";
import { type Home, openHome, REPLACEMENT, RESTORED } from "./home.ts";
import { openHomeStore } from "./home-database.ts";
import { createBunKeyFiles, createKeyReader } from "./key-files.ts";
import { installLastResort } from "./last-resort.ts";
import { releaseWhenIdle } from "./idle-release.ts";
import { createBunLogDisk } from "./log-disk.ts";
import { createBunMemory } from "./memory.ts";
import { createBunPasswordHash } from "./password-hash.ts";
import { createBunSecretParts } from "./secrets/parts.ts";
import { listenForTunnel, openPort } from "./serve.ts";
import type { RunSpeech } from "../../models/index.ts";
import type { HomeBackups, HomeStorage, TunnelParts, DaemonParts } from "../../http/index.ts";
import type * as Backups from "./backup/index.ts";
import type * as Exports from "./export/index.ts";
import type * as TakeOver from "./imports/index.ts";
import type * as Upgrades from "./upgrade/index.ts";
import type { AskBackupProcess } from "./backup/backup-request.ts";
import type { examineInProcess } from "./storage/examine-in-process.ts";
import type { StorageWatch } from "./storage/check-after-start.ts";
import { createActingScope, createBunWorld } from "./world.ts";

export type { BackupReport, BackupSummary, RestoreReport, Verified } from "./backup/index.ts";
export type { ExportReport, ImportReport, OnProgress } from "./export/index.ts";
export type { PartComparison as Compared, ImportTarget, ListedItem } from "./imports/index.ts";
export type { RollbackPlan, RollbackReport, UpgradePlan, UpgradeReport } from "./upgrade/index.ts";

export interface StartOptions {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Overrides the port of the config. 0 chooses any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Prints text for the person at the terminal. */
  readonly announce: (text: string) => void;
  /**
   * Asks for the passphrase of the vault at the terminal, without echo. When absent, there is no
   * terminal.
   */
  readonly askPassphrase?: (question: string) => Promise<string>;
}

/** `restart` means that a backup was restored, and that the next start moves it into the home. */
export type EndReason = "stopped" | "restart";

export interface RunningHouse {
  /** The address of the house for this machine. */
  readonly url: string;
  /** The address of the house for other machines, if there is one. */
  readonly publicUrl: string | undefined;
  readonly loginLink: LoginLink;
  /** Ends the house in order. Running work resumes at the next start. */
  stop(): Promise<EndReason>;
  /** Resolves when the house has ended. */
  readonly ended: Promise<EndReason>;
}

/**
 * Starts the house. Throws `home.*`, also when the disk is full, `config.invalid`, `store.*` or
 * `server.port-taken`. Then nothing is left running or locked.
 */
export const startHouse = (options: StartOptions): Promise<RunningHouse> =>
  start(options).catch(async (error: unknown) => {
    throw (await import("./start-failure.ts")).toStartFailure(options.home, error);
  });

const MICROSECONDS_PER_MS = 1000;

const warnOfConfig = (parsed: ParsedConfig, announce: (text: string) => void): void => {
  const kinds = [...Object.keys(providers), ...Object.keys(composites)];
  const remarks = [...findConfigWarnings(parsed, kinds), ...channelRemarks(parsed, Object.keys(channels))];
  for (const warning of [...parsed.warnings, ...remarks]) announce(`warning: ${warning}`);
};

/** Returns the section with the options of this start, and the places of its keys. Throws `config.invalid`. */
const readServer = (parsed: ParsedConfig, file: string, { host, port }: StartOptions) => {
  const section = parsed.config.server;
  const server: ServerConfig = { ...section, host: host ?? section.host, port: port ?? section.port };
  const problem = findServerProblem(server);
  if (problem === undefined) return { server, placeOf: (key: string) => placeIn(parsed, file, ["server", key]) };
  throw new HearthError("config.invalid", `server.${problem.key} ${problem.what}`, { hint: problem.hint });
};

/** Announces what limits the house until a person acts. */
const warnOfLimits = (warden: Pick<Warden, "vault" | "isOnHold">, announce: (text: string) => void): void => {
  const vault = warden.vault.status();
  if (vault.state === "locked")
    announce(`warning: NO SECRET CAN BE USED: the vault is locked, ${vault.why}. ${vault.fix}`);
  if (warden.isOnHold())
    announce(
      "warning: THE HOUSE IS ON HOLD: its home was restored or copied. To see the work that it would repeat: hearth restore show",
    );
};

/** The parts of the machine that a start has before it opens the house. */
interface Machine {
  readonly home: Home;
  readonly world: World;
  readonly log: Log;
  readonly parsed: ParsedConfig;
}

const start = async (options: StartOptions): Promise<RunningHouse> => {
  const home = openHome(options.home);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => home.release());
  if (existsSync(home.path(REPLACEMENT))) await applyReplacement(home.folder, options.announce);

  const world = createBunWorld();
  const configFile = createConfigFile(home.path("hearth.toml"));
  const parsed = await loadConfig(configFile);
  warnOfConfig(parsed, options.announce);
  const redaction = createRedaction();
  const log = openLog({ home, world, parsed }, redaction);
  undo.use(installLastResort(log));
  const machine: Machine = { home, world, log, parsed };

  const { server, placeOf } = readServer(parsed, configFile.name, options);
  const { durability } = parsed.config.store;
  const audit = await openAuditParts(home.folder, world);
  const database = await openHomeStore({ home, world, log, durability, sealer: sealerOf(audit.keys) });
  const store = undo.use(database.store);
  const stopRequested = Promise.withResolvers<EndReason>();
  const runToken = Buffer.from(world.random(32)).toString("base64url");
  let reach: Reach = { localUrl: "", trustedProxies: [], onlyProxies: false };

  const config = createConfigSource(configFile, parsed);
  const restart = (): void => stopRequested.resolve("restart");
  const backups = createLazyBackups({ home: home.folder, config, log, clock: world.clock }, restart);
  const watch = createLazyStorageWatch(machine);
  const restored = await loadRestored(home.path(RESTORED));
  const blobs = await openBlobs(home.path("blobs"), { durability });
  const keyFiles = createBunKeyFiles(home.folder);
  const secrets = createBunSecretParts({ world, home: home.folder, redaction, askPassphrase: options.askPassphrase });
  const warden = undo.use(
    await createWarden({
      ...wardenParts(machine),
      kernel: { world, log, config, keyFiles, store, audit, blobs, restored, acting: createActingScope() },
      secrets,
      background: { backups: backups.work, config: createConfigFollower(machine, configFile, config) },
      daemon: {
        ...daemonParts(home),
        reach: () => reach,
        stop: () => stopRequested.resolve("stopped"),
        runToken,
        storage: storageOf(home.folder, watch.known),
        backups: backups.backups,
      },
    }),
  );
  // From here on the database holds the house until its owner decides.
  rmSync(home.path(RESTORED), { force: true });
  warnOfLimits(warden, options.announce);
  const port = await openPort({ server, home: home.folder, http: warden.http, log, clock: world.clock, placeOf });
  undo.defer(() => port.stop());
  reach = port.reach;
  const url = reach.localUrl;
  await warden.start();
  home.announce({ url, token: runToken });
  log.write("info", "ready", { url, publicUrl: reach.publicUrl, version: VERSION });
  await database.renewGeneration();
  undo.use(startUpkeep(machine, watch));

  const ended = endWhen(stopRequested.promise, undo.move(), log);
  return {
    url,
    loginLink: warden.loginLink(),
    publicUrl: reach.publicUrl,
    stop() {
      stopRequested.resolve("stopped");
      return ended;
    },
    ended,
  };
};

/** Disposes of everything once a stop is requested. */
const endWhen = async (requested: Promise<EndReason>, owned: AsyncDisposableStack, log: Log): Promise<EndReason> => {
  const reason = await requested;
  await owned.disposeAsync();
  log.write("info", "stopped");
  return reason;
};

const openLog = ({ home, world, parsed }: Omit<Machine, "log">, redaction: Redaction): Log => {
  const { to, level } = parsed.config.log;
  const sink = createSink(to, { disk: createBunLogDisk(home.path("logs/hearth.log")), stderr: writeError });
  return createLog({ now: world.clock.now, level, sink, redact: redaction.text });
};

/** The parts of the warden that only depend on the machine. */
const wardenParts = ({ home, world, log, parsed }: Machine) =>
  ({
    people: {
      passwordHash: createBunPasswordHash(),
      timezone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    references: { environment, readFile: createKeyReader(home.folder) },
    models: { runSpeech },
    brains: {
      disk: createBunBrainDisk(home.path("brains"), { durability: parsed.config.store.durability }),
      starter: () => readStarter(fileURLToPath(new URL("../../../../../starter", import.meta.url))),
    },
    cells: createCellParts({ world, log, path: home.path }),
    agents: {
      memory: createBunMemory({ config: parsed.config.memory, brains: home.path("brains"), hash: world.hash }),
    },
  }) satisfies Partial<WardenOptions>;

/** The facts of this process, and what only the machine can do for the API. */
const daemonParts = (home: Home) =>
  ({
    version: VERSION,
    home: home.folder,
    pid: process.pid,
    ui: createUiFiles(),
    ed25519: createEd25519(),
    subtle: crypto.subtle,
    tunnel: { listen: listenForTunnel, run: runProgram },
    sources: lazy(async () => (await import("./imports/source-folders.ts")).createSourceFolders(home.folder)),
    logTail: async (maxBytes) => (await import("./log-tail.ts")).readLogTail(home.path("logs/hearth.log"), maxBytes),
    homeFiles: async () => (await import("./home-files.ts")).listHomeFiles(home.folder),
  }) satisfies Partial<DaemonParts>;

/** Checks the database's pages while the house runs. The code is loaded when the house is ready. */
const createLazyStorageWatch = ({ home, world, log }: Machine) => {
  let watch: StorageWatch | undefined;
  return {
    async start(signal: AbortSignal): Promise<void> {
      const { checkStorageAfterStart } = await import("./storage/check-after-start.ts");
      const examine: typeof examineInProcess = async (...how) =>
        (await import("./storage/examine-in-process.ts")).examineInProcess(...how);
      watch = checkStorageAfterStart({ home: home.folder, log, sleep: world.clock.sleep, signal, examine });
    },
    known: (): readonly Check[] => watch?.findings() ?? [],
  };
};

const createCellParts = ({ world, log, path }: CellPartsOptions): WardenOptions["cells"] => ({
  backends: createBackendTable({ world, log, folder: path("cache") }),
  egress: createBunEgress({ folder: path("egress"), now: world.clock.now }),
  scratch: createLazyScratch(path("cache/documents")),
  hasOcr: () => ["pdftoppm", "tesseract"].every((name) => Bun.which(name, { PATH: CELL_PATH }) !== null),
});

interface CellPartsOptions {
  readonly world: World;
  readonly log: Log;
  readonly path: (name: string) => string;
}

/** The folders of programs that a cell sees. */
const CELL_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Returns a scratch whose code is loaded with the first document. */
const createLazyScratch = (folder: string) => async () => (await import("./cells/scratch.ts")).createScratch(folder)();

/** Looks after the process and its files until disposed. */
const startUpkeep = ({ world, log }: Machine, watch: ReturnType<typeof createLazyStorageWatch>): Disposable => {
  const controller = new AbortController();
  observe(returnMemory(world, controller.signal), log, "memory could not be returned to the system");
  observe(watch.start(controller.signal), log, "the check of the database's pages could not be started");
  return { [Symbol.dispose]: () => controller.abort() };
};

/** Returns memory to the system whenever the daemon is idle, until `signal` aborts. */
const returnMemory = ({ clock }: World, signal: AbortSignal): Promise<void> =>
  releaseWhenIdle({
    sleep: clock.sleep,
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / MICROSECONDS_PER_MS;
    },
    collect: () => Bun.gc(true),
    dropCode: Bun.shrink,
    signal,
  });

/** Examines the files in other processes, and adds what the watch of the daemon found. */
const storageOf = (home: string, watched: () => readonly Check[]): HomeStorage => ({
  examine: async () => (await import("./storage/examine-in-process.ts")).examineInProcess(home),
  known: watched,
  async measure({ retention, turns: { logDays } }) {
    const { measureInProcess } = await import("./storage/examine-in-process.ts");
    return measureInProcess(home, { now: Date.now(), retention, logDays });
  },
  planUpdate: async () => (await import("./storage/examine-in-process.ts")).planUpdateInProcess(home),
});

/** Moves a backup that was restored beside the last daemon into the home. */
const applyReplacement = async (home: string, announce: (text: string) => void): Promise<void> => {
  const earlierFiles = await (await import("./backup/replace-home.ts")).completeReplacement(home);
  if (earlierFiles !== undefined) announce(`The backup is restored. The files from before are in ${earlierFiles}`);
};

/** Returns the mark that a restore left in the home, or undefined. */
const loadRestored = async (mark: string) =>
  existsSync(mark) ? (await import("./backup/restored.ts")).readRestored(mark) : undefined;

/** The parts of the house that backups need. */
interface BackupParts {
  readonly home: string;
  readonly config: ConfigSource;
  readonly log: Log;
  readonly clock: Clock;
}

/** Backups that the running house makes. Nothing is loaded until the config has a place for them. */
const createLazyBackups = (
  parts: BackupParts,
  restart: () => void,
): { readonly work: BackgroundWork; readonly backups: HomeBackups } => {
  const { config } = parts;
  const ask: AskBackupProcess = async (...args) =>
    (await import("./backup/backup-request.ts")).askBackupProcess(...args);
  const load = lazy(async () => (await import("./backup/schedules.ts")).createBackupSchedules({ ...parts, ask }));
  const loadRestorer = lazy(async () =>
    (await import("./backup/restorer.ts")).createRestorer({ ...parts, ask, restart }),
  );
  const hasPlace = (): boolean => config.current().backup !== undefined;
  return {
    work: {
      async run(signal) {
        await new Promise<void>((resolve) => {
          const resolveIfDue = (): void => {
            if (signal.aborted || hasPlace()) resolve();
          };
          config.onChange(resolveIfDue);
          signal.addEventListener("abort", resolveIfDue, { once: true });
          resolveIfDue();
        });
        if (!signal.aborted) await (await load()).run(signal);
      },
    },
    backups: {
      list: async () => (hasPlace() ? (await load()).list() : []),
      start: async ({ target }) => (await load()).start(target),
      restorer: loadRestorer,
    },
  };
};

/** Opens the audit log of a home whose daemon is not running. */
export const openOfflineAuditLog = async (home: string): Promise<OfflineAuditLog> =>
  (await import("./audit/offline-audit-log.ts")).openOfflineAuditLog(home);

/** Replaces the key of the audit log of a home whose daemon is not running. */
export const rotateAuditKeyOffline = async (home: string): Promise<AuditKeyRotation> =>
  (await import("./audit/rotate-key-offline.ts")).rotateAuditKeyOffline(home);

/** Applies changes of the config file while the house runs. */
const createConfigFollower = ({ world, log }: Machine, file: ConfigFile, config: ConfigSource): BackgroundWork => ({
  async run(signal) {
    const { followConfigFile } = await import("../../kernel/config/follow-file.ts");
    await followConfigFile({ clock: world.clock, log, file, config }, signal);
  },
});

const writeError = (text: string): boolean => process.stderr.write(text);

const runSpeech: RunSpeech = async (...run) =>
  (await import("./speech-program.ts")).createRunSpeech(environmentOf)(...run);

/** Runs the program of a tunnel. The code is loaded for the first program. */
const runProgram: TunnelParts["run"] = async (...run) =>
  (await import("./tunnel.ts")).createRunProgram(environmentOf)(...run);

/** Returns the error with which a house would refuse this config file, or undefined. */
export const examineConfigFile = async (path: string): Promise<ErrorBody | undefined> =>
  (await import("./examine-config.ts")).examineConfigFile(path);

/** Runs the security check of a home whose daemon is not running. */
export const examineSecurityOffline = async (home: string): Promise<SecurityReport> =>
  (await import("./offline-security.ts")).examineSecurityOffline(home);

/** Checks every page and blob of a home whose daemon is not running. */
export const examineStorageOffline = async (home: string): Promise<readonly Check[]> =>
  (await import("./storage/examine.ts")).examineStorage(home);

/** Repairs the database of a home whose daemon is not running. */
export const repairHomeOffline = async (home: string): Promise<RepairReport> =>
  (await import("./storage/repair.ts")).repairHome(home);

/** Makes, checks and restores backups of a home, also while its daemon is running. */
export const openBackups = (): Promise<typeof Backups> => import("./backup/index.ts");

/** Exports a home, also while its daemon is running, and imports an export into an empty one. */
export const openExports = (): Promise<typeof Exports> => import("./export/index.ts");

/** Reads homes of other agents, compares them with an agent of a house, and imports them. */
export const openTakeOver = (): Promise<typeof TakeOver> => import("./imports/index.ts");

/** Updates the database of a home whose daemon is not running, or restores the copy from before the update. */
export const openUpgrades = (): Promise<typeof Upgrades> => import("./upgrade/index.ts");

const VERSION: string = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;
