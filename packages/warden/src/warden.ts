/** The daemon: assembles all parts of a house. The machine's parts are passed in. */
import {
  createAgentStates,
  createCheckpoints,
  createBrainGuard,
  createCellPrewarming,
  createActivations,
  createLazyUnfinished,
  createStops,
  createRemovalReader,
  createDispatch,
  READER,
  ambientOf,
  createGates,
  createFates,
  createChainLimits,
  createWhoWakes,
  openRestoreFindings,
  createRestoreHold,
} from "./turns/index.ts";
import {
  openAudit,
  createDaemonAudit,
  readReference,
  createVersionOf,
  createJournal,
  createRetention,
  createLeases,
  createSupervisor,
  createDeferringStore,
  createDurableStreams,
  createMemoryStreams,
  createLazyOwnStreams,
  observe,
  type ReferenceSources,
} from "./kernel/index.ts";
import {
  createBrains,
  createContext,
  createDailyLog,
  createSessionParts,
  createPromptReports,
  createInbox,
  createLazyMemory,
  createLazySchedule,
  createHouseSearch,
  tableWith,
  type HostParts,
} from "./agents/index.ts";
import {
  createBackends,
  createHasWalls,
  createPool,
  createLazyEgress,
  createLedger,
  noEgress,
  createLazyModelDoor,
  createPassEgress,
  createEgressSecrets,
} from "./cells/index.ts";
import {
  createChannels,
  channels as channelTable,
  createInbound,
  createOutbox,
  createTyping,
  createPassSend,
} from "./channels/index.ts";
import {
  createAudiences,
  createMayCarry,
  openIdentity,
  createPairings,
  createStandings,
  createRooms,
} from "./people/index.ts";
import { createWritableCheck, examine, createLazyHttp, type Reach, readStatus, createPreload } from "./http/index.ts";
import { createLabelledFiles, openPolicy, toDestination, openVault } from "./policy/index.ts";
import { createCatalog, providers as providerTable, localServers } from "./models/index.ts";
import { type AgentId, type LoginLink, includesLevel, wallDay } from "@hearth/protocol";
import type { Warden, WardenOptions } from "./warden-options.ts";

export type { Warden, WardenOptions } from "./warden-options.ts";

const DAY_MS = 24 * 60 * 60_000;
/** The number of past live events of a room that new watchers can read. */
const MAX_LIVE = 256;
/** Enough for a reply of the greatest length with one delta per token, and its tool calls. */
const MAX_DELTAS = 16_384;
const LOGIN_PATH = "/login?code=";
/** Length in bytes of the id under which this run of the daemon holds leases. */
const HOLDER_SIZE = 16;

export const createWarden = async (options: WardenOptions): Promise<Warden> => {
  const { world, log, config, blobs } = options;
  const audit = await openAudit({ world, log, store: options.store, parts: options.audit });
  // Commits through this store are audited. The other parts only get this one.
  const deferring = createDeferringStore(audit.store);
  const { store } = deferring;
  const startedAt = world.clock.now();
  const closing = new AbortController();
  const supervisor = createSupervisor({ clock: world.clock, log });
  const supervised = { readers: supervisor.list };
  let ready = false;
  let reading: readonly Promise<void>[] = [];
  let stoppedBy: AgentId | undefined;

  const findings = await openRestoreFindings({ world, log, store, blobs, lost: audit.lost() });
  const { epoch, onHold } = findings;
  const streams = createDurableStreams({
    ...{ world, store, blobs, log, signal: closing.signal },
    house: options.house ?? "alone",
  });
  const memory = createMemoryStreams({
    world,
    signal: closing.signal,
    maxEvents: (stream) => (stream.startsWith("live:") ? MAX_LIVE : MAX_DELTAS),
  });
  const further = options.further ?? {};
  const table = tableWith(further);
  const identity = await openIdentity({
    table,
    ...{ world, store, streams, config },
    ...{ passwordHash: options.passwordHash, timezone: options.timezone },
  });
  const { house, owner, records, permissions, logins } = identity;
  const { redaction } = options.secrets;
  const vault = await openVault({ ...options.secrets, world, log, store, streams });
  const references: ReferenceSources = {
    environment: options.environment,
    readFile: options.readFile,
    secret: (name, provider) =>
      provider === undefined ? vault.read(house, name) : vault.readFor(house, name, toDestination(provider)),
  };
  const providers = createCatalog({
    ...{ ...references, world, config },
    table: { ...providerTable, ...options.providers },
    keyFiles: options.keyFiles,
    localServers,
  });
  const brains = createBrains({
    ...{ world, log, store, streams, blobs, disk: options.brainDisk, starter: options.starter },
    guard: createBrainGuard(log, () => stops),
  });
  const rooms = createRooms({ world, records, permissions, streams });
  const cells = config.current().cells;
  const backends = createBackends(options.backends);
  const hasWalls = createHasWalls(backends, cells.backend);
  const pool = createPool({
    ...{ clock: world.clock, log, backends, kind: cells.backend },
    ...{ idleMs: cells.idleSeconds * 1000, maxOpen: cells.maxOpen, limits: cells.limits },
    streams: (stream, from) =>
      observe(egress.serve(stream, from), log, "a connection from a cell could not be served", { agent: from.agent }),
    viewFor: async (agent, audience) => (await brains.open(agent)).viewFor(audience),
  });
  const channels = createChannels({
    ...{ ...references, world, log },
    table: { ...channelTable, ...options.channels },
    configured: config.current().channels,
  });
  const leases = createLeases({
    ...{ world, store },
    holder: toHex(world.random(HOLDER_SIZE)),
    house: options.house ?? "alone",
  });
  const policy = await openPolicy({
    ...{ world, log, deferring, streams, blobs, records, permissions, providers, table, hasWalls, redaction, config },
    ...{ home: house, outbox: () => outbox, stages: options.stages, onHold },
    pins: async (agent, isNamed) => (await brains.open(agent)).pins(isNamed),
  });
  const { chokePoint, taints, holds, budgets, approvals } = policy;
  const ledger = createLedger({ store });
  const egress =
    options.egress === undefined
      ? noEgress
      : createLazyEgress({
          ...{ ...options.egress, world, ledger, secrets: createEgressSecrets(vault, redaction) },
          agentOf: (id) => records.get("agent", id),
          allowsLoopback: config.current().egress.loopback,
          pass: createPassEgress(chokePoint, taints),
          model: createLazyModelDoor({ world, log, providers, pay: policy.pay, leaks: chokePoint.leaks }),
        });
  const { outgoing } = chokePoint.leaks;
  const outbox = createOutbox({ world, log, store, channels, clean: outgoing, pass: createPassSend(chokePoint) });
  holds.onChange(outbox.poke);
  const pairings = createPairings({ world, log, store, records, house, outbox });
  const inbound = createInbound({
    ...{ world, log, store, streams, records, rooms, channels, outbox, pairings, house },
    decide: approvals.decideSpoken,
  });
  const journal = createJournal({ world, store, blobs });
  const { maxChain, maxReplies, maxToolCalls, logDays } = config.current().turns;
  const keptMs = logDays * DAY_MS;
  const inbox = createInbox({ world, store, streams, show: policy.shown });
  const fates = createFates({ clock: world.clock, store, streams, records, keptMs });
  const rest = createChainLimits({ store, streams, records, maxChain, maxReplies });
  const mayReach: HostParts["mayReach"] = async ({ id, house: here }, { house: there }) =>
    here === there || includesLevel(await permissions.levelOf({ agent: id }, there), "w");
  const standingOf = createStandings({ permissions, records });
  const session = createSessionParts({ world, store, blobs, records, streams, standingOf, signal: closing.signal });
  const retention = createRetention({ world, log, store, blobs, keptMs, inbox, traces: session.traces });
  const configVersion = createVersionOf(config, world.hash);
  const notes = createDaemonAudit({ ...options, log, audit, config, configVersion });
  const findUnfinished = createLazyUnfinished({ ...session, store, blobs, journal, inbox, rooms });
  const audienceOf = createAudiences({ permissions, records });
  const mayCarry = createMayCarry({ permissions, records, audienceOf });
  const context = createContext({
    ...session,
    ...{ table, clock: world.clock, maxToolCalls, records, streams, brains, blobs, inbox, mayReach, hasWalls },
    ...{ configVersion, standingOf, mayCarry, findUnfinished },
  });
  const checkpoints = createCheckpoints({ log, records, brains });
  const { memories, forget, dayOf } = createLazyMemory({
    ...{ world, log, store, records, brains, streams, parts: options.memory, dayIn: wallDay },
    ...{ traces: session.traces, config, references, clean: chokePoint.leaks.outgoing, isHeld: holds.isHouseHeld },
    admitHome: policy.admitHome,
  });
  const files = createLabelledFiles({ clock: world.clock, store });
  const schedule = createLazySchedule(async () =>
    (await import("./agents/schedule/house-schedule.ts")).createSchedule({
      ...{ world, log, store, streams, records, permissions, rooms, brains, vault, outbox, holds, budgets, config },
    }),
  );
  const activations = createActivations({
    ...{ checkpoints, session, config, mayCarry },
    ...{ recall: memories.recall, forget, dayOf, jobs: schedule.own },
    ...{ world, log, store, blobs, streams, memory, records, rooms, journal, context, pool, providers, leases, outbox },
    ...{
      inbox,
      egress,
      holds,
      chokePoint,
      taints,
      budgets,
      approvals,
      further,
      mayReach,
      maxChain,
      audienceOf,
      brains,
    },
    silenceMs: cells.silenceSeconds * 1000,
    levelOf: permissions.levelOf,
    search: createHouseSearch({
      world,
      configured: () => config.current().search,
      readKey: async (reference) => (await readReference(reference, references)).text,
    }),
    files,
    typing: createTyping({ clock: world.clock, store, channels }),
    gates: createGates({ world, store, streams, records, providers, chokePoint, journal, rest, budgets }),
  });
  approvals.onDecided(activations.takeUp);
  const stops = createStops({ holds, activations, pool, approvals });
  const states = createAgentStates({ store, streams, records, holds, reader: READER, ambientOf, hasWalls, table });
  const dispatch = createDispatch({
    ...{ world, log, store, streams, records, wake: activations.wake, stopBefore: activations.stopBefore },
    expect: createCellPrewarming({ records, audienceOf, holds, pool }),
    whoWakes: createWhoWakes({
      ...{ world, store, records, rest },
      maySpeak: async ({ id }, room) => includesLevel(await permissions.levelIn({ agent: id }, room), "w"),
    }),
  });
  const dailyLog = createDailyLog({
    ...{ world, log, store, streams, records, rooms, journal, brains, audienceOf, standingOf },
    clean: chokePoint.leaks.outgoing,
  });
  const removals = createRemovalReader({
    records,
    streams,
    async gone({ type, id }) {
      if (type === "room") await activations.stopAll({ room: id });
      if (type !== "agent") return;
      await activations.stopAll({ agent: id });
      await pool.evict(id);
    },
  });

  const runTokenHash = world.hash(options.runToken);
  const isWritable = createWritableCheck(store, world.clock);

  const loginLink = (agent: AgentId, proves: boolean): LoginLink => {
    const { code, expiresAt } = logins.offer(agent, { proves });
    return { ...toLink(options.reach(), `${LOGIN_PATH}${code}`), expiresAt };
  };

  const own = createLazyOwnStreams({
    store,
    load: async () =>
      (await import("./kernel/streams/own-streams.ts")).createOwnStreams({
        ...{ world, log, store, streams, epoch, release: retention.release },
        ...{ ed25519: options.ed25519, url: () => toPublicUrl(options.reach()) },
        mayReach: async (agent, level, place) => includesLevel(await permissions.levelOf({ agent }, place), level),
      }),
  });

  const begin = (): void => {
    const all = { dispatch, removals, dailyLog, schedule, outbox, inbound, retention, approvals, own };
    const runs = Object.entries(all).map(([name, { run }]) => supervisor.run(name, run, closing.signal));
    reading = [...reading, ...runs];
    ready = true;
    holds.recheck();
  };
  const restore = createRestoreHold({
    ...{ world, log, store, streams, records, activations, approvals, findings, reader: READER, begin },
    discardDueJobs: () => schedule.skipDue("The owner discarded what was due when the home was restored."),
  });

  const http = createLazyHttp({
    ...{ ...identity, world, log, home: house, rooms, streams, memory, activations, ledger, states, stops, approvals },
    ...{ restore, epoch, files, budgets, inbox, schedule, brains, memories, forget, dayOf },
    cells: {
      list: pool.list,
      open: async (agent, room) => pool.open(agent, await audienceOf(agent, room)),
      close: pool.evict,
    },
    ...{ providers, channels, inbound, outbox, pairings, vault, audit, fates, ...supervised },
    durable: async () => ({
      ...(await own.get()),
      allowsLoopback: config.current().server.loopbackWebhooks,
      ...(options.longPollMs === undefined ? {} : { longPollMs: options.longPollMs }),
    }),
    ui: options.ui,
    runToken: async (token) => (world.hash(token) === runTokenHash ? { agent: owner, via: "run-token" } : undefined),
    reach: options.reach,
    version: options.version,
    ready: async () => ready && (await isWritable()),
    stop(by) {
      stoppedBy = by;
      options.stop();
    },
    async loginLink(principal) {
      // A link created with a browser's session proves no more than that session; otherwise anyone
      // at an open browser could set a new password.
      return loginLink(principal.agent, principal.via === "run-token");
    },
    status: () => readStatus({ ...options, startedAt, records, activations, store, cells: pool }),
    ...{ prompt: createPromptReports({ parts: context.parts, audienceOf }), sessions: session.sessions },
    security: async (houses) =>
      (await import("./http/security/examine-house.ts")).examineHouse({
        ...{ home: options.home, now: world.clock.now(), vault: vault.status() },
        ...{ config, table, store, audit, backends, houses },
        ...(options.homeFiles === undefined ? {} : { files: options.homeFiles }),
      }),
    doctor: (how) =>
      examine(
        {
          ...{ ...options, ...supervised, store, audit, findings, brains, providers, records, vault, backends },
          cell: cells.backend,
        },
        how,
      ),
  });

  const warming = createPreload(world.clock, [http.warm, activations.warm, brains.warm]);
  return {
    http,
    async start() {
      await notes.started();
      await brains.haltAgain((id) => records.find("agent", id));
      await activations.recover();
      reading = [supervisor.run("warming", warming.run, closing.signal)];
      if (!onHold()) begin();
    },
    loginLink: () => loginLink(owner, true),
    resume: activations.resume,
    vault,
    onHold,
    async [Symbol.asyncDispose]() {
      ready = false;
      closing.abort();
      http.close();
      await Promise.all(reading);
      await activations[Symbol.asyncDispose]();
      await pool[Symbol.asyncDispose]();
      await checkpoints[Symbol.asyncDispose]();
      await memories[Symbol.asyncDispose]();
      await brains[Symbol.asyncDispose]();
      // A daemon that failed to start has reported no start, so it reports no stop.
      if (reading.length > 0) await notes.stopped(stoppedBy);
      await audit[Symbol.asyncDispose]();
    },
  };
};

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The same path at both addresses. */
const toLink = ({ localUrl, publicUrl }: Reach, path: string): Omit<LoginLink, "expiresAt"> => ({
  url: `${localUrl}${path}`,
  ...(publicUrl === undefined ? {} : { publicUrl: `${publicUrl}${path}` }),
});

/** The address for programs on other machines, if there is one. */
const toPublicUrl = ({ localUrl, publicUrl }: Reach): string => publicUrl ?? localUrl;
