import { expect, test } from "bun:test";
import type { AgentRecord, HouseId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import type { Store } from "../../kernel/store/store.ts";
import { createLoginAttempts, GUESSES_OF_PEER } from "./login-attempts.ts";
import { createFakePasswordHash } from "./fake-password-hash.ts";
import { createLogins } from "./house-logins.ts";
import { createPasswords, MAX_CONCURRENT, MAX_QUEUED } from "./house-passwords.ts";
import { toRow } from "../records/record-rows.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";

/** Counts what is read. */
const counting = (store: Store) => {
  const read: string[] = [];
  return {
    read,
    store: {
      ...store,
      select(query) {
        read.push(query.table);
        return store.select(query);
      },
    } satisfies Store,
  };
};

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const { store, read } = counting(createMemoryStore());
  const house: HouseId = world.ids.fresh("house");
  const add = async (handle: string, kind: "human" | "bot") => {
    const base = { house, handle, version: 1, createdAt: 0, updatedAt: 0 };
    const record: AgentRecord = {
      ...base,
      type: "agent",
      id: world.ids.fresh("agent"),
      content: { name: handle, kind },
    };
    await store.commit({ writes: [{ kind: "insert", table: "records", row: toRow(record) }] });
    return record.id;
  };
  const [ana, ben, bot] = [await add("ana", "human"), await add("ben", "human"), await add("bot", "bot")];
  const slow = createFakePasswordHash(world);
  const attempts = createLoginAttempts(world);
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const logins = createLogins({ world, store, streams });
  const passwords = createPasswords({ world, store, attempts, logins, hash: slow });
  const check = async (person: string, password: string, peer = "10.0.0.1") =>
    (await passwords.check({ person, password, peer }))?.agent;
  await passwords.set(ana, PASSWORD);
  return { world, store, read, ana, ben, bot, slow, attempts, logins, passwords, check };
};

test("a person is identified by handle, by id and with an @, and only with the right password", async () => {
  const { check, ana } = await setUp();
  for (const name of ["ana", "Ana", "@ana", ana]) expect([name, await check(name, PASSWORD)]).toEqual([name, ana]);
  for (const wrong of ["", PASSWORD.slice(1), `${PASSWORD} `, PASSWORD.toUpperCase()])
    expect([wrong, await check("ana", wrong)]).toEqual([wrong, undefined]);
});

test("the same characters from another keyboard are the same password", async () => {
  const { passwords, check, ana } = await setUp();
  await passwords.set(ana, "caf\u00e9 au lait");
  expect(await check("ana", "cafe\u0301 au lait")).toBe(ana);
});

test("no password is stored as text", async () => {
  const { store, ana } = await setUp();
  const rows = await store.select({ table: "passwords" });
  expect(rows).toMatchObject([{ agent: ana }]);
  expect(JSON.stringify(rows)).not.toContain("horse");
});

test("an unknown name, a bot, a person without a password and a wrong password take the same work", async () => {
  const { world, check, slow, read } = await setUp();
  const seen: unknown[] = [];
  for (const [person, password] of [
    ["ana", "wrong password"],
    ["nobody", "wrong password"],
    ["agent_00000000000000000000000099", "wrong password"],
    ["bot", "wrong password"],
    ["ben", "wrong password"],
    ["ben", ""],
    ["ana", PASSWORD],
  ] as const) {
    const before = slow.verificationCount();
    read.splice(0);
    const found = await check(person, password);
    if (password !== PASSWORD) expect([person, found]).toEqual([person, undefined]);
    seen.push([slow.verificationCount() - before, [...read]]);
    await world.advance(GUESSES_OF_PEER.everyMs);
  }
  expect(seen).toEqual(Array(seen.length).fill([1, ["records", "passwords"]]));
});

test("known and unknown people have the same limit of attempts", async () => {
  const refusedAt = async (person: string): Promise<number> => {
    const { check } = await setUp();
    for (let count = 1; ; count += 1) {
      const refused = await check(person, "wrong password", `10.0.0.${count}`).catch(() => "limited");
      if (refused === "limited") return count;
    }
  };
  expect(await refusedAt("ana")).toBe(await refusedAt("nobody"));
  expect(await refusedAt("ana")).toBeLessThan(50);
});

test("after too many wrong passwords the right one is not checked either", async () => {
  const { world, check, slow, ana } = await setUp();
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) await check("ana", "wrong password");
  const before = slow.verificationCount();
  await expect(check("ana", PASSWORD)).rejects.toMatchObject({ code: "auth.limited" });
  expect(slow.verificationCount()).toBe(before);
  expect(await check("ana", PASSWORD, "10.0.0.2")).toBe(ana);
  await world.advance(GUESSES_OF_PEER.everyMs);
  expect(await check("ana", PASSWORD)).toBe(ana);
});

test("guesses at a person's handle and id count for one person", async () => {
  const { check, ana } = await setUp();
  for (let count = 0; count < 10; count += 1) {
    await check("ana", "wrong password", `10.1.0.${count}`);
    await check(ana, "wrong password", `10.2.0.${count}`);
  }
  await expect(check("@ANA", "wrong password", "10.3.0.1")).rejects.toMatchObject({ code: "auth.limited" });
});

test("a right password uses up no attempt", async () => {
  const { check, ana } = await setUp();
  for (let count = 0; count < 50; count += 1) expect(await check("ana", PASSWORD)).toBe(ana);
});

test("few checks run at once; beyond the queue, requests are refused without using up an attempt", async () => {
  const { check, slow, ana } = await setUp();
  // The queue is full for these: each is refused, and afterwards the person still has all attempts.
  const crowd = Array.from({ length: MAX_CONCURRENT + MAX_QUEUED }, (_, index) =>
    check(`person ${index}`, "wrong password", `10.1.${index}.1`),
  );
  const own = Array.from({ length: 2 * GUESSES_OF_PEER.burst }, () =>
    check("ana", PASSWORD).catch((error) => error.code),
  );
  await Promise.all(crowd);
  expect(slow.maxConcurrent()).toBe(MAX_CONCURRENT);
  expect(new Set(await Promise.all(own))).toEqual(new Set(["auth.limited"]));
  for (let count = 1; count < GUESSES_OF_PEER.burst; count += 1) await check("ana", "wrong password");
  expect(await check("ana", PASSWORD)).toBe(ana);
});

test("setting a password ends the person's other sessions, and returns their number", async () => {
  const { logins, passwords, ana, ben } = await setUp();
  const [here, there, bens] = [
    await logins.begin(ana, { about: "" }),
    await logins.begin(ana, { about: "" }),
    await logins.begin(ben, { about: "" }),
  ];
  expect(await passwords.set(ana, "another password", here?.id)).toBe(1);
  expect(await logins.authenticate(here?.cookie ?? "")).toBeDefined();
  expect(await logins.authenticate(there?.cookie ?? "")).toBeUndefined();
  expect(await logins.authenticate(bens?.cookie ?? "")).toBeDefined();
});

test("a login with the old password during a change gets no session", async () => {
  const { logins, passwords, ana } = await setUp();
  const proved = await passwords.check({ person: "ana", password: PASSWORD, peer: undefined });
  await passwords.set(ana, "another password");
  expect(await logins.begin(ana, { about: "" }, { sameCommit: { guards: proved?.guards ?? [] } })).toBeUndefined();
  const anew = await passwords.check({ person: "ana", password: "another password", peer: undefined });
  expect(await logins.begin(ana, { about: "" }, { sameCommit: { guards: anew?.guards ?? [] } })).toBeDefined();
});

test("bots and unknown people get no password", async () => {
  const { world, store, passwords, bot, ben } = await setUp();
  await expect(passwords.set(bot, PASSWORD)).rejects.toMatchObject({ code: "auth.password" });
  await expect(passwords.set(world.ids.fresh("agent"), PASSWORD)).rejects.toMatchObject({ code: "record.not-found" });
  expect([await passwords.has(bot), await passwords.has(ben)]).toEqual([false, false]);
  expect(await store.select({ table: "passwords" })).toHaveLength(1);
});

test("a person who is removed while their password is set has none", async () => {
  const { store, passwords, ben } = await setUp();
  const [set] = await Promise.allSettled([
    passwords.set(ben, PASSWORD),
    store.commit({ writes: [{ kind: "delete", table: "records", where: { id: ben } }] }),
  ]);
  expect(set).toMatchObject({ status: "rejected", reason: { code: "record.not-found" } });
  expect(await passwords.has(ben)).toBe(false);
});

test("a removed person cannot log in", async () => {
  const { store, check, ana } = await setUp();
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: ana } }] });
  expect(await check("ana", PASSWORD)).toBeUndefined();
});

test("setting and checking passwords share a queue with a limit for memory", async () => {
  const { world, store, attempts, logins, ana } = await setUp();
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const work = async <Value>(value: Value): Promise<Value> => {
    running += 1;
    most = Math.max(most, running);
    await release.promise;
    running -= 1;
    return value;
  };
  const slow = { decoy: "", hash: () => work("hash"), verify: () => work(false) };
  const passwords = createPasswords({ world, store, attempts, logins, hash: slow });
  const asked = [
    ...Array.from({ length: MAX_CONCURRENT + 2 }, () => passwords.set(ana, PASSWORD)),
    passwords.check({ person: "ana", password: PASSWORD, peer: undefined }),
  ];
  while (running < MAX_CONCURRENT) await Promise.resolve();
  release.resolve();
  await Promise.all(asked);
  expect(most).toBe(MAX_CONCURRENT);
});
