/** A house for the port's own tests: real records, rooms, streams, keys and logins in memory; bots that a test plays. */
import {
  type Activation,
  type ActivationId,
  type AgentId,
  type AgentRecord,
  type HouseId,
  HearthError,
  noUsage,
  type ProviderInfo,
  type RoomId,
  type RoomRecord,
  type StoredMessage,
  type World,
} from "@hearth/protocol";
import type { Activations, StepRow } from "../activations/activations.ts";
import { createKeys } from "../identity/house-keys.ts";
import { createLogins } from "../identity/house-logins.ts";
import { createRecords } from "../identity/house-records.ts";
import { toRow } from "../identity/record-rows.ts";
import { createFakeLog } from "../observe/log.ts";
import type { Catalog } from "../providers/catalog.ts";
import { createRooms } from "../rooms/house-rooms.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import { createDurableStreams } from "../streams/durable.ts";
import { createMemoryStreams } from "../streams/memory.ts";
import type { DurableStreams } from "../streams/streams.ts";
import { createHttp } from "./app.ts";
import type { Http, HttpOptions } from "./http.ts";

export const HOST = "127.0.0.1:18789";
export const RUN_TOKEN = "the-run-token";

export interface FakeHouse {
  readonly http: Http;
  readonly options: HttpOptions;
  readonly lines: readonly string[];
  /** Who follows durable streams at present, and how many batches were taken. */
  readonly reading: { readonly followers: number; readonly batches: number };
  readonly house: HouseId;
  readonly owner: AgentRecord;
  readonly bot: AgentRecord;
  readonly room: RoomRecord;
  /** The owner's key and the bot's. */
  readonly key: string;
  readonly botKey: string;
  /** A request of the owner to this house, if the init names nobody else. */
  request(path: string, init?: RequestInit): Request;
  call(path: string, init?: RequestInit): Promise<Response>;
  /** The bot wakes on a message: queued now. */
  wake(message: StoredMessage): Activation;
  /** It ends; with `text` it has replied. */
  finish(id: ActivationId, end: Partial<Activation>, text?: string): Promise<void>;
  stops(): number;
}

export const createFakeHouse = async (world: World, over: Partial<HttpOptions> = {}): Promise<FakeHouse> => {
  const store = createMemoryStore();
  const { streams, reading } = watch(createDurableStreams({ world, store, blobs: createMemoryBlobs(world.hash) }));
  const memory = createMemoryStreams({ world, graceMs: 1000 });
  const log = createFakeLog();
  const records = createRecords({ world, store, streams, pinned: () => undefined });
  const rooms = createRooms({ world, records, streams });
  const activations = createFakeActivations();
  const house = world.ids.fresh("house");
  const base = { house, version: 1, createdAt: 0, updatedAt: 0 };
  const owner: AgentRecord = {
    ...base,
    type: "agent",
    id: world.ids.fresh("agent"),
    handle: "owner",
    content: { name: "Owner", kind: "human" },
  };
  const bot: AgentRecord = {
    ...base,
    type: "agent",
    id: world.ids.fresh("agent"),
    handle: "main",
    content: { name: "Main", kind: "bot" },
  };
  const room: RoomRecord = {
    ...base,
    type: "room",
    id: world.ids.fresh("room"),
    handle: "hall",
    content: { name: "Hall", kind: "group" },
  };
  const home = {
    ...base,
    type: "house",
    id: house,
    handle: "home",
    content: { name: "Home", timezone: "UTC" },
  } as const;
  await store.commit({
    writes: [home, owner, bot, room].map((record) => ({ kind: "insert", table: "records", row: toRow(record) })),
  });
  const keys = createKeys({ world, store, streams, house });
  const logins = createLogins({ world, store });
  let stops = 0;

  const options: HttpOptions = {
    world,
    log,
    records,
    rooms,
    streams,
    memory,
    activations,
    keys,
    logins,
    providers: createFakeCatalog(),
    runToken: async (token: string) =>
      token === RUN_TOKEN ? { agent: owner.id, via: "run-token" as const } : undefined,
    hosts: () => [HOST],
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
      cells: [],
    }),
    doctor: async () => [{ name: "store", ok: true, detail: "fine" }],
    loginLink: async ({ agent }: { agent: AgentId }) => {
      const { code, expiresAt } = logins.offer(agent);
      return { url: `http://${HOST}/login?code=${code}`, expiresAt };
    },
    ready: async () => true,
    stop: () => {
      stops += 1;
    },
    ...over,
  };
  const http = createHttp(options);
  const { key } = await keys.create("owner's", owner.id, owner.id);
  const { key: botKey } = await keys.create("bot's", bot.id, owner.id);

  const request = (path: string, init: RequestInit = {}): Request => {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", HOST);
    if (!headers.has("authorization") && !headers.has("cookie")) headers.set("authorization", `Bearer ${key}`);
    if (headers.get("authorization") === "") headers.delete("authorization");
    if (typeof init.body === "string" && !headers.has("content-type")) headers.set("content-type", "application/json");
    return new Request(`http://${HOST}${path}`, { ...init, headers });
  };

  return {
    http,
    options,
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
    wake(message) {
      const id = world.ids.derive("act", message.id, bot.id);
      const activation: Activation = {
        id,
        agent: bot.id,
        room: message.room,
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
        agent: bot.id,
        cause: message.id,
      });
      return activation;
    },
    async finish(id, end, text) {
      const { room: where, cause } = await activations.get(id);
      if (text !== undefined)
        await sayAs(streams, world, { room: where, author: bot.id, text, causes: [cause], activation: id });
      activations.put({ ...(await activations.get(id)), ...end });
      memory.close(`deltas:${id}`);
    },
    stops: () => stops,
  };
};

const watch = (streams: DurableStreams) => {
  const reading = { followers: 0, batches: 0 };
  return {
    reading,
    streams: {
      ...streams,
      async *follow(...where: Parameters<DurableStreams["follow"]>) {
        reading.followers += 1;
        try {
          for await (const batch of streams.follow(...where)) {
            reading.batches += 1;
            yield batch;
          }
        } finally {
          reading.followers -= 1;
        }
      },
    } satisfies DurableStreams,
  };
};

const sayAs = async (
  streams: DurableStreams,
  world: World,
  {
    room,
    text,
    ...rest
  }: { room: RoomId; author: AgentId; text: string; causes: StoredMessage["causes"]; activation: ActivationId },
): Promise<void> => {
  await streams.append({
    stream: `room:${room}`,
    id: world.ids.fresh("evt"),
    event: { type: "message", room, at: world.clock.now(), body: { format: "markdown", text }, mentions: [], ...rest },
  });
};

const createFakeActivations = (): Activations & { put(activation: Activation): void } => {
  const all = new Map<ActivationId, Activation>();
  let changed = Promise.withResolvers<void>();
  const get = async (id: ActivationId): Promise<Activation> => {
    const activation = all.get(id);
    if (activation === undefined) throw new HearthError("activation.not-found", `There is no activation ${id}.`);
    return activation;
  };
  const put = (activation: Activation): void => {
    all.set(activation.id, activation);
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const isOver = ({ state }: Activation): boolean => state !== "queued" && state !== "running";
  return {
    put,
    get,
    list: async ({ agent, state, limit }) =>
      [...all.values()]
        .filter((activation) => activation.agent === agent && (state === undefined || activation.state === state))
        .reverse()
        .slice(0, limit),
    steps: async (activation): Promise<readonly StepRow[]> => [
      {
        activation,
        step: 0,
        kind: "model",
        name: "offline/echo",
        input_hash: "",
        effect: "none",
        state: "done",
        output: "not for the port",
        output_blob: null,
        started_at: 1,
        ended_at: 2,
      },
    ],
    async stop(id) {
      const activation = await get(id);
      if (!isOver(activation)) put({ ...activation, state: "stopped", reason: "It was stopped." });
      return get(id);
    },
    async wait(id, signal) {
      while (!isOver(await get(id)) && !signal.aborted) {
        await Promise.race([changed.promise, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      }
      return get(id);
    },
    counts: () => ({ queued: 0, running: 0 }),
  };
};

const createFakeCatalog = (): Catalog => {
  const infos: ProviderInfo[] = [
    { name: "offline", kind: "offline", source: "built-in", ready: true, detail: "always there" },
  ];
  const find = (name: string): ProviderInfo => {
    const info = infos.find((other) => other.name === name);
    if (info === undefined) throw new HearthError("provider.unknown", `There is no provider "${name}".`);
    return info;
  };
  return {
    list: async () => infos,
    resolve: async (model) => {
      throw new HearthError("provider.unknown", `${model} is not for this test.`);
    },
    test: async (name) => ({ ok: find(name).ready, detail: "it answers", durationMs: 1 }),
    async add({ name, kind }) {
      infos.push({ name, kind, source: "config", ready: true, detail: "" });
      return find(name);
    },
    async remove(name) {
      infos.splice(infos.indexOf(find(name)), 1);
    },
  };
};
