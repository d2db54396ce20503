/** The daemon, wired: every part of the house on one page. What touches the machine is handed in. */
import { type AgentId, createLate, type LoginLink, reaches, wallDay } from "@hearth/protocol";
import { createAgentStates } from "./activations/agent-states.ts";
import { createCheckpoints } from "./activations/checkpoints.ts";
import { createExpecting } from "./activations/expecting.ts";
import { createActivations } from "./activations/house-activations.ts";
import { createStops } from "./activations/stops.ts";
import { openAudit } from "./audit/audit.ts";
import { createDaemonNotes } from "./audit/daemon-notes.ts";
import { createBrains } from "./brains/brains.ts";
import { createBackends, createHasWalls } from "./cells/backends.ts";
import { createPool } from "./cells/pool.ts";
import { createChannels } from "./channels/house-channels.ts";
import { channels as channelTable } from "./channels/index.ts";
import { type ReferenceSources, readReference } from "./config/read-reference.ts";
import { createVersionOf } from "./config/version.ts";
import { createContext } from "./context/context.ts";
import { createDailyLog } from "./context/daily-log.ts";
import { createSessionParts } from "./context/session-parts.ts";
import { createPromptReports } from "./context/prompt-report.ts";
import { createDepartures } from "./dispatch/departures.ts";
import { createDispatch, READER } from "./dispatch/dispatch.ts";
import { ambientOf, createGates } from "./dispatch/gates/gates.ts";
import { createFates } from "./dispatch/house-fates.ts";
import { createInbound } from "./dispatch/house-inbound.ts";
import { createRest } from "./dispatch/rest.ts";
import { createWhoWakes } from "./dispatch/who-wakes.ts";
import { createLateEgress } from "./egress/late-egress.ts";
import { createLedger } from "./egress/ledger.ts";
import { noEgress } from "./egress/no-egress.ts";
import { createAudiences } from "./identity/audiences.ts";
import { openIdentity } from "./identity/house-identity.ts";
import { createPairings } from "./identity/house-pairings.ts";
import { requireWhole } from "./identity/principal.ts";
import { createJournal } from "./journal/journal.ts";
import { createRetention } from "./journal/retention.ts";
import { createLeases } from "./journal/leases.ts";
import { createWritableCheck, examine } from "./http/doctor.ts";
import { hostsOf } from "./http/hosts.ts";
import { createLateHttp } from "./http/late-http.ts";
import { readStatus } from "./http/status.ts";
import { createWarming } from "./http/warming.ts";
import { createInbox } from "./inbox/house-inbox.ts";
import { createLateMemory } from "./memory/late-memory.ts";
import { createLateModelDoor } from "./model-door/late-model-door.ts";
import { createStandings } from "./identity/standings.ts";
import { createOutbox } from "./outbox/house-outbox.ts";
import { createTyping } from "./outbox/typing.ts";
import { createLabelledFiles } from "./policy/file-labels.ts";
import { openPolicy } from "./policy/house-policy.ts";
import { createPassEgress } from "./policy/pass-egress.ts";
import { createCatalog } from "./providers/house-catalog.ts";
import { providers as providerTable } from "./providers/index.ts";
import { localServers } from "./providers/known.ts";
import { openRestoreFindings } from "./restore/restore-findings.ts";
import { createRestoreHold } from "./restore/restore-hold.ts";
import { createRooms } from "./rooms/house-rooms.ts";
import { createEgressSecrets } from "./secrets/egress-secrets.ts";
import { createLateSchedule } from "./schedule/late-schedule.ts";
import { openVault } from "./secrets/house-vault.ts";
import { createRidingStore } from "./store/riding.ts";
import { createDurableStreams } from "./streams/durable.ts";
import { createHouseSearch } from "./search/house-search.ts";
import { createMemoryStreams } from "./streams/memory.ts";
import { createLateOwnStreams } from "./streams/late-own-streams.ts";
import { tableWith } from "./tools/further.ts";
import type { HostParts } from "./tools/tool.ts";
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
  const riding = createRidingStore(audit.store);
  const { store } = riding;
  const startedAt = world.clock.now();
  const closing = new AbortController();
  let ready = false;
  let reading: readonly Promise<void>[] = [];
  let stoppedBy: AgentId | undefined;

  const findings = await openRestoreFindings({ world, log, store, blobs, lost: audit.lost() });
  const onHold = (): boolean => findings.open().length > 0;
  const streams = createDurableStreams({
    ...{ world, store, blobs, signal: closing.signal },
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
    secret: (name) => vault.read(house, name),
  };
  const providers = createCatalog({
    ...{ ...references, world, config },
    table: { ...providerTable, ...options.providers },
    keyFiles: options.keyFiles,
    localServers,
  });
  const brains = createBrains({
    ...{ world, log, store, streams, blobs, disk: options.brainDisk, starter: options.starter },
    guard: {
      halt({ id, handle }) {
        log.write("warn", "an agent is halted: a change of its brain waits for a decision", { agent: id, handle });
        void stops
          .stop(id, id)
          .catch((error: unknown) => log.write("error", "an agent could not be halted", { agent: id, error }));
      },
      // Somebody else's STOP is theirs to end.
      release: async ({ id }) => {
        if (stops.list().some(({ scope, by }) => scope === id && by === id)) await stops.resume(id, id);
      },
    },
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
    ...{ world, log, riding, streams, blobs, records, permissions, providers, table, hasWalls, redaction, config },
    ...{ home: house, outbox: () => outbox, stages: options.stages, onHold },
    pins: async (agent, isNamed) => (await brains.open(agent)).pins(isNamed),
  });
  const { chokePoint, hands, holds, budgets, approvals } = policy;
  const ledger = createLedger({ store });
  const egress =
    options.egress === undefined
      ? noEgress
      : createLateEgress({
          ...{ ...options.egress, world, ledger, secrets: createEgressSecrets(vault, redaction) },
          agentOf: (id) => records.get("agent", id),
          allowsLoopback: config.current().egress.loopback,
          pass: createPassEgress(chokePoint, hands),
          model: createLateModelDoor({ world, log, providers, pay: policy.pay, leaks: chokePoint.leaks }),
        });
  const outbox = createOutbox({
    ...{ world, log, store, channels, clean: chokePoint.leaks.outgoing },
    async pass(send, begin) {
      const text = chokePoint.leaks.outgoing(send.text);
      const verdict = await chokePoint.pass({ kind: "send", ...send, text }, begin);
      if (verdict.verdict === "on") return text === send.text ? "on" : { text };
      return verdict.verdict === "refused" ? { refused: { code: "channel.refused", message: verdict.text } } : "held";
    },
  });
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
  const rest = createRest({ store, streams, records, maxChain, maxReplies });
  const mayReach: HostParts["mayReach"] = async ({ id, house: here }, { house: there }) =>
    here === there || reaches(await permissions.levelOf({ agent: id }, there), "w");
  const standingOf = createStandings({ permissions, records });
  const session = createSessionParts({ world, store, blobs, records, streams, standingOf, signal: closing.signal });
  const retention = createRetention({ world, log, store, blobs, keptMs, inbox, traces: session.traces });
  const configVersion = createVersionOf(config, world.hash);
  const { version, pid } = options;
  const notes = createDaemonNotes({ log, audit, config, configVersion, version, pid });
  // A start does without: the first turn reads it.
  const unfinishedTurns = createLate(async () =>
    (await import("./activations/unfinished-turns.ts")).createUnfinishedTurns({
      ...{ store, blobs, journal, inbox, stretches: session.stretches, isRemoved: rooms.isRemoved },
    }),
  );
  const context = createContext({
    ...session,
    ...{ table, clock: world.clock, maxToolCalls, records, streams, brains, blobs, inbox, mayReach, hasWalls },
    ...{ configVersion, standingOf },
    findUnfinished: async (...turn) => (await unfinishedTurns())(...turn),
  });
  const audienceOf = createAudiences({ permissions, records });
  const checkpoints = createCheckpoints({ log, records, brains });
  const { memories, forget, dayOf } = createLateMemory({
    ...{ world, log, store, records, brains, streams, parts: options.memory, dayIn: wallDay },
    ...{ traces: session.traces, config, references, clean: chokePoint.leaks.outgoing, isHeld: holds.isHouseHeld },
    admitHome: policy.admitHome,
  });
  const files = createLabelledFiles({ clock: world.clock, store });
  const schedule = createLateSchedule(log, async () =>
    (await import("./schedule/house-schedule.ts")).createSchedule({
      ...{ world, log, store, streams, records, permissions, rooms, brains, vault, outbox, holds, budgets, config },
    }),
  );
  const activations = createActivations({
    ...{ checkpoints, session, config },
    ...{ recall: memories.recall, forget, dayOf, jobs: schedule.own },
    ...{ world, log, store, blobs, streams, memory, records, rooms, journal, context, pool, providers, leases, outbox },
    ...{ inbox, egress, holds, chokePoint, hands, budgets, approvals, further, mayReach, maxChain, audienceOf, brains },
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
    expect: createExpecting({ records, audienceOf, holds, pool }),
    whoWakes: createWhoWakes({
      ...{ world, store, records, rest },
      maySpeak: async ({ id }, room) => reaches(await permissions.levelIn({ agent: id }, room), "w"),
    }),
  });
  const dailyLog = createDailyLog({
    ...{ world, log, store, streams, records, rooms, journal, brains, audienceOf, standingOf },
    clean: chokePoint.leaks.outgoing,
  });
  const departures = createDepartures({
    log,
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

  const own = createLateOwnStreams({
    store,
    load: async () =>
      (await import("./streams/own-streams.ts")).createOwnStreams({
        ...{ world, log, store, streams, ed25519: options.ed25519, url: options.url, epoch: findings.epoch(), release: retention.release },
        mayReach: async (agent, level, place) => reaches(await permissions.levelOf({ agent }, place), level),
      }),
  });

  const begin = (): void => {
    reading = [
      ...reading,
      ...[dispatch, departures, dailyLog, schedule, outbox, inbound, retention, approvals, own].map((reader) =>
        reader.run(closing.signal),
      ),
    ];
    ready = true;
    holds.recheck();
  };
  const restore = createRestoreHold({
    ...{ world, log, store, streams, records, activations, approvals, findings, reader: READER, begin },
    discardDueJobs: () => schedule.skipDue("The owner discarded what was due when the home was restored."),
  });

  const http = createLateHttp({
    ...{ ...identity, world, log, home: house, rooms, streams, memory, activations, ledger, states, stops, approvals },
    ...{ restore, epoch: findings.epoch(), files, budgets, inbox, schedule, brains, memories, forget, dayOf },
    cells: {
      list: pool.list,
      open: async (agent, room) => pool.open(agent, await audienceOf(agent, room)),
      close: pool.evict,
    },
    ...{ providers, channels, inbound, outbox, pairings, vault, audit, fates },
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
      requireWhole(principal);
      // One that a browser makes proves no more than the browser: else whoever finds it open could set another password.
      return loginLink(principal.agent, principal.via === "run-token");
    },
    status: () => readStatus({ ...options, startedAt, records, activations, store, cells: pool }),
    ...{ prompt: createPromptReports({ parts: context.parts, audienceOf }), sessions: session.sessions },
    security: async (houses) =>
      (await import("./security/examine-house.ts")).examineHouse({
        ...{ home: options.home, now: world.clock.now(), vault: vault.status() },
        ...{ config, table, store, audit, backends, houses },
        ...(options.homeFiles === undefined ? {} : { files: options.homeFiles }),
      }),
    doctor: () => examine({ store, audit, findings: findings.open, remade: brains.remade, providers, records, vault, backends, cell: cells.backend }),
  });

  const warming = createWarming(world.clock, [http.warm, activations.warm, brains.warm]);
  return {
    http,
    async start() {
      await notes.started();
      await brains.haltAgain((id) => records.find("agent", id));
      await activations.recover();
      reading = [warming.run(closing.signal)];
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
