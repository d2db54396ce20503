/** The daemon, wired: every part of the house on one page. What touches the machine is handed in. */
import { type AgentId, type LoginLink, reaches, wallDay } from "@hearth/protocol";
import { createAgentStates } from "./turns/queue/agent-states.ts";
import { createCheckpoints } from "./turns/run/checkpoints.ts";
import { createBrainGuard } from "./turns/recovery/halted.ts";
import { createCellPrewarming } from "./turns/run/cell-prewarming.ts";
import { createActivations } from "./turns/run/house-activations.ts";
import { createLateUnfinished } from "./turns/run/lazy-run.ts";
import { createStops } from "./turns/queue/stops.ts";
import { openAudit } from "./kernel/audit/audit.ts";
import { createDaemonNotes } from "./kernel/audit/daemon-notes.ts";
import { createBrains } from "./agents/brains/brains.ts";
import { createBackends, createHasWalls } from "./cells/backends.ts";
import { createPool } from "./cells/pool.ts";
import { createChannels } from "./channels/house-channels.ts";
import { channels as channelTable } from "./channels/table.ts";
import { type ReferenceSources, readReference } from "./kernel/config/read-reference.ts";
import { createVersionOf } from "./kernel/config/version.ts";
import { createContext } from "./agents/context/context.ts";
import { createDailyLog } from "./agents/context/daily-log/daily-log.ts";
import { createSessionParts } from "./agents/context/session-parts.ts";
import { createPromptReports } from "./agents/context/prompt-report.ts";
import { createRemovalReader } from "./turns/dispatch/removals.ts";
import { createDispatch, READER } from "./turns/dispatch/dispatch.ts";
import { ambientOf, createGates } from "./turns/dispatch/gates/gates.ts";
import { createFates } from "./turns/dispatch/house-fates.ts";
import { createInbound } from "./channels/inbound/house-inbound.ts";
import { createChainLimits } from "./turns/dispatch/chain-limits.ts";
import { createWhoWakes } from "./turns/dispatch/who-wakes.ts";
import { createLazyEgress } from "./cells/egress/lazy-egress.ts";
import { createLedger } from "./cells/egress/ledger.ts";
import { noEgress } from "./cells/egress/no-egress.ts";
import { createAudiences, createMayCarry } from "./people/records/audiences.ts";
import { openIdentity } from "./people/house-identity.ts";
import { createPairings } from "./people/pairings/house-pairings.ts";
import { createJournal } from "./kernel/journal/journal.ts";
import { createRetention } from "./kernel/journal/retention.ts";
import { createLeases } from "./kernel/journal/leases.ts";
import { createWritableCheck, examine } from "./http/doctor.ts";
import { hostsOf } from "./http/hosts.ts";
import { createLazyHttp } from "./http/lazy-http.ts";
import { readStatus } from "./http/status.ts";
import { createPreload } from "./http/preload.ts";
import { createInbox } from "./agents/inbox/house-inbox.ts";
import { createLazyMemory } from "./agents/memory/lazy-memory.ts";
import { createLazyModelDoor } from "./cells/model-door/lazy-model-door.ts";
import { createStandings } from "./people/records/standings.ts";
import { createSupervisor } from "./kernel/supervisor.ts";
import { createOutbox } from "./channels/outbox/house-outbox.ts";
import { createTyping } from "./channels/outbox/typing.ts";
import { createLabelledFiles } from "./policy/taint/file-labels.ts";
import { openPolicy } from "./policy/house-policy.ts";
import { createPassEgress } from "./cells/egress/pass-egress.ts";
import { createPassSend } from "./channels/outbox/pass-send.ts";
import { createCatalog } from "./models/catalog/house-catalog.ts";
import { providers as providerTable } from "./models/table.ts";
import { localServers } from "./models/catalog/known.ts";
import { openRestoreFindings } from "./turns/recovery/restore-findings.ts";
import { createRestoreHold } from "./turns/recovery/restore-hold.ts";
import { createRooms } from "./people/rooms/house-rooms.ts";
import { createEgressSecrets } from "./cells/egress/egress-secrets.ts";
import { createLazySchedule } from "./agents/schedule/lazy-schedule.ts";
import { toDestination } from "./policy/secrets/terms.ts";
import { openVault } from "./policy/secrets/house-vault.ts";
import { createDeferringStore } from "./kernel/store/deferred-writes.ts";
import { createDurableStreams } from "./kernel/streams/durable.ts";
import { createHouseSearch } from "./agents/search/house-search.ts";
import { createMemoryStreams } from "./kernel/streams/memory.ts";
import { createLazyOwnStreams } from "./kernel/streams/lazy-own-streams.ts";
import { tableWith } from "./agents/tools/external-tools.ts";
import type { HostParts } from "./agents/tools/tool.ts";
import type { Warden, WardenOptions } from "./warden-options.ts";

export type { Warden, WardenOptions } from "./warden-options.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Comings and goings of activations that a room's watchers can look back on. */
const MAX_LIVE = 256;
/** A reply of the greatest length, a token a piece, with its tool calls. */
const MAX_DELTAS = 16_384;
const LOGIN_PATH = "/login?code=";
/** Bytes of the name under which this run of the daemon holds leases. */
const HOLDER_SIZE = 16;

export const createWarden = async (options: WardenOptions): Promise<Warden> => {
  const { world, log, config, blobs } = options;
  const audit = await openAudit({ world, log, store: options.store, parts: options.audit });
  // What is committed by it is told in the audit log. No part is given the other one.
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
    streams: (stream, from) => void egress.serve(stream, from),
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
    here === there || reaches(await permissions.levelOf({ agent: id }, there), "w");
  const standingOf = createStandings({ permissions, records });
  const session = createSessionParts({ world, store, blobs, records, streams, standingOf, signal: closing.signal });
  const retention = createRetention({ world, log, store, blobs, keptMs, inbox, traces: session.traces });
  const configVersion = createVersionOf(config, world.hash);
  const notes = createDaemonNotes({ ...options, log, audit, config, configVersion });
  const findUnfinished = createLateUnfinished({ ...session, store, blobs, journal, inbox, rooms });
  const audienceOf = createAudiences({ permissions, records });
  const context = createContext({
    ...session,
    ...{ table, clock: world.clock, maxToolCalls, records, streams, brains, blobs, inbox, mayReach, hasWalls },
    ...{ configVersion, standingOf, mayCarry: createMayCarry({ permissions, records, audienceOf }) },
    findUnfinished,
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
    ...{ checkpoints, session, config },
    ...{ recall: memories.recall, forget, dayOf, jobs: schedule.own },
    ...{ world, log, store, blobs, streams, memory, records, rooms, journal, context, pool, providers, leases, outbox },
    ...{ inbox, egress, holds, chokePoint, taints, budgets, approvals, further, mayReach, maxChain, audienceOf, brains },
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
      maySpeak: async ({ id }, room) => reaches(await permissions.levelIn({ agent: id }, room), "w"),
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
    return { url: `${options.url()}${LOGIN_PATH}${code}`, expiresAt };
  };

  const own = createLazyOwnStreams({
    store,
    load: async () =>
      (await import("./kernel/streams/own-streams.ts")).createOwnStreams({
        ...{ world, log, store, streams, epoch, release: retention.release },
        ...{ ed25519: options.ed25519, url: options.url },
        mayReach: async (agent, level, place) => reaches(await permissions.levelOf({ agent }, place), level),
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
    hosts: () => hostsOf(options.url()),
    version: options.version,
    ready: async () => ready && (await isWritable()),
    stop(by) {
      stoppedBy = by;
      options.stop();
    },
    async loginLink(principal) {
      // One that a browser makes proves no more than the browser: else whoever finds it open could set another password.
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
      // One that could not start has told of no start.
      if (reading.length > 0) await notes.stopped(stoppedBy);
      await audit[Symbol.asyncDispose]();
    },
  };
};

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
