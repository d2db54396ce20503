/**
 * Starts a house on Bun: reads the machine, wires the warden, opens the port, and ends everything
 * in order.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Check,
  type ErrorBody,
  HearthError,
  type LoginLink,
  type RepairReport,
  type SecurityReport,
  type World,
} from "@hearth/protocol";
import { createUiFiles } from "@hearth/ui/bun";
import { channelRemarks } from "../../channels/house-channels.ts";
import { channels } from "../../channels/table.ts";
import type { Reach } from "../../http/reach.ts";
import { sealerOf } from "../../kernel/audit/audit.ts";
import { loadConfig } from "../../kernel/config/load.ts";
import type { ParsedConfig } from "../../kernel/config/read.ts";
import type { Config } from "../../kernel/config/schema.ts";
import { findServerProblem, type ServerConfig } from "../../kernel/config/text/server-text.ts";
import type { FollowFileOptions } from "../../kernel/config/follow-file.ts";
import { createConfigSource, placeIn } from "../../kernel/config/source.ts";
import { createSink } from "../../kernel/log/index.ts";
import { createLog, type Log } from "../../kernel/log/log.ts";
import { observe } from "../../kernel/supervisor.ts";
import { composites } from "../../models/resilience/composites.ts";
import { remarksOn } from "../../models/catalog/entry.ts";
import { providers } from "../../models/table.ts";
import { createRedaction } from "../../policy/secrets/redaction.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import { createWarden, type Warden } from "../../warden.ts";
import type { BackgroundWork, WardenOptions } from "../../warden-options.ts";
import type { AuditAtRest } from "./audit/at-rest.ts";
import { openAuditParts } from "./audit/parts.ts";
import { openBlobs } from "./blobs.ts";
import { createBunBrainDisk, readStarter } from "./brain-disk.ts";
import { createBackendTable } from "./cells/table.ts";
import { createConfigFile } from "./config-file.ts";
import { createBunEgress } from "./egress/parts.ts";
import { createEd25519 } from "./ed25519.ts";
import { environment, environmentOf } from "./env.ts";
import { openHome, RESTORED } from "./home.ts";
import { openHomeDatabase } from "./home-database.ts";
import { createBunKeyFiles, createKeyReader } from "./key-files.ts";
import { installLastResort } from "./last-resort.ts";
import { releaseWhenIdle } from "./idle-release.ts";
import { createBunLogDisk } from "./log-disk.ts";
import { createBunMemory } from "./memory.ts";
import { createBunPasswordHash } from "./password-hash.ts";
import { createBunSecretParts } from "./secrets/parts.ts";
import { listenForTunnel, openPort } from "./serve.ts";
import type { RunSpeech } from "../../models/index.ts";
import type { HomeStorage, TunnelParts } from "../../http/index.ts";
import type * as Backups from "./backup/index.ts";
import type * as Exports from "./export/index.ts";
import type * as Upgrades from "./upgrade/index.ts";
import type { BackupSchedule, BackupScheduleOptions } from "./backup/schedule.ts";
import type { StorageWatch } from "./storage/watch.ts";
import { createBunWorld } from "./world.ts";

export type { BackupReport, BackupSummary, RestoreReport, Verified } from "./backup/index.ts";
export type { ExportReport, ImportReport, OnProgress } from "./export/index.ts";
export type { RollbackPlan, RollbackReport, UpgradePlan, UpgradeReport } from "./upgrade/index.ts";

export interface StartOptions {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Overrides the config. 0 chooses any free port. */
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

export interface RunningHouse {
  /** Its address for this machine. */
  readonly url: string;
  /** Its address for other machines, if there is one. */
  readonly publicUrl: string | undefined;
  readonly loginLink: LoginLink;
  /** Ends it in order; running work resumes at the next start. */
  stop(): Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/**
 * Throws `home.*`, also when the disk is full, `config.invalid`, `store.*` or `server.port-taken`;
 * then nothing is left running or locked.
 */
export const startHouse = (options: StartOptions): Promise<RunningHouse> =>
  start(options).catch(async (error: unknown) => {
    throw (await import("./start-failure.ts")).toStartFailure(options.home, error);
  });

const MICROSECONDS = 1000;

const warnOfConfig = (parsed: ParsedConfig, announce: StartOptions["announce"]): void => {
  const kinds = [...Object.keys(providers), ...Object.keys(composites)];
  const remarks = [...remarksOn(parsed, kinds), ...channelRemarks(parsed, Object.keys(channels))];
  for (const warning of [...parsed.warnings, ...remarks]) announce(`warning: ${warning}`);
};

/** The section with the options of this start, and the places of its keys. Throws `config.invalid`. */
const readServer = (parsed: ParsedConfig, file: string, { host, port }: StartOptions) => {
  const section = parsed.config.server;
  const server: ServerConfig = { ...section, host: host ?? section.host, port: port ?? section.port };
  const problem = findServerProblem(server);
  if (problem === undefined) return { server, placeOf: (key: string) => placeIn(parsed, file, ["server", key]) };
  throw new HearthError("config.invalid", `server.${problem.key} ${problem.what}`, { hint: problem.hint });
};

/** Announces what limits the house until a person acts. */
const warnOf = (warden: Pick<Warden, "vault" | "onHold">, announce: StartOptions["announce"]): void => {
  const vault = warden.vault.status();
  if (vault.state === "locked")
    announce(`warning: NO SECRET CAN BE USED: the vault is locked, ${vault.why}. ${vault.fix}`);
  if (warden.onHold())
    announce(
      "warning: THE HOUSE IS ON HOLD: its home was restored or copied. To see the work that it would repeat: hearth restore show",
    );
};

const start = async (options: StartOptions): Promise<RunningHouse> => {
  const home = openHome(options.home);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => home.release());

  const world = createBunWorld();
  const configFile = createConfigFile(home.path("hearth.toml"));
  const parsed = await loadConfig(configFile);
  warnOfConfig(parsed, options.announce);
  const { to, level } = parsed.config.log;
  const sink = createSink(to, { disk: createBunLogDisk(home.path("logs/hearth.log")), stderr: writeError });
  const redaction = createRedaction();
  const log = createLog({ now: world.clock.now, level, sink, redact: redaction.text });
  undo.use(installLastResort(log));

  const { server, placeOf } = readServer(parsed, configFile.name, options);
  const { durability } = parsed.config.store;
  // The blobs folder is created after the database, so if it exists there was a database.
  const isUsed = existsSync(home.path("blobs"));
  const path = home.path("hearth.db");
  if (existsSync(`${path}-wal`)) (await import("./generation.ts")).checkGeneration(path);
  const database = openHomeDatabase(path, { isUsed });
  const audit = await openAuditParts(home.folder, world);
  const sealer = sealerOf(audit.hmac);
  const copy = async (version: number): Promise<void> => {
    const { copyBeforeUpdate } = await import("./schema-copies.ts");
    const copied = copyBeforeUpdate(database, { home: home.folder, version, now: world.clock.now() });
    log.write("info", "the database was copied and is being updated", { version, path: copied });
  };
  /**
   * Ends the process without closing its parts in order, because its memory may depend on a commit
   * that was never applied.
   */
  const endProcess = (error: HearthError): void => {
    log.write("error", "Hearth ends: it is unknown whether the last commit was applied. Start it again", { error });
    process.stderr.write(`hearth: ${error.message} ${error.hint ?? ""}\n`);
    process.exit(1);
  };
  const sqlite = await createSqliteStore({
    database,
    clock: world.clock,
    durability,
    sealer,
    copy,
    onUnknownOutcome: endProcess,
  });
  const store = undo.use({
    ...sqlite,
    async scrub() {
      await sqlite.scrub();
      const { removeCopies } = await import("./schema-copies.ts");
      removeCopies(home.folder);
    },
    [Symbol.asyncDispose]: () => sqlite[Symbol.asyncDispose](),
  });
  const stopRequested = Promise.withResolvers<void>();
  const runToken = Buffer.from(world.random(32)).toString("base64url");
  let reach: Reach = { localUrl: "", trustedProxies: [], onlyProxies: false };

  const controller = new AbortController();
  let watch: StorageWatch | undefined;

  const config = createConfigSource(configFile, parsed);
  const backups = createLazyBackups(home.folder, { config: parsed.config.backup, log, clock: world.clock });
  const mark = home.path(RESTORED);
  const restored = existsSync(mark) ? (await import("./backup/restored.ts")).readRestored(mark) : undefined;
  const warden = undo.use(
    await createWarden({
      kernel: {
        world,
        log,
        config,
        keyFiles: createBunKeyFiles(home.folder),
        store,
        audit,
        blobs: await openBlobs(home.path("blobs"), { durability }),
        restored,
      },
      people: {
        passwordHash: createBunPasswordHash(),
        timezone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      references: { environment, readFile: createKeyReader(home.folder) },
      models: { runSpeech },
      secrets: {
        ...createBunSecretParts({ world, home: home.folder, askPassphrase: options.askPassphrase }),
        redaction,
      },
      brains: {
        disk: createBunBrainDisk(home.path("brains"), { durability }),
        starter: () => readStarter(fileURLToPath(new URL("../../../../../starter", import.meta.url))),
      },
      cells: createCellParts({ world, log, path: home.path }),
      agents: {
        memory: createBunMemory({ config: parsed.config.memory, brains: home.path("brains"), hash: world.hash }),
      },
      background: {
        ...backups.work,
        config: createConfigFollower({ clock: world.clock, log, file: configFile, config }),
      },
      daemon: {
        version: VERSION,
        home: home.folder,
        pid: process.pid,
        reach: () => reach,
        stop: stopRequested.resolve,
        runToken,
        ui: createUiFiles(),
        ed25519: createEd25519(),
        tunnel: { listen: listenForTunnel, run: runProgram },
        storage: storageOf(home.folder, () => watch, backups.checks),
        homeFiles: async () => (await import("./home-files.ts")).listHomeFiles(home.folder),
      },
    }),
  );
  // From here on the database holds the house until its owner decides.
  if (restored !== undefined) rmSync(mark);
  warnOf(warden, options.announce);
  const port = await openPort({ server, home: home.folder, http: warden.http, log, clock: world.clock, placeOf });
  undo.defer(() => port.stop());
  reach = port.reach;
  const url = reach.localUrl;
  await warden.start();
  home.announce({ url, token: runToken });
  log.write("info", "ready", { url, publicUrl: reach.publicUrl, version: VERSION });
  // Until now the generation of the previous start is valid.
  await tryRenewal({ database, path, world, log });
  undo.defer(() => controller.abort());
  observe(returnMemory(world, controller.signal), log, "memory could not be returned to the system");
  const watched = import("./storage/watch.ts").then(({ watchStorage }) => {
    watch = watchStorage({ home: home.folder, log, sleep: world.clock.sleep, signal: controller.signal });
  });
  observe(watched, log, "the check of the database's pages could not be started");

  const owned = undo.move();
  let ending: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    ending ??= owned.disposeAsync().then(() => log.write("info", "stopped"));
    return ending;
  };
  const ended = stopRequested.promise.then(stop);
  return {
    url,
    loginLink: warden.loginLink(),
    publicUrl: reach.publicUrl,
    stop() {
      stopRequested.resolve();
      return ended;
    },
    ended,
  };
};

const createCellParts = ({ world, log, path }: CellPartsOptions): WardenOptions["cells"] => ({
  backends: createBackendTable({ world, log, folder: path("cache") }),
  egress: createBunEgress({ folder: path("egress"), now: world.clock.now }),
  scratch: createLazyScratch(path("cache/documents")),
});

interface CellPartsOptions {
  readonly world: World;
  readonly log: Log;
  readonly path: (name: string) => string;
}

/** Loaded with the first document. */
const createLazyScratch = (folder: string) => async () => (await import("./cells/scratch.ts")).createScratch(folder)();

/** Renews the generation of the database, and logs a failure. */
const tryRenewal = async (options: {
  readonly database: ReturnType<typeof openHomeDatabase>;
  readonly path: string;
  readonly world: World;
  readonly log: Log;
}): Promise<void> => {
  const { database, path, world, log } = options;
  const { renewGeneration } = await import("./generation.ts");
  try {
    renewGeneration(database, path, world.ids.fresh("evt"));
  } catch (error) {
    log.write("warn", "could not renew the generation of the database", { error });
  }
};

/** Returns memory to the system whenever the daemon is idle, until `signal` aborts. */
const returnMemory = ({ clock }: World, signal: AbortSignal): Promise<void> =>
  releaseWhenIdle({
    sleep: clock.sleep,
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / MICROSECONDS;
    },
    collect: () => Bun.gc(true),
    dropCode: Bun.shrink,
    signal,
  });

/** Examines the files in other processes, beside what the daemon knows of its watch and its backups. */
const storageOf = (
  home: string,
  watch: () => StorageWatch | undefined,
  backups: () => readonly Check[],
): HomeStorage => ({
  async examine() {
    const { examineBeside } = await import("./storage/examine-beside.ts");
    return [...(await examineBeside(home)), ...backups()];
  },
  known: () => [...(watch()?.known() ?? []), ...backups()],
  async measure({ retention, turns: { logDays } }) {
    const { measureBeside } = await import("./storage/examine-beside.ts");
    return measureBeside(home, { now: Date.now(), retention, logDays });
  },
});

/** Backups that the running house makes, if its config says so. */
const createLazyBackups = (
  home: string,
  { config, ...parts }: Pick<BackupScheduleOptions, "log" | "clock"> & { readonly config: Config["backup"] },
): { readonly work: Readonly<Record<string, BackgroundWork>>; checks(): readonly Check[] } => {
  const places = [
    ...(config?.folder === undefined ? [] : [["backups", config.folder] as const]),
    ...[...(config?.targets ?? [])].map(([name, place]) => [`backups to ${name}`, place] as const),
  ].map(([name, place]) => {
    let schedule: BackupSchedule | undefined;
    const run: BackgroundWork["run"] = async (signal) => {
      const { createBackupSchedule } = await import("./backup/schedule.ts");
      schedule ??= createBackupSchedule({ home, name, config: place, ...parts });
      await schedule.run(signal);
    };
    const check = (): Check => schedule?.check() ?? { name, ok: true, detail: "none was made yet" };
    return { name, run, check };
  });
  return {
    work: Object.fromEntries(places.map(({ name, run }) => [name, { run }])),
    checks: () => places.map(({ check }) => check()),
  };
};

/** The audit log of a home whose daemon is not running. */
export const openAuditAtRest = async (home: string): Promise<AuditAtRest> =>
  (await import("./audit/at-rest.ts")).openAuditAtRest(home);

/** Applies changes of the config file while the house runs. */
const createConfigFollower = (options: FollowFileOptions): BackgroundWork => ({
  run: async (signal) => (await import("../../kernel/config/follow-file.ts")).followConfigFile(options, signal),
});

/** Runs the program of a tunnel. Its code is loaded for the first one. */
const writeError = (text: string): boolean => process.stderr.write(text);

const runSpeech: RunSpeech = async (...run) =>
  (await import("./speech-program.ts")).createRunSpeech(environmentOf)(...run);

const runProgram: TunnelParts["run"] = async (...run) =>
  (await import("./tunnel.ts")).createRunProgram(environmentOf)(...run);

/** Why a house would not start with this config file, or undefined. */
export const examineConfigAtRest = async (path: string): Promise<ErrorBody | undefined> =>
  (await import("./config-at-rest.ts")).examineConfigAtRest(path);

/** The security check of a home whose daemon is not running. */
export const examineSecurityAtRest = async (home: string): Promise<SecurityReport> =>
  (await import("./security-at-rest.ts")).examineAtRest(home);

/** Checks every page and blob of a home whose daemon is not running. */
export const examineStorageAtRest = async (home: string): Promise<readonly Check[]> =>
  (await import("./storage/examine.ts")).examineStorage(home);

/** Repairs the database of a home whose daemon is not running. */
export const repairHomeAtRest = async (home: string): Promise<RepairReport> =>
  (await import("./storage/repair.ts")).repairHome(home);

/** Makes, checks and restores backups of a home, also while its daemon is running. */
export const openBackups = (): Promise<typeof Backups> => import("./backup/index.ts");

/** Exports a home, also while its daemon is running, and imports an export into an empty one. */
export const openExports = (): Promise<typeof Exports> => import("./export/index.ts");

/** Updates the database of a home whose daemon is not running, and goes back. */
export const openUpgrades = (): Promise<typeof Upgrades> => import("./upgrade/index.ts");

const VERSION: string = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;
