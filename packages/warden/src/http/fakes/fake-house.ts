/**
 * A house for the port's tests: real records, rooms, streams, keys and logins in memory; the test
 * controls the bots.
 */
import {
  type Activation,
  type ActivationId,
  type AgentId,
  type AgentRecord,
  type HouseId,
  HearthError,
  lazy,
  noUsage,
  includesLevel,
  type RoomId,
  type RoomRecord,
  type StoredMessage,
  type World,
} from "@hearth/protocol";
import { tools } from "@hearth/protocol/tools";
import { createLabelledFiles } from "../../policy/taint/file-labels.ts";
import { createApprovals } from "../../policy/approvals/approval-book.ts";
import { createHolds } from "../../policy/holds.ts";
import { openBudgets } from "../../policy/budgets/open-budgets.ts";
import { createAgentStates } from "../../turns/queue/agent-states.ts";
import { createStops } from "../../turns/queue/stops.ts";
import { createAuditLog } from "../../kernel/audit/audit.ts";
import { noActing } from "../../kernel/audit/audit-rows.ts";
import { createSealKeys } from "../../kernel/store/seal.ts";
import { createMemoryAnchor } from "../../kernel/audit/heads.ts";
import { createChannelChanges } from "../../channels/channel-changes.ts";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { createMemoryKeyFiles } from "../../kernel/config/key-files.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { type Channels, type ChannelTable, createChannels } from "../../channels/house-channels.ts";
import { BudgetText, toBudget } from "../../kernel/config/text/budget-text.ts";
import { createSessions } from "../../agents/context/sessions.ts";
import { createTraces } from "../../agents/context/traces/traces.ts";
import { createSummaries } from "../../agents/context/compaction/summaries.ts";
import { createLedger } from "../../cells/egress/ledger.ts";
import { READER } from "../../turns/dispatch/dispatch.ts";
import { ambientOf } from "../../turns/dispatch/gates/gates.ts";
import { createFates } from "../../turns/dispatch/fates.ts";
import { createInbound } from "../../channels/inbound/house-inbound.ts";
import { createGrantBook } from "../../people/permissions/grant-book.ts";
import { createLoginAttempts } from "../../people/credentials/login-attempts.ts";
import { createFakePasswordHash } from "../../people/credentials/fake-password-hash.ts";
import { createInvites } from "../../people/invites/house-invites.ts";
import { createIdentities } from "../../people/credentials/house-identities.ts";
import { createKeys } from "../../people/credentials/house-keys.ts";
import { createLogins } from "../../people/credentials/house-logins.ts";
import { createPairings } from "../../people/pairings/house-pairings.ts";
import { createPasswords } from "../../people/credentials/house-passwords.ts";
import { createPasskeys } from "../../people/credentials/house-passkeys.ts";
import { createSecondFactors } from "../../people/credentials/house-second-factors.ts";
import { createPermissions } from "../../people/permissions/house-permissions.ts";
import { createRecords } from "../../people/records/house-records.ts";
import { createInbox } from "../../agents/inbox/house-inbox.ts";
import { createAgentTools } from "../../agents/context/agent-tools.ts";
import { createForget } from "../../agents/memory/forgetting.ts";
import { createMemory } from "../../agents/memory/house-memory.ts";
import { noMemory } from "../../agents/memory/no-memory.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createNotices } from "../../kernel/outbox/notices.ts";
import { createPush } from "../../channels/push/house-push.ts";
import { createOutbox } from "../../channels/outbox/house-outbox.ts";
import { localReach } from "../../fixtures/local-reach.ts";
import { passAll } from "../../fixtures/pass-all.ts";
import { subtle } from "../../fixtures/subtle.ts";
import { createVoiceChoices } from "../../people/voice-choices.ts";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createMessageSearch } from "../../people/rooms/message-search.ts";
import { createChats } from "../../people/rooms/chats.ts";
import { createRooms } from "../../people/rooms/house-rooms.ts";
import { createSchedule } from "../../agents/schedule/house-schedule.ts";
import { createMemoryVault } from "../../policy/secrets/memory.ts";
import { createAuthors } from "../../agents/context/authors.ts";
import { createSizedPictures } from "../../agents/pictures/sized-pictures.ts";
import type { Pictures, Resolver } from "../../cells/index.ts";
import { createPassages } from "../../agents/passages/passages.ts";
import { createSpeeches } from "../../channels/speech/speeches.ts";
import { createPictureDescriptions } from "../../agents/descriptions/picture-descriptions.ts";
import type { RequestOutcome } from "../../models/index.ts";
import { createTranscripts } from "../../agents/voice/transcripts.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createTextBlobCache } from "../../kernel/store/blobs.ts";
import { createDeferringStore } from "../../kernel/store/deferred-writes.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Store } from "../../kernel/store/store.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createMemoryStreams } from "../../kernel/streams/memory.ts";
import { createOwnStreams } from "../../kernel/streams/own-streams.ts";
import type { DurableStreams } from "../../kernel/streams/streams.ts";
import { createFakeEd25519 } from "../../kernel/streams/subscriptions/fake-ed25519.ts";
import { createHttp } from "../app.ts";
import { createImports } from "../imports/house-imports.ts";
import { createBackupTargets } from "../backup-targets.ts";
import { restorerOf, startBackup } from "../backups.ts";
import { createFakeActivations } from "./fake-activations.ts";
import { createFakeBrains } from "./fake-brains.ts";
import { createFakeCatalog } from "./fake-catalog.ts";
import { foundFakeHouse } from "./fake-founders.ts";
import { countReaders, type ReadCounts } from "./fake-reading.ts";
import { createOidcLogins } from "../oidc/house-oidc.ts";
import { createFakeMedia } from "./fake-media.ts";
import { createFakeUiFiles } from "./fake-ui-files.ts";
import { createTunnelChanges } from "../tunnel/tunnel-changes.ts";
import type { Durable, Http, HttpOptions } from "../http.ts";
import type { ReferenceSources } from "../../kernel/config/read-reference.ts";

export const HOST = "127.0.0.1:18789";
const REACH = localReach(`http://${HOST}`);
export const FAKE_EPOCH = "00ffee00ffee00ff";
export const RUN_TOKEN = "the-run-token";

export interface FakeHouse {
  readonly http: Http;
  readonly options: HttpOptions;
  readonly store: Store;
  readonly lines: readonly string[];
  /** Present followers of durable streams, and the number of batches read. */
  readonly reading: ReadCounts;
  readonly house: HouseId;
  readonly owner: AgentRecord;
  readonly bot: AgentRecord;
  readonly room: RoomRecord;
  /** Keys of the owner and the bot. */
  readonly key: string;
  readonly botKey: string;
  /** A request to this house, with the run token unless the init has a credential. */
  request(path: string, init?: RequestInit): Request;
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Headers of a browser whose person has just logged in. With `isOld`, long ago. */
  logIn(agent?: AgentId, options?: { readonly isOld?: boolean }): Promise<Record<string, string>>;
  /** Wakes the bot, or another one, on a message: creates a queued activation. */
  wake(message: StoredMessage, agent?: AgentId): Activation;
  /** Ends an activation. With `text`, the bot replies first. */
  finish(id: ActivationId, end: Partial<Activation>, text?: string): Promise<void>;
  stops(): number;
}

/** Parts that replace the fake ones, by area. */
export interface HouseParts {
  readonly kernel?: Partial<HttpOptions["kernel"]>;
  readonly people?: Partial<HttpOptions["people"]>;
  readonly messaging?: { readonly channels: Channels };
  /** The kinds of channels that can be added. */
  readonly table?: ChannelTable;
  readonly cells?: Partial<HttpOptions["cells"]>;
  readonly agents?: Partial<HttpOptions["agents"]>;
  readonly daemon?: Partial<HttpOptions["daemon"]>;
  /** What logins by OpenID Connect need besides the config. Absent: no secrets and no names. */
  readonly oidc?: { readonly references?: ReferenceSources; readonly resolver?: Resolver | undefined };
  readonly reports?: Partial<HttpOptions["reports"]>;
}

const NEVER = new AbortController().signal;

/** A house without a transcriber and a speaker. */
const SILENT = {
  voice: { transcription: async () => undefined, speech: async () => undefined },
  descriptions: { prepare: async () => undefined },
  admitHomeCost: async () => ({ kind: "allowed", settle: () => {} }) as const,
  openHomeGate: () => ({
    admit: async () => ({ maxOutputTokens: 1000, settle: ({ usage = noUsage }: RequestOutcome) => usage }),
  }),
};

const CONFIG = "version = 1\n";
const NEVER_RESTORED = "this fake house was never restored";

const neverRestored: HttpOptions["turns"]["restore"] = {
  isHeld: () => false,
  onDecided: () => {},
  requireNone: () => {},
  state: () => Promise.reject(new Error(NEVER_RESTORED)),
  decide: () => Promise.reject(new Error(NEVER_RESTORED)),
};

const noFolders = () => Promise.reject(new HearthError("import.failed", "This fake house reads no folders."));

const NO_DOCUMENTS: HttpOptions["cells"]["documents"] = {
  convert: async () => ({ result: { kind: "refused", why: "This house reads no documents." }, isFinal: false }),
  hasOcr: async () => false,
  draw: async () => ({ kind: "refused", why: "This house draws no charts." }),
};

const NO_PICTURES: Pictures = {
  scale: async () => ({ result: { kind: "refused", why: "This house scales no pictures." }, isFinal: false }),
};

export const createFakeHouse = async (world: World, replacements: HouseParts = {}): Promise<FakeHouse> => {
  const deferring = createDeferringStore(createMemoryStore());
  const { store, defer } = deferring;
  const blobs = createMemoryBlobs(world.hash);
  const { streams, reading } = countReaders(createDurableStreams({ world, store, blobs }));
  const memory = createMemoryStreams({ world });
  const log = createFakeLog();
  const book = createGrantBook(store);
  const records = createRecords({ world, store, streams, book, pinned: () => undefined });
  const permissions = createPermissions({ world, store, streams, records, book });
  const uploads = createTestUploads({ world, store, blobs });
  const chats = createChats({ world, store, records, streams });
  const rooms = createRooms({ world, records, permissions, streams, uploads, chats });
  const messageSearch = createMessageSearch({ world, log: createFakeLog(), store, streams });
  const vault = createMemoryVault({ world, records });
  const activations = createFakeActivations();
  const { house, owner, bot, room } = await foundFakeHouse(world, store);
  const keys = createKeys({ world, store, streams, defer, house });
  const logins = createLogins({ world, store, streams });
  const attempts = createLoginAttempts(world);
  const passwords = createPasswords({ world, store, attempts, logins, hash: createFakePasswordHash(world) });
  let stopCount = 0;

  const config = createConfigSource(createMemoryConfigFile(CONFIG), parseConfig(CONFIG, "hearth.toml"));
  const keyFiles = createMemoryKeyFiles();
  const table = replacements.table ?? {};
  const channels =
    replacements.messaging?.channels ??
    createChannels({
      world,
      log,
      table,
      config,
      environment: () => undefined,
      readFile: async (path: string) => keyFiles.files.get(path),
    });
  const notices = createNotices({ world, store });
  const speeches = createSpeeches({ kernel: { store, world, blobs, signal: NEVER }, ...SILENT });
  const outbox = createOutbox({ world, log, store, channels, notices, pass: passAll, uploads, speeches });
  const pairings = createPairings({ world, log, store, records, house, outbox: notices });
  const traces = createTraces({
    world,
    store,
    blobs,
    streams,
    records,
    uploads,
    signal: new AbortController().signal,
    texts: createTextBlobCache({ clock: world.clock, blobs }),
    sessions: { evict: () => {} },
    redactions: new Map(),
  });
  const holds = await createHolds({ world, store, streams, house });
  const approvalParts = { world, log, store, streams, records, permissions, outbox: notices };
  const approvals = createApprovals({ ...approvalParts, redact: (text) => text, expireMs: () => 60 * 60_000 });

  const durable: Durable = {
    ...createOwnStreams({
      world,
      log,
      store,
      streams,
      release: async () => {},
      url: () => `http://${HOST}`,
      epoch: FAKE_EPOCH,
      ed25519: createFakeEd25519(world),
      mayReach: async (agent, level, place) => includesLevel(await permissions.levelOf({ agent }, place), level),
    }),
    allowsLoopback: false,
  };

  const { budgets, usage } = await openBudgets({
    world,
    log,
    streams,
    records,
    home: house,
    providers: createFakeCatalog(),
    deferring,
    config: () => toBudget(BudgetText.parse({}), {}),
  });
  const brains = createFakeBrains({ world, log, store, streams, blobs });
  const memories = createMemory({
    world,
    log,
    records,
    brains,
    streams,
    parts: noMemory,
    embeddingRequests: {
      clock: world.clock,
      fetch: world.fetch,
      readKey: async () => undefined,
      redact: (text) => text,
      reserve: async () => ({ settle: () => {} }),
    },
    today: async () => "2026-01-31",
  });
  const options: HttpOptions = {
    kernel: {
      world,
      log,
      config,
      streams,
      memory,
      audit: {
        ...createAuditLog({
          clock: world.clock,
          store,
          blobs,
          parts: {
            keys: createSealKeys([(text) => world.hash(`key of a test, ${text}`)]),
            anchor: createMemoryAnchor(),
          },
        }),
        rotateKey: async () => ({ key: "0".repeat(16), houses: 1 }),
      },
      acting: noActing,
      findings: { epoch: FAKE_EPOCH },
      supervisor: { list: () => [] },
      telemetry: { expose: () => undefined },
      ...replacements.kernel,
    },
    people: {
      house,
      records,
      permissions,
      rooms,
      chats,
      uploads,
      voiceChoices: createVoiceChoices({ store }),
      messageSearch,
      keys,
      logins,
      passwords,
      passkeys: createPasskeys({ world, store, streams, attempts }),
      identities: createIdentities({ world, store, streams, records, permissions, house, owner: owner.id }),
      secondFactors: createSecondFactors({
        world,
        store,
        streams,
        attempts,
        seeds: vault.own,
        find: (id) => records.find("agent", id),
      }),
      attempts,
      pairings,
      invites: createInvites({ world, store, records, passwords, logins }),
      audienceOf: async (_agent, { id }) => `room:${id}`,
      ...replacements.people,
    },
    secrets: { vault },
    models: { providers: createFakeCatalog(), media: createFakeMedia() },
    policy: {
      approvals,
      budgets,
      usage,
      admitHomeCost: SILENT.admitHomeCost,
      openHomeGate: SILENT.openHomeGate,
      files: createLabelledFiles({ clock: world.clock, store }),
    },
    messaging: {
      channels,
      inbound: createInbound({
        world,
        log,
        store,
        streams,
        records,
        rooms,
        uploads,
        channels,
        outbox: notices,
        pairings,
        house,
      }),
      outbox,
      speeches,
      changes: createChannelChanges({ config, keyFiles, kinds: Object.keys(table) }),
      push: createPush({
        kernel: { world, log, store, streams, config },
        people: { house, records, permissions, logins },
        own: vault.own,
        subtle,
        resolver: { resolve: async (name) => (name.endsWith(".inner.test") ? ["10.0.0.1"] : ["1.1.1.1"]) },
        clean: (text) => text,
      }),
    },
    cells: {
      ledger: createLedger({ store }),
      pool: {
        list: () => [],
        open: () => Promise.reject(new HearthError("cell.unavailable", "There are no cells here.")),
        evict: async () => 0,
      },
      documents: NO_DOCUMENTS,
      ...replacements.cells,
    },
    agents: {
      brains,
      memories,
      forget: createForget({ store, streams, records, memory: memories, traces }),
      dayOf: async () => "2026-01-31",
      descriptions: createPictureDescriptions({
        kernel: { store, world, signal: NEVER },
        uploads,
        pictures: { show: async () => ({ kind: "refused", why: "The fake house scales no pictures." }) },
        ...SILENT,
      }),
      transcripts: createTranscripts({ kernel: { store, world, signal: NEVER }, uploads, ...SILENT }),
      passages: createPassages({
        kernel: { world, log, store, streams, signal: NEVER },
        people: { uploads, records, permissions, mayCarry: async (_agent, from, to) => from === to.id },
        documents: replacements.cells?.documents ?? NO_DOCUMENTS,
        authorsOf: createAuthors({ records, standingOf: async () => "owner" }),
      }),
      pictures: createSizedPictures({ uploads, pictures: NO_PICTURES }),
      session: {
        sessions: createSessions({
          clock: world.clock,
          store,
          summaries: createSummaries(createMemoryBlobs(world.hash)),
        }),
      },
      inbox: createInbox({ world, store, streams }),
      schedule: createSchedule({
        kernel: { world, log, store, streams, config: { onEdit: () => {} } },
        people: { records, permissions, rooms },
        brains,
        vault,
        outbox,
        holds,
        budgets,
      }),
      ...replacements.agents,
    },
    turns: {
      activations,
      states: createAgentStates({
        store,
        streams,
        records,
        holds,
        reader: READER,
        ambientOf,
        isIsolated: async () => false,
        hasPart: () => false,
      }),
      stops: createStops({
        holds,
        activations: { stopRunning: async () => {} },
        pool: { list: () => [], evict: async () => 0 },
        approvals,
      }),
      fates: createFates({ clock: world.clock, retentionMs: () => Infinity, store, streams, records }),
      // This house runs no turns, so no call has a prompt.
      prompts: { show: async () => ({ parts: [], tokens: 0, erased: true }) },
      restore: neverRestored,
    },
    daemon: {
      version: "0",
      ui: createFakeUiFiles(),
      reach: () => REACH,
      runToken: async (token: string) =>
        token === RUN_TOKEN ? { agent: owner.id, via: "run-token" as const } : undefined,
      linkTo: (path) => ({ url: `http://${HOST}${path}` }),
      oidc: createOidcLogins({
        world,
        log,
        config: replacements.kernel?.config ?? config,
        references: replacements.oidc?.references ?? { environment: () => undefined, readFile: async () => undefined },
        resolver: replacements.oidc?.resolver,
      }),
      loginLink({ agent, via }, offer) {
        const { code, expiresAt } = logins.offer(agent, { ...offer, proves: via === "run-token" });
        return { url: `http://${HOST}/login?code=${code}`, expiresAt };
      },
      ready: async () => true,
      durable: async () => durable,
      stop: () => {
        stopCount += 1;
      },
      ...replacements.daemon,
    },
    tunnel: {
      info: () => ({ state: "off" }),
      tryNow: () => {},
      changes: async () => createTunnelChanges(config),
    },
    reports: {
      status: async () => ({
        version: "0",
        home: "/home",
        url: `http://${HOST}`,
        pid: 1,
        startedAt: 0,
        houses: 1,
        rooms: 1,
        agents: 2,
        activations: activations.counts(),
        durability: "none",
        cells: [],
      }),
      security: async () => ({ findings: [], unseen: [] }),
      doctor: async () => [{ name: "store", ok: true, detail: "fine" }],
      backups: async () => [],
      makeBackup: (target) => startBackup(undefined, target),
      restorer: async () => restorerOf(undefined),
      backupTargets: lazy(async () => createBackupTargets({ world, config, keyFiles })),
      imports: lazy(async () => createImports({ kernel: { world, log }, folders: noFolders })),
      log: async () => ({ lines: [], isWritten: true }),
      update: async () => ({
        installed: "0.1.0",
        from: 1,
        to: 1,
        steps: [],
        problems: [],
        neededBytes: 0,
        freeBytes: 0,
        estimatedMs: 0,
        openTurns: 0,
      }),
      measure: async () => ({ measuredAt: 0, totalBytes: 0, kinds: [], days: [], retention: [], isShrinking: true }),
      prompt: async () => ({ audience: "private", parts: [], tokens: 0 }),
      tools: createAgentTools({
        table: tools,
        isIsolated: async () => false,
        hasPeers: async () => false,
        hasPictures: () => false,
        hasSearch: () => false,
      }),
      searchWeb: async () => [],
      ...replacements.reports,
    },
  };
  const http = createHttp(options);
  const { key } = await keys.create({ name: "owner's", agent: owner.id }, { agent: owner.id });
  const { key: botKey } = await keys.create({ name: "bot's", agent: bot.id }, { agent: owner.id });

  const request = (path: string, init: RequestInit = {}): Request => {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", HOST);
    if (!headers.has("authorization") && !headers.has("cookie")) headers.set("authorization", `Bearer ${RUN_TOKEN}`);
    if (headers.get("authorization") === "") headers.delete("authorization");
    if (typeof init.body === "string" && !headers.has("content-type")) headers.set("content-type", "application/json");
    return new Request(`http://${HOST}${path}`, { ...init, headers });
  };

  return {
    http,
    options,
    store,
    lines: log.lines,
    reading,
    house,
    owner,
    bot,
    room,
    key,
    botKey,
    request,
    call: (path, init) => http.handle(request(path, init)),
    async logIn(agent = owner.id, { isOld = false } = {}) {
      const session = await logins.begin(agent, { about: "" }, { proves: !isOld });
      return { cookie: `hearth_session=${session?.cookie}`, origin: `http://${HOST}` };
    },
    wake(message, agent = bot.id) {
      const id = world.ids.derive("act", message.id, agent);
      const activation: Activation = {
        id,
        agent,
        room: message.room,
        depth: 0,
        trigger: "direct",
        cause: message.id,
        state: "queued",
        usage: noUsage,
        createdAt: world.clock.now(),
      };
      activations.put(activation);
      memory.push(`live:${message.room}`, {
        type: "activation-queued",
        at: 0,
        activation: id,
        agent,
        cause: message.id,
      });
      return activation;
    },
    async finish(id, end, text) {
      const { room, cause } = await activations.get(id);
      if (text !== undefined)
        await sayAs(streams, world, { room, author: bot.id, text, causes: [cause], activation: id });
      activations.put({ ...(await activations.get(id)), ...end });
      memory.close(`deltas:${id}`);
    },
    stops: () => stopCount,
  };
};

const sayAs = async (
  streams: DurableStreams,
  world: World,
  {
    room,
    text,
    ...facts
  }: { room: RoomId; author: AgentId; text: string; causes: StoredMessage["causes"]; activation: ActivationId },
): Promise<void> => {
  await streams.append({
    stream: `room:${room}`,
    id: world.ids.fresh("evt"),
    event: { type: "message", room, at: world.clock.now(), body: { format: "markdown", text }, mentions: [], ...facts },
  });
};
