/** Opens the port of a daemon over all its areas. */
import { type Agents, createHasPeers, hasPartIn } from "../agents/index.ts";
import { type Cells, createIsIsolated } from "../cells/index.ts";
import type { Messaging } from "../channels/index.ts";
import { createLazyOwnStreams, type Ed25519, type Kernel, type LazyOwnStreams } from "../kernel/index.ts";
import type { Models } from "../models/index.ts";
import type { CodeOffer, People } from "../people/index.ts";
import type { Policy, Secrets } from "../policy/index.ts";
import type { Turns } from "../turns/index.ts";
import {
  type AgentId,
  HearthError,
  lazy,
  lazyMethods,
  type LoginLink,
  includesLevel,
  untilAborted,
} from "@hearth/protocol";
import type { HomeBackups } from "./backups.ts";
import type { HomeStorage } from "./doctor.ts";
import type { Link, Reports } from "./http.ts";
import type { SourceFolders } from "./imports/house-imports.ts";
import { createLazyHttp, type LazyHttp } from "./lazy-http.ts";
import type { OidcLogins } from "./oidc/house-oidc.ts";
import { type Reach, withTunnel } from "./reach.ts";
import type { HomeFile } from "./security/view.ts";
import type { TunnelParts } from "./tunnel/programs.ts";
import { createTunnel, type Tunnel } from "./tunnel/tunnel.ts";
import type { UiFiles } from "./ui-files.ts";

/** The process of the daemon, and what its machine provides to the port. */
export interface DaemonParts {
  readonly version: string;
  /** The home folder. */
  readonly home: string;
  readonly pid: number;
  /** The addresses of the port, complete once it is open. */
  readonly reach: () => Reach;
  /** Starts a graceful shutdown of the process. */
  readonly stop: () => void;
  /** The credential of this machine's CLI, new at each start. */
  readonly runToken: string;
  readonly ui: UiFiles;
  readonly ed25519: Ed25519;
  readonly subtle: SubtleCrypto;
  /** Opens the port of a tunnel and runs its program. */
  readonly tunnel: TunnelParts;
  /** Checks the store's files. Absent: the store has no files. */
  readonly storage?: HomeStorage;
  /** Makes the backups of the config. Absent: the house has no home folder. */
  readonly backups?: HomeBackups;
  /** Reads folders of other programs. Absent: the house has no home folder. */
  readonly sources?: () => Promise<SourceFolders>;
  /** Reads the end of the log file, at most this many bytes. Absent: the house has no log file. */
  readonly logTail?: (maxBytes: number) => Promise<string>;
  /** Lists the files of the home folder. Absent: the house has no home folder. */
  readonly homeFiles?: () => Promise<readonly HomeFile[]>;
}

export interface HttpPartOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly secrets: Secrets;
  readonly models: Models;
  readonly policy: Policy;
  readonly messaging: Messaging;
  readonly cells: Cells;
  readonly agents: Agents;
  readonly turns: Turns;
  readonly daemon: DaemonParts;
}

export interface HttpPart {
  readonly http: LazyHttp;
  /** Maintains byte streams and subscriptions until `signal` aborts. */
  readonly ownStreams: Pick<LazyOwnStreams, "run">;
  /** Keeps the tunnel of the config open until `signal` aborts. */
  readonly tunnel: Pick<LazyOwnStreams, "run">;
  /** Alerts administrators about backups until `signal` aborts. */
  readonly backupAlerts: Pick<LazyOwnStreams, "run">;
  /** From now on the house is ready while it can store work. */
  acceptWork(): void;
  /** Refuses later requests, and ends everything that waits or streams. */
  close(): void;
  /** A one-time link for the owner. */
  loginLink(): LoginLink;
  /** Returns the person who stopped the daemon, or undefined if no person did. */
  stoppedBy(): AgentId | undefined;
}

const LOGIN_PATH = "/login?code=";

export const openHttp = (options: HttpPartOptions): HttpPart => {
  const { kernel, people, secrets, models, policy, messaging, cells, agents, turns } = options;
  const tunnel = openTunnel(options);
  const daemon: DaemonParts = { ...options.daemon, reach: withTunnel(options.daemon.reach, tunnel.address) };
  const { world, store, config } = kernel;
  const { owner, logins } = people;
  const runTokenHash = world.hash(daemon.runToken);
  const isWritable = lazy(async () => (await import("./doctor.ts")).createWritableCheck(store, world.clock));
  let isAcceptingWork = false;
  let stoppedBy: AgentId | undefined;

  const loginLink = (agent: AgentId, offer: CodeOffer): LoginLink => {
    const { code, expiresAt } = logins.offer(agent, offer);
    return { ...toLink(daemon.reach(), `${LOGIN_PATH}${code}`), expiresAt };
  };

  const ownStreams = openOwnStreams({ ...options, daemon });
  const http = createLazyHttp({
    kernel,
    people,
    secrets,
    models,
    policy,
    messaging,
    cells,
    agents,
    turns,
    daemon: {
      version: daemon.version,
      ui: daemon.ui,
      reach: daemon.reach,
      runToken: async (token) => (world.hash(token) === runTokenHash ? { agent: owner, via: "run-token" } : undefined),
      linkTo: (path) => toLink(daemon.reach(), path),
      // A link created with a browser's session proves no more than that session; otherwise anyone
      // at an open browser could set a new password.
      loginLink: ({ agent, via }, offer) => loginLink(agent, { ...offer, proves: via === "run-token" }),
      ready: async () => isAcceptingWork && (await (await isWritable())()),
      durable: async () => ({
        ...(await ownStreams.get()),
        allowsLoopback: config.current().server.loopbackWebhooks,
      }),
      oidc: createLazyOidc(options),
      stop(by) {
        stoppedBy = by;
        daemon.stop();
      },
    },
    tunnel: {
      ...tunnel,
      changes: lazy(async () => (await import("./tunnel/tunnel-changes.ts")).createTunnelChanges(config)),
    },
    reports: createReports({ ...options, daemon }, tunnel, world.clock.now()),
  });

  return {
    http,
    ownStreams,
    tunnel: { run: (signal) => tunnel.run(http, signal) },
    backupAlerts: createLazyBackupAlerts(options),
    acceptWork() {
      isAcceptingWork = true;
    },
    close() {
      isAcceptingWork = false;
      http.close();
    },
    loginLink: () => loginLink(owner, { proves: true }),
    stoppedBy: () => stoppedBy,
  };
};

const openTunnel = ({ kernel, people, daemon }: HttpPartOptions): Tunnel => {
  const { world, log, config } = kernel;
  const { records, passwords, passkeys, identities } = people;
  /** Whether the person can log in: an account counts while the config has its provider. */
  const canLogIn = async (agent: AgentId): Promise<boolean> => {
    if ((await passwords.has(agent)) || (await passkeys.list(agent)).length > 0) return true;
    const { oidc } = config.current().login;
    return (await identities.list(agent)).some(({ provider }) => oidc.has(provider));
  };
  return createTunnel({
    clock: world.clock,
    fetch: world.fetch,
    random: world.random,
    log,
    config,
    parts: daemon.tunnel,
    async listPeopleWithoutLogin() {
      const agentRecords = await records.list("agent");
      const persons = agentRecords.filter(({ content }) => content.kind === "human");
      const loginStates = await Promise.all(persons.map(({ id }) => canLogIn(id)));
      return persons.flatMap(({ handle }, index) => (loginStates[index] === true ? [] : [handle]));
    },
  });
};

/** Loads the alerts in a house with a place for backups. */
const createLazyBackupAlerts = ({ kernel, people, messaging, daemon }: HttpPartOptions) => ({
  async run(signal: AbortSignal): Promise<void> {
    const { backups } = daemon;
    if (backups === undefined) return;
    const { world, config } = kernel;
    const { house, records, permissions } = people;
    if (config.current().backup === undefined) {
      const changed = Promise.withResolvers<void>();
      config.onChange(() => config.current().backup === undefined || changed.resolve());
      await Promise.race([changed.promise, untilAborted(signal)]);
    }
    if (signal.aborted) return;
    const { createBackupAlerts } = await import("./backup-alerts.ts");
    await createBackupAlerts({
      clock: world.clock,
      backups,
      house,
      records,
      permissions,
      alerts: messaging.alerts,
    }).run(signal);
  },
});

/**
 * Loads the logins at the first login by a provider. There is one instance, because logins in
 * progress are in memory.
 */
const createLazyOidc = ({ kernel, secrets, cells }: HttpPartOptions): OidcLogins => {
  const { world, log, config } = kernel;
  const { references } = secrets;
  const { resolver } = cells;
  const load = lazy(async () =>
    (await import("./oidc/house-oidc.ts")).createOidcLogins({ world, log, config, references, resolver }),
  );
  return {
    ...lazyMethods(load, ["start", "finish", "check"]),
    // This does not load the library, because each view of the login page calls it.
    providers: async () => [...config.current().login.oidc].map(([name, { label }]) => ({ name, label })),
  };
};

/** Number of results that a test of the search engine requests. */
const SHOWN_RESULTS = 3;

const createReports = (options: HttpPartOptions, tunnel: Tunnel, startedAt: number): Reports => {
  const { kernel, people, secrets, models, messaging, cells, agents, turns, daemon } = options;
  const { world, store, config, audit } = kernel;
  const { records, audienceOf } = people;
  const { pool, backends } = cells;
  return {
    async status() {
      const { readStatus } = await import("./status.ts");
      const { version, home, pid, reach } = daemon;
      return readStatus({
        version,
        home,
        pid,
        reach,
        startedAt,
        records,
        activations: turns.activations,
        store,
        cells: pool,
      });
    },
    security: async (houses) =>
      (await import("./security/examine-house.ts")).examineHouse({
        home: daemon.home,
        now: world.clock.now(),
        vault: secrets.vault.status(),
        config,
        table: agents.table,
        store,
        audit,
        backends,
        houses,
        ...(daemon.homeFiles === undefined ? {} : { files: daemon.homeFiles }),
      }),
    backups: async () => (await daemon.backups?.list()) ?? [],
    async makeBackup(target) {
      turns.restore.requireNone();
      return (await import("./backups.ts")).startBackup(daemon.backups, target);
    },
    restorer: async () => (await import("./backups.ts")).restorerOf(daemon.backups),
    backupTargets: lazy(async () => (await import("./backup-targets.ts")).createBackupTargets(kernel)),
    imports: lazy(async () =>
      (await import("./imports/house-imports.ts")).createImports({ kernel, folders: foldersOf(daemon) }),
    ),
    log: async (query) =>
      (await import("./daemon-log.ts")).readDaemonLog({
        ...(daemon.logTail === undefined ? {} : { tail: daemon.logTail }),
        isWritten: config.current().log.to.includes("file"),
        query,
      }),
    measure: async () => (await import("./doctor.ts")).measure(daemon, config.current()),
    update: async () => (await import("./doctor.ts")).planUpdate(daemon),
    doctor: async (doctorOptions) =>
      (await import("./doctor.ts")).runDoctor(
        {
          kernel,
          providers: models.providers,
          media: {
            voice: models.voice,
            pictures: models.pictures,
            descriptions: models.descriptions,
            documents: cells.documents,
          },
          channels: messaging.channels,
          brains: agents.brains,
          records,
          vault: secrets.vault,
          cells: { backends, kind: config.current().cells.backend },
          reach: daemon.reach,
          tunnel: () => tunnel.check(kernel.signal),
          backups: daemon.backups,
          ...(daemon.storage === undefined ? {} : { storage: daemon.storage }),
        },
        doctorOptions,
      ),
    prompt: async (...args) => {
      const { createPromptReports } = await import("../agents/lazy.ts");
      return createPromptReports({ context: turns.context, audienceOf })(...args);
    },
    tools: async (agent) => {
      const { createAgentTools } = await import("../agents/lazy.ts");
      return createAgentTools({
        table: agents.table,
        isIsolated: createIsIsolated(backends, () => config.current().cells.backend),
        hasPeers: createHasPeers(people),
        hasPictures: () => hasPartIn(config)("pictures"),
        hasSearch: () => config.current().search !== undefined,
      })(agent);
    },
    searchWeb: async (query, signal) => agents.search().search(query, SHOWN_RESULTS, signal),
  };
};

/** Throws `import.failed` in a house without a home folder. */
const foldersOf =
  ({ sources }: DaemonParts) =>
  (): Promise<SourceFolders> => {
    if (sources !== undefined) return sources();
    throw new HearthError("import.failed", "This house has no home folder, so it reads no folders.", {
      hint: "Start a house with a home: hearth up --home DIR",
    });
  };

const openOwnStreams = ({ kernel, people, agents, daemon }: HttpPartOptions): LazyOwnStreams => {
  const { world, log, store, streams } = kernel;
  const { permissions } = people;
  return createLazyOwnStreams({
    store,
    load: async () =>
      (await import("../kernel/lazy.ts")).createOwnStreams({
        world,
        log,
        store,
        streams,
        epoch: kernel.findings.epoch,
        release: agents.retention.release,
        ed25519: daemon.ed25519,
        url: () => toPublicUrl(daemon.reach()),
        mayReach: async (agent, level, place) => includesLevel(await permissions.levelOf({ agent }, place), level),
      }),
  });
};

/** Returns the same path at both addresses. */
const toLink = ({ localUrl, publicUrl }: Reach, path: string): Link => ({
  url: `${localUrl}${path}`,
  ...(publicUrl === undefined ? {} : { publicUrl: `${publicUrl}${path}` }),
});

/** Returns the address for programs on other machines, or otherwise that for this machine. */
const toPublicUrl = ({ localUrl, publicUrl }: Reach): string => publicUrl ?? localUrl;
