/** The daemon, wired: every part of the house on one page. What touches the machine is handed in. */
import {
  type AgentId,
  type CellKind,
  HearthError,
  type HouseId,
  type LoginLink,
  type RecordType,
  type World,
} from "@hearth/protocol";
import { createActivations } from "./activations/house-activations.ts";
import { type BrainDisk, createBrains } from "./brains/brains.ts";
import type { CellBackend } from "./cells/backend.ts";
import { createPool } from "./cells/pool.ts";
import type { ConfigSource } from "./config/source.ts";
import { createContext } from "./context/context.ts";
import { createDepartures } from "./dispatch/departures.ts";
import { createDispatch } from "./dispatch/dispatch.ts";
import { createHttp } from "./http/app.ts";
import type { Http } from "./http/http.ts";
import { applyPins } from "./identity/apply-pins.ts";
import { foundHouse } from "./identity/found-house.ts";
import { createKeys } from "./identity/house-keys.ts";
import { createLogins } from "./identity/house-logins.ts";
import { createRecords } from "./identity/house-records.ts";
import { createJournal } from "./journal/journal.ts";
import { createWritableCheck, examine } from "./http/doctor.ts";
import type { Log } from "./observe/log.ts";
import { createCatalog } from "./providers/house-catalog.ts";
import { providers as providerTable } from "./providers/index.ts";
import type { ProviderFactory } from "./providers/provider.ts";
import { createRooms } from "./rooms/house-rooms.ts";
import type { Blobs } from "./store/blobs.ts";
import type { Store } from "./store/store.ts";
import { createDurableStreams } from "./streams/durable.ts";
import { createMemoryStreams } from "./streams/memory.ts";

export interface WardenOptions {
  readonly world: World;
  readonly log: Log;
  readonly config: ConfigSource;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly brainDisk: BrainDisk;
  readonly starter: () => Promise<Readonly<Record<string, string>>>;
  readonly backends: Readonly<Record<Exclude<CellKind, "auto">, CellBackend>>;
  /** More kinds of provider than ship. */
  readonly providers?: Readonly<Record<string, ProviderFactory>>;
  readonly environment: (name: string) => string | undefined;
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly timezone: string;
  /** What the CLI of this machine proves itself with, new at each start. */
  readonly runToken: string;
  readonly version: string;
  readonly home: string;
  readonly pid: number;
  /** The port's own address, once there is one. */
  readonly url: () => string;
  /** Begins the orderly end of the process. */
  readonly stop: () => void;
}

export interface Warden extends AsyncDisposable {
  readonly http: Http;
  /** Takes up what was left, then works until it is disposed. Resolves once it accepts work. */
  start(): Promise<void>;
  /** A one-time link for the owner. */
  loginLink(): LoginLink;
}

/** Comings and goings of activations that a room's watchers can look back on. */
const MAX_LIVE = 256;
/** A reply of the greatest length, a token a piece, with its tool calls. */
const MAX_DELTAS = 16_384;
const LOGIN_PATH = "/login?code=";

export const createWarden = async (options: WardenOptions): Promise<Warden> => {
  const { world, log, config, store, blobs, backends } = options;
  const startedAt = world.clock.now();
  const closing = new AbortController();
  let ready = false;

  const streams = createDurableStreams({ world, store, blobs });
  const memory = createMemoryStreams({
    world,
    signal: closing.signal,
    maxEvents: (stream) => (stream.startsWith("live:") ? MAX_LIVE : MAX_DELTAS),
  });
  const house = await foundHouse({ world, store, streams, timezone: options.timezone });
  const owner = await ownerOf({ store, house });
  const unpinned = createRecords({ world, store, streams, pinned: () => undefined });
  await applyPins({ config, records: unpinned, house, owner });
  const records = createRecords({
    world,
    store,
    streams,
    pinned: (type: RecordType, handle, field) => (type === "agent" ? config.pinned(handle, field) : undefined),
  });

  const keys = createKeys({ world, store, streams, house });
  const logins = createLogins({ world, store });
  const providers = createCatalog({
    world,
    config,
    table: { ...providerTable, ...options.providers },
    environment: options.environment,
    readFile: options.readFile,
  });
  const brains = createBrains({ disk: options.brainDisk, starter: options.starter });
  const rooms = createRooms({ world, records, streams });
  const { backend, idleSeconds } = config.current().cells;
  const pool = createPool({
    clock: world.clock,
    log,
    backends,
    auto: backend === "auto" ? "process" : backend,
    idleMs: idleSeconds * 1000,
    workspaceOf: async (agent) => (await brains.open(agent)).workspace,
  });
  const journal = createJournal({ world, store, blobs });
  const context = createContext({ records, streams, brains, blobs });
  const activations = createActivations({
    world,
    log,
    store,
    blobs,
    streams,
    memory,
    records,
    rooms,
    journal,
    context,
    pool,
    providers,
  });
  const dispatch = createDispatch({ world, log, store, streams, records, wake: activations.wake });
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

  const loginLink = (agent: AgentId): LoginLink => {
    const { code, expiresAt } = logins.offer(agent);
    return { url: `${options.url()}${LOGIN_PATH}${code}`, expiresAt };
  };

  const http = createHttp({
    world,
    log,
    records,
    rooms,
    streams,
    memory,
    activations,
    keys,
    logins,
    providers,
    runToken: async (token) => (world.hash(token) === runTokenHash ? { agent: owner, via: "run-token" } : undefined),
    hosts: () => hostsOf(options.url()),
    ready: async () => ready && (await isWritable()),
    stop: options.stop,
    loginLink: async (principal) => loginLink(principal.agent),
    status: async () => {
      const [houses, allRooms, agents] = await Promise.all([
        records.list("house"),
        records.list("room"),
        records.list("agent"),
      ]);
      return {
        version: options.version,
        home: options.home,
        url: options.url(),
        pid: options.pid,
        startedAt,
        houses: houses.length,
        rooms: allRooms.length,
        agents: agents.length,
        activations: activations.counts(),
        cells: [...pool.list()],
      };
    },
    doctor: () => examine({ store, providers, records, backends }),
  });

  let reading: readonly Promise<void>[] = [];
  return {
    http,
    async start() {
      await activations.recover();
      reading = [dispatch.run(closing.signal), departures.run(closing.signal)];
      ready = true;
    },
    loginLink: () => loginLink(owner),
    async [Symbol.asyncDispose]() {
      ready = false;
      closing.abort();
      http.close();
      await Promise.all(reading);
      await activations[Symbol.asyncDispose]();
      await pool[Symbol.asyncDispose]();
    },
  };
};

/** The first person of the house. */
const ownerOf = async ({ store, house }: { store: Store; house: HouseId }): Promise<AgentId> => {
  const rows = await store.select({
    table: "records",
    where: { type: "agent", house },
    order: [{ column: "created_at" }],
  });
  const owner = rows.find((row) => JSON.parse(row.content).kind === "human");
  if (owner === undefined)
    throw new HearthError("store.foreign", "This home has no owner.", { hint: "Restore hearth.db from a backup." });
  return owner.id as AgentId;
};

/** Every name that a browser on this machine may use for the same port. */
const hostsOf = (url: string): readonly string[] => {
  if (url === "") return [];
  const { host, port } = new URL(url);
  return [host, `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
};
