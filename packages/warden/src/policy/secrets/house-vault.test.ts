import { plainRow } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import type { AgentId, HouseId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunAead } from "../../adapter/bun/secrets/aead.ts";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import type { Store } from "../../kernel/store/store.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { NONCE_SIZE } from "./aead.ts";
import { createEnvelopes } from "./envelope.ts";
import { openVault } from "./house-vault.ts";
import { createFakePassphraseSource } from "../../fixtures/passphrase-source.ts";
import { createMemoryKeySource, type KeySources } from "./key-source.ts";
import { createMemoryVault } from "./memory.ts";
import { createRedaction } from "./redaction.ts";
import { vaultConformance, type VaultHarness } from "./vault.conformance.ts";

const { hash } = createBunWorld();
const TURN = {
  turn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  sleep: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms)),
};
const PASSPHRASE = "correct horse battery";

const people = (world: ReturnType<typeof createFakeWorld>) => {
  const [house, otherHouse] = [world.ids.fresh("house"), world.ids.fresh("house")];
  const [main, second, stranger] = [world.ids.fresh("agent"), world.ids.fresh("agent"), world.ids.fresh("agent")];
  const homes = new Map<AgentId, HouseId>([
    [main, house],
    [second, house],
    [stranger, otherHouse],
  ]);
  return { house, otherHouse, main, second, stranger, homes };
};

vaultConformance("memory", async () => {
  const world = createFakeWorld({ hash });
  const all = people(world);
  const find = async (_type: "agent", id: AgentId) => {
    const house = all.homes.get(id);
    return house === undefined ? undefined : { house };
  };
  const vault = createMemoryVault({ world, records: { find } });
  return {
    ...all,
    vault,
    advance: world.advance,
    async locked() {
      vault.lock(true);
      return vault;
    },
    [Symbol.asyncDispose]: async () => {},
  };
});

const setUp = async (store: Store) => {
  const world = createFakeWorld({ hash });
  const all = people(world);
  await store.commit({
    writes: [...all.homes].map(([id, house]) => ({
      kind: "insert",
      table: "records",
      row: plainRow("records", {
        ...{ id, type: "agent", house, handle: id, version: 1, created_at: 0, updated_at: 0, content: "{}" },
      }),
    })),
  });
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const made: Uint8Array[] = [];
  const random = (length: number): Uint8Array => {
    const bytes = world.random(length);
    made.push(bytes);
    return bytes;
  };
  const sources: KeySources = {
    file: createMemoryKeySource(world),
    keyring: createMemoryKeySource(world),
    passphrase: createFakePassphraseSource(world),
  };
  const log = createFakeLog();
  const redaction = createRedaction();
  const start = (
    more: { passphrase?: string; answers?: readonly string[]; sources?: Partial<KeySources>; store?: Store } = {},
  ) =>
    openVault({
      world: { ...world, random },
      log,
      streams:
        more.store === undefined
          ? streams
          : createDurableStreams({ world, store: more.store, blobs: createMemoryBlobs(hash) }),
      store: more.store ?? store,
      aead: createBunAead(),
      redaction,
      sources: { ...sources, ...more.sources },
      passphrase: () => more.passphrase,
      ask: async (attempt) => more.answers?.[attempt],
    });
  return { world, store, streams, log, redaction, sources, start, made, ...all };
};

const harnessOn = (open: () => Promise<Store>) => async (): Promise<VaultHarness> => {
  const store = await open();
  const { start, world, ...rest } = await setUp(store);
  return {
    ...rest,
    vault: await start(),
    advance: world.advance,
    locked: () => start({ sources: { file: createMemoryKeySource(world) } }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
};
vaultConformance(
  "over the memory store",
  harnessOn(async () => createMemoryStore()),
);
vaultConformance(
  "over SQLite",
  harnessOn(() => createSqliteStore({ database: openSqlite(":memory:"), clock: TURN })),
);

const all = async (store: Store): Promise<string> =>
  JSON.stringify([
    await store.select({ table: "secrets" }),
    await store.select({ table: "secret_grants" }),
    await store.select({ table: "vault_keys" }),
    await store.select({ table: "events" }),
  ]);

test("no row, event or log line has a value, a data key or the vault's key in any encoding", async () => {
  const { start, store, house, main, made, log } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  await vault.rotate(house, { name: "ONE", value: "another to look for" }, main);
  await vault.grant(house, "ONE", { agent: main, host: "a.example.org", as: "header:X-Key" }, main);
  const kept = (await all(store)) + log.lines.join("");
  const secrets = [
    Buffer.from("a value to look for"),
    Buffer.from("another to look for"),
    ...made.filter(({ length }) => length === 32).map((key) => Buffer.from(key)),
  ];
  expect(secrets.length).toBeGreaterThan(3);
  for (const secret of secrets)
    for (const encoding of ["latin1", "base64", "hex"] as const) expect(kept).not.toContain(secret.toString(encoding));
});

test("the house's log says who did what, and never the value", async () => {
  const { start, streams, house, main, second } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  await vault.rotate(house, { name: "ONE", value: "another to look for" }, second);
  const { id } = await vault.grant(house, "ONE", { agent: second, host: "a.example.org", as: "bearer" }, main);
  await vault.revoke(house, "ONE", id, main);
  await vault.remove(house, "ONE", main);
  const about = { type: "secret-changed", on: house, name: "ONE" };
  expect(await streams.read(`house:${house}`, 0, 10)).toMatchObject([
    { ...about, by: main, change: "set" },
    { ...about, by: second, change: "rotated" },
    { ...about, by: main, change: "granted", agent: second, host: "a.example.org" },
    { ...about, by: main, change: "revoked", agent: second, host: "a.example.org" },
    { ...about, by: main, change: "removed" },
  ]);
});

test("no nonce is used twice, over values, versions and keys of the vault", async () => {
  const { start, store, house, main, made } = await setUp(createMemoryStore());
  const vault = await start();
  const nonces: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const name of ["ONE", "TWO"])
      await (round === 0 ? vault.set : vault.rotate)(house, { name, value: `the same value` }, main);
    await vault.changeKey({ source: "file" });
    for (const { wrapped, sealed } of await store.select({ table: "secrets" }))
      nonces.push(wrapped.slice(0, 16), sealed.slice(0, 16));
  }
  const drawn = made
    .filter(({ length }) => length === NONCE_SIZE)
    .map((nonce) => Buffer.from(nonce).toString("base64"));
  expect(new Set(drawn).size).toBe(drawn.length);
  for (const nonce of nonces) expect(drawn).toContain(nonce);
});

test("an envelope opens only in its own place", async () => {
  const { start, store, house, otherHouse, main } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "the first value" }, main);
  await vault.set(house, { name: "TWO", value: "the second value" }, main);
  await vault.set(otherHouse, { name: "ONE", value: "the third value" }, main);
  const rows = await store.select({ table: "secrets" });
  const [one, two] = rows.filter((row) => row.house === house).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (one === undefined || two === undefined) throw new Error("there are two");
  const other = rows.find((row) => row.house === otherHouse);
  for (const put of [
    { ...one, sealed: two.sealed },
    { ...one, wrapped: two.wrapped, sealed: two.sealed },
    { ...one, wrapped: other?.wrapped ?? "", sealed: other?.sealed ?? "" },
    { ...one, version: 2 },
    { ...one, sealed: "no base64!" },
    { ...one, key: "another" },
  ]) {
    await store.commit({ writes: [{ kind: "put", table: "secrets", row: put }] });
    const error: unknown = await vault.read(house, "ONE").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "secret.damaged" });
  }
  await vault.rotate(house, { name: "ONE", value: "mended value" }, main);
  expect(await vault.read(house, "ONE")).toBe("mended value");
});

test("after a restart all secrets are available and redacted from the start", async () => {
  const { start, house, main } = await setUp(createMemoryStore());
  await (await start()).set(house, { name: "ONE", value: "a value to look for" }, main);
  const fresh = createRedaction();
  expect(fresh.text("a value to look for")).toBe("a value to look for");
  const again = await start();
  expect(again.status()).toEqual({ state: "open", source: "file" });
  expect(await again.read(house, "ONE")).toBe("a value to look for");
});

test("redaction learns a value when it is set, when it changes (with the previous value) and at the start", async () => {
  const { start, redaction, house, main, store, world, streams, sources } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "the first value" }, main);
  await vault.rotate(house, { name: "ONE", value: "the second value" }, main);
  expect(redaction.text("the first value, the second value")).toBe("[secret ONE], [secret ONE]");
  const later = createRedaction();
  await openVault({
    ...{ world, store, streams, sources, aead: createBunAead(), log: createFakeLog(), redaction: later },
    passphrase: () => undefined,
  });
  expect(later.text("the first value, the second value")).toBe("the first value, [secret ONE]");
});

test("a missing or different key locks the vault, logs an error and leaves the stored rows unchanged", async () => {
  const { start, store, log, world, house, main } = await setUp(createMemoryStore());
  await (await start()).set(house, { name: "ONE", value: "a value to look for" }, main);
  const before = await all(store);
  const other = createMemoryKeySource(world);
  const [row] = await store.select({ table: "vault_keys" });
  for (const [file, why] of [
    [other, "its key is missing"],
    [{ ...other, find: async () => new Uint8Array(32) }, "its key is a different one"],
  ] as const) {
    const vault = await start({ sources: { file } });
    expect(vault.status()).toMatchObject({ state: "locked", source: "file", why });
    expect(log.lines.at(-1)).toContain("the vault is locked");
    const error: unknown = await vault
      .set(house, { name: "TWO", value: "a value to look for" }, main)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "secret.locked", message: expect.stringContaining(why) });
  }
  expect(await all(store)).toBe(before);
  expect(row?.revision).toBe(0);
  expect(await (await start()).read(house, "ONE")).toBe("a value to look for");
});

test("the key of an open vault stays when its last secret is removed", async () => {
  const { start, store, house, main } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  const before = vault.status();
  await vault.remove(house, "ONE", main);
  expect([vault.status(), (await store.select({ table: "vault_keys" })).length]).toEqual([before, 1]);
});

test("after the key is lost, removing all secrets allows a new key", async () => {
  const { start, world, store, house, otherHouse, main } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  await vault.set(otherHouse, { name: "ONE", value: "a value to look for" }, main);
  const file = createMemoryKeySource(world);
  const locked = await start({ sources: { file } });
  await locked.remove(house, "ONE", main);
  expect(locked.status().state).toBe("locked");
  await locked.remove(otherHouse, "ONE", main);
  expect([locked.status(), await store.select({ table: "vault_keys" })]).toEqual([{ state: "empty" }, []]);
  await locked.set(house, { name: "ONE", value: "another value" }, main);
  expect(await (await start({ sources: { file } })).read(house, "ONE")).toBe("another value");
});

test("a passphrase in the environment creates the key with the first secret and opens it at each start; a terminal is asked for it", async () => {
  const { start, store, house, main } = await setUp(createMemoryStore());
  const vault = await start({ passphrase: PASSPHRASE });
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  expect(vault.status()).toEqual({ state: "open", source: "passphrase" });
  expect(await all(store)).not.toContain(PASSPHRASE);
  const before = await all(store);
  for (const [more, why] of [
    [{}, "no passphrase was given"],
    [{ passphrase: "wrong one" }, "the passphrase is wrong"],
    [{ answers: ["wrong one", "another", "a third", PASSPHRASE] }, "the passphrase is wrong"],
    [{ answers: ["", PASSPHRASE] }, "no passphrase was given"],
  ] as const)
    expect((await start(more)).status()).toMatchObject({ state: "locked", source: "passphrase", why });
  for (const more of [{ passphrase: PASSPHRASE }, { passphrase: "wrong one", answers: ["wrong too", PASSPHRASE] }])
    expect(await (await start(more)).read(house, "ONE")).toBe("a value to look for");
  expect(await all(store)).toBe(before);
});

test("no passphrase is requested where none is needed", async () => {
  const { start, house, main } = await setUp(createMemoryStore());
  const answers = new Proxy([], {
    get() {
      throw new Error("it was asked");
    },
  });
  const vault = await start({ answers });
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  expect(vault.status()).toEqual({ state: "open", source: "file" });
  expect(await (await start({ answers })).read(house, "ONE")).toBe("a value to look for");
});

test("a new key of the vault is one commit: all secrets are sealed with it, and the old key is dropped", async () => {
  const { start, store, house, otherHouse, main, sources } = await setUp(createMemoryStore());
  const vault = await start();
  for (const place of [house, otherHouse]) await vault.set(place, { name: "ONE", value: `value of ${place}` }, main);
  const [old] = await store.select({ table: "vault_keys" });
  const sealed = (await store.select({ table: "secrets" })).map((row) => row.sealed);
  await vault.changeKey({ source: "keyring" });
  const rows = await store.select({ table: "secrets" });
  const keys = await store.select({ table: "vault_keys" });
  expect(keys).toMatchObject([{ source: "keyring" }]);
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set([keys[0]?.id ?? ""]));
  // The sealed values are unchanged.
  expect(rows.map((row) => row.sealed)).toEqual(sealed);
  expect(await sources.file.find(old?.id ?? "", "")).toBeUndefined();
  expect(await (await start()).read(otherHouse, "ONE")).toBe(`value of ${otherHouse}`);
});

test("a key change that cannot be written leaves the old key in place", async () => {
  const inner = createMemoryStore();
  const { start, house, main, sources } = await setUp(inner);
  let isRefused = false;
  const store: Store = {
    ...inner,
    commit: async (change) =>
      isRefused && change.writes.some((write) => write.kind === "insert" && write.table === "vault_keys")
        ? { kind: "refused", guard: undefined }
        : inner.commit(change),
  };
  const vault = await start({ store });
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  const before = await all(inner);
  const dropped: string[] = [];
  const keyring = { ...sources.keyring, drop: async (id: string) => void dropped.push(id) };
  const careful = await start({ store, sources: { keyring } });
  isRefused = true;
  const error: unknown = await careful.changeKey({ source: "keyring" }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "record.version" });
  expect(dropped).toHaveLength(1);
  expect(await all(inner)).toBe(before);
  expect(careful.status()).toEqual({ state: "open", source: "file" });
  expect(await careful.read(house, "ONE")).toBe("a value to look for");
});

test("an old key that cannot be removed is logged, and the key change succeeds", async () => {
  const { start, house, main, sources, log } = await setUp(createMemoryStore());
  const file = { ...sources.file, drop: () => Promise.reject(new Error("the disk is gone")) };
  const vault = await start({ sources: { file } });
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  expect(await vault.changeKey({ source: "keyring" })).toEqual({ state: "open", source: "keyring" });
  expect(log.lines.join()).toContain("cannot remove an old key of the vault");
  expect(await (await start()).read(house, "ONE")).toBe("a value to look for");
});

test("a key change and a start skip a damaged secret and log it", async () => {
  const { start, store, house, main, log } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  await vault.set(house, { name: "TWO", value: "another to look for" }, main);
  await store.commit({ writes: [{ kind: "update", table: "secrets", where: { name: "ONE" }, set: { wrapped: "" } }] });
  await vault.changeKey({ source: "file" });
  const again = await start();
  expect(log.lines.filter((line) => line.includes("a secret is damaged") && line.includes('"ONE"'))).toHaveLength(2);
  expect(await again.read(house, "TWO")).toBe("another to look for");
  const error: unknown = await again.read(house, "ONE").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "secret.damaged", hint: expect.stringContaining("rotate ONE") });
});

test("of two daemons on one store, the one with the old key gets an error and seals nothing with it", async () => {
  const { start, store, house, main } = await setUp(createMemoryStore());
  const one = await start();
  await one.set(house, { name: "ONE", value: "a value to look for" }, main);
  const other = await start();
  await one.changeKey({ source: "keyring" });
  const before = await all(store);
  for (const work of [
    () => other.set(house, { name: "TWO", value: "another to look for" }, main),
    () => other.rotate(house, { name: "ONE", value: "another to look for" }, main),
    () => other.changeKey({ source: "file" }),
  ]) {
    const error: unknown = await work().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "record.version" });
  }
  expect(await all(store)).toBe(before);
  expect(await one.read(house, "ONE")).toBe("a value to look for");
});

test("a key change is refused when another daemon sets a secret at the same time", async () => {
  const inner = createMemoryStore();
  const { start, house, main } = await setUp(inner);
  const other = await start();
  await other.set(house, { name: "ONE", value: "a value to look for" }, main);
  let isFirst = true;
  const store: Store = {
    ...inner,
    async commit(change) {
      if (isFirst) {
        isFirst = false;
        await other.set(house, { name: "TWO", value: "another to look for" }, main);
      }
      return inner.commit(change);
    },
  };
  const one = await start({ store });
  const error: unknown = await one.changeKey({ source: "keyring" }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "record.version" });
  expect([await one.read(house, "ONE"), await one.read(house, "TWO")]).toEqual([
    "a value to look for",
    "another to look for",
  ]);
});

test("house, name and version are part of both seals of an envelope", async () => {
  const world = createFakeWorld({ hash });
  const aead = createBunAead();
  const abouts: string[] = [];
  const { seal } = createEnvelopes({
    random: world.random,
    aead: {
      ...aead,
      seal(key, nonce, plain, about) {
        abouts.push(about);
        return aead.seal(key, nonce, plain, about);
      },
    },
  });
  const key = { id: "the-key", key: world.random(32) };
  await seal({ house: "the-house" as HouseId, name: "the-name", version: 7 }, "a value to look for", key);
  expect(abouts.map((about) => JSON.parse(about))).toEqual([
    ["data key", "the-key", "the-house", "the-name", 7],
    ["value", "the-house", "the-name", 7],
  ]);
});

test("a secret set during a key change is sealed with the new key or not at all", async () => {
  const { start, store, house, main } = await setUp(createMemoryStore());
  const vault = await start();
  await vault.set(house, { name: "ONE", value: "a value to look for" }, main);
  await Promise.all([
    vault.changeKey({ source: "keyring" }),
    vault.set(house, { name: "TWO", value: "another to look for" }, main),
    vault.rotate(house, { name: "ONE", value: "a changed value" }, main),
    vault.changeKey({ source: "file" }),
  ]);
  const [key] = await store.select({ table: "vault_keys" });
  for (const row of await store.select({ table: "secrets" })) expect(row.key).toBe(key?.id ?? "");
  expect([await vault.read(house, "ONE"), await vault.read(house, "TWO")]).toEqual([
    "a changed value",
    "another to look for",
  ]);
});
