import { describe, expect, test } from "bun:test";
import { type AcceptInvite, type AgentId, type CreateInvite, type HearthError, isHearthError } from "@hearth/protocol";
import { doneOrDead } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createCrashingStore } from "../../fixtures/crashing-store.ts";
import { createFakeHouse, type FakeHouse } from "../../http/fakes/fake-house.ts";
import { createGrantBook } from "../permissions/grant-book.ts";
import { createFakePasswordHash } from "../credentials/fake-password-hash.ts";
import { createLoginAttempts } from "../credentials/login-attempts.ts";
import { createLogins } from "../credentials/house-logins.ts";
import { createPasswords } from "../credentials/house-passwords.ts";
import { createRecords } from "../records/house-records.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import type { Store } from "../../kernel/store/store.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createInvites } from "./house-invites.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";
const DAY_MS = 24 * 60 * 60_000;

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "it did",
    (error: HearthError) => (isHearthError(error) ? error.code : String(error)),
  );

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { invites, permissions, records, logins, passwords } = house.options.people;
  const owner = house.owner.id;
  const create = (asked: Partial<CreateInvite> = {}, by: AgentId = owner) =>
    invites.create(house.house, { level: "w", ...asked }, by);
  const accept = (token: string, asked: Partial<AcceptInvite> = {}) =>
    invites.accept({ token, name: "Ada", password: PASSWORD, ...asked }, { about: "Browser/1.0" });
  const counts = () => countAll(house.store);
  return { world, house, invites, permissions, records, logins, passwords, owner, create, accept, counts };
};

/** Counts the rows that an accepted invite creates. */
const countAll = async (store: Store): Promise<readonly number[]> => {
  const tables = ["records", "grants", "passwords", "logins"] as const;
  return Promise.all(tables.map(async (table) => (await store.select({ table })).length));
};

describe("an accepted invite", () => {
  test("creates a person with a password, a session and the level on the house", async () => {
    const { house, permissions, passwords, logins, create, accept, invites } = await setUp();
    const { token, id } = await create({ note: "for Ada" });
    const { session, handle, room } = await accept(token);
    expect([handle, room]).toEqual(["ada", undefined]);
    expect(await logins.authenticate(session.cookie)).toMatchObject({ agent: session.agent, session: session.id });
    expect(await passwords.check({ person: "ada", password: PASSWORD, peer: "p" })).toMatchObject({
      agent: session.agent,
    });
    expect(await permissions.levelOf({ agent: session.agent }, house.house)).toBe("w");
    expect(await invites.list(house.house)).toMatchObject([
      { id, state: "used", usedBy: session.agent, note: "for Ada", by: house.owner.id },
    ]);
  });

  test("gives the rights beside the level, which the list and the preview show", async () => {
    const { house, permissions, create, accept, invites } = await setUp();
    const { token } = await create({ level: "r", rights: ["audit", "secrets", "audit"] });
    const shown = { level: "r", rights: ["secrets", "audit"] };
    expect(await invites.preview(token)).toMatchObject(shown);
    expect(await invites.list(house.house)).toMatchObject([shown]);
    const { session } = await accept(token);
    const permission = (await permissions.levelsOf({ agent: session.agent })).find(({ on }) => on === house.house);
    expect(permission).toEqual({ on: house.house, level: "r", rights: ["secrets", "audit"] });
    const admin = await create({ level: "x", rights: ["audit"] });
    expect(await invites.preview(admin.token)).not.toHaveProperty("rights");
    const inRoom = create({ level: "r", rooms: [house.room.id], rights: ["audit"] });
    expect(await inRoom.catch(({ code }: { code: string }) => code)).toBe("request.invalid");
  });

  test("for rooms gives the level there, also in a room with members, and none elsewhere", async () => {
    const { house, permissions, records, owner, create, accept } = await setUp();
    const content = { name: "Study", members: [owner] };
    const study = await records.mutate({ kind: "create", type: "room", content }, owner);
    if (study.type !== "room") throw new Error("made otherwise");
    const { token } = await create({ level: "r", rooms: [study.id] });
    const { session, room } = await accept(token);
    expect(room?.handle).toBe("study");
    const holder = { agent: session.agent };
    expect(await permissions.levelOf(holder, study.id)).toBe("r");
    expect(await permissions.levelOf(holder, house.room.id)).toBeUndefined();
    expect(await permissions.levelOf(holder, house.house)).toBeUndefined();
  });

  test("A17: works once, also when two guests use it at the same time", async () => {
    const { create, accept, counts } = await setUp();
    const before = await counts();
    const { token } = await create();
    const answers = await Promise.all([
      codeOf(accept(token, { name: "Ada" })),
      codeOf(accept(token, { name: "Bea" })),
      codeOf(accept(token, { name: "Cleo" })),
    ]);
    expect(answers.toSorted()).toEqual(["auth.link", "auth.link", "it did"]);
    expect(await counts()).toEqual(before.map((count) => count + 1));
    expect(await codeOf(accept(token, { name: "Dora" }))).toBe("auth.link");
  });
});

describe("an invite that cannot be used", () => {
  test("A17: has expired, was revoked, or names a removed room", async () => {
    const { world, house, invites, records, owner, create, accept, counts } = await setUp();
    const expiring = await create({ expiresAt: world.clock.now() + DAY_MS });
    const revoked = await create();
    expect(await invites.revoke(house.house, revoked.id)).toMatchObject({ state: "revoked" });
    const den = await records.mutate({ kind: "create", type: "room", content: { name: "Den" } }, owner);
    if (den.type !== "room") throw new Error("made otherwise");
    const roomless = await create({ rooms: [house.room.id, den.id] });
    await records.mutate({ kind: "remove", id: den.id }, owner);
    const before = await counts();
    await world.advance(DAY_MS - 1);
    expect((await invites.preview(expiring.token)).house).toBe("Home");
    await world.advance(1);
    for (const { token } of [expiring, revoked, roomless, { token: "unknown" }]) {
      expect(await codeOf(invites.preview(token))).toBe("auth.link");
      expect(await codeOf(accept(token))).toBe("auth.link");
    }
    expect(await counts()).toEqual(before);
    expect((await invites.list(house.house)).map(({ state }) => state).toSorted()).toEqual([
      "expired",
      "open",
      "revoked",
    ]);
  });

  test("A17: was created by a person who no longer administers the house", async () => {
    const { house, invites, permissions, records, owner, create, accept } = await setUp();
    const bea = (
      await records.mutate({ kind: "create", type: "agent", content: { name: "Bea", kind: "human" } }, owner)
    ).id as AgentId;
    await permissions.grant({ agent: bea, on: house.house, level: "x" }, { agent: owner });
    const [first, second] = [await create({}, bea), await create({}, bea)];
    expect(await codeOf(accept(first.token))).toBe("it did");
    await permissions.grant({ agent: bea, on: house.house, level: "w" }, { agent: owner });
    expect(await codeOf(invites.preview(second.token))).toBe("auth.link");
    expect(await codeOf(accept(second.token, { name: "Cleo" }))).toBe("auth.link");
  });

  test("loses its right or a room in the moment of its use, and creates nothing", async () => {
    const { house, permissions, passwords, records, owner, create, invites } = await setUp();
    const bea = (
      await records.mutate({ kind: "create", type: "agent", content: { name: "Bea", kind: "human" } }, owner)
    ).id as AgentId;
    await permissions.grant({ agent: bea, on: house.house, level: "x" }, { agent: owner });
    const endings = [
      async () => {
        await invites.revoke(house.house, target.id);
      },
      async () => {
        await permissions.revoke({ agent: bea, on: house.house }, { agent: owner });
      },
      async () => {
        await records.mutate({ kind: "remove", id: house.room.id }, owner);
      },
    ];
    let target = await create({ rooms: [house.room.id] }, bea);
    const { prepare } = passwords;
    for (const end of endings) {
      await permissions.grant({ agent: bea, on: house.house, level: "x" }, { agent: owner });
      target = await create({ rooms: [house.room.id] }, bea);
      // After the checks and before the commit, the guest's password is hashed.
      Object.assign(passwords, {
        async prepare(password: string) {
          await end();
          return prepare(password);
        },
      });
      const asked = { token: target.token, name: "Ada", password: PASSWORD };
      expect(await codeOf(invites.accept(asked, { about: "" }))).toBe("auth.link");
      Object.assign(passwords, { prepare });
      expect(await records.find("agent", "ada")).toBeUndefined();
    }
  });
});

test("a taken or unfit name leaves the link open, and no password is hashed", async () => {
  const { passwords, create, accept, counts } = await setUp();
  const { token } = await create();
  const before = await counts();
  let hashed = 0;
  const { prepare } = passwords;
  Object.assign(passwords, {
    prepare(password: string) {
      hashed += 1;
      return prepare(password);
    },
  });
  expect(await codeOf(accept(token, { name: "Owner" }))).toBe("record.handle-taken");
  expect(await codeOf(accept(token, { name: "\u200B" }))).toBe("record.invalid");
  expect([hashed, await counts()]).toEqual([0, before]);
  expect(await codeOf(accept(token))).toBe("it did");
  expect(hashed).toBe(1);
});

test("A18: the store holds the hash of a token and never the token", async () => {
  const { house, create, accept } = await setUp();
  const [open, used] = [await create(), await create()];
  await accept(used.token);
  const rows = await house.store.select({ table: "invites" });
  expect(rows.map((row) => row.hash).toSorted()).toEqual([open, used].map(({ token }) => hash(token)).toSorted());
  const events = await house.store.select({ table: "events" });
  const stored = JSON.stringify([rows, events, house.lines]);
  for (const { token } of [open, used]) expect(stored).not.toContain(token);
});

test("only people invite, only into group rooms of the house, and for at most 90 days", async () => {
  const { world, house, records, owner, create } = await setUp();
  expect(await codeOf(create({}, house.bot.id))).toBe("auth.denied");
  const direct = await house.options.people.rooms.direct(owner, house.bot.id);
  expect(await codeOf(create({ rooms: [direct.id] }))).toBe("request.invalid");
  const annex = await records.mutate({ kind: "create", type: "house", content: { name: "Annex" } }, owner);
  const hall = await records.mutate(
    { kind: "create", type: "room", house: annex.house, content: { name: "Annex hall" } },
    owner,
  );
  if (hall.type !== "room") throw new Error("made otherwise");
  expect(await codeOf(create({ rooms: [hall.id] }))).toBe("record.not-found");
  const now = world.clock.now();
  expect(await codeOf(create({ expiresAt: now + 90 * DAY_MS }))).toBe("it did");
  for (const expiresAt of [now, now + 90 * DAY_MS + 1])
    expect(await codeOf(create({ expiresAt }))).toBe("request.invalid");
});

test("a used invite stays used, and a revoked one keeps the time of its revocation", async () => {
  const { world, house, invites, create, accept } = await setUp();
  const [used, revoked] = [await create(), await create()];
  await accept(used.token);
  await invites.revoke(house.house, revoked.id);
  const before = await house.store.select({ table: "invites" });
  await world.advance(1);
  expect(await invites.revoke(house.house, used.id)).toMatchObject({ state: "used" });
  expect(await invites.revoke(house.house, revoked.id)).toMatchObject({ state: "revoked" });
  expect(await house.store.select({ table: "invites" })).toEqual([...before]);
});

test("an invite of another house is neither listed nor revoked here", async () => {
  const { house, invites, records, owner, create } = await setUp();
  const annex = await records.mutate({ kind: "create", type: "house", content: { name: "Annex" } }, owner);
  const { id } = await create();
  expect(await invites.list(annex.house)).toEqual([]);
  expect(await codeOf(invites.revoke(annex.house, id))).toBe("record.not-found");
  expect(await invites.list(house.house)).toMatchObject([{ id, state: "open" }]);
});

/** People of a house on this store, in a process of their own. */
const openOn = (store: Store, { options }: FakeHouse) => {
  const { world } = options.kernel;
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const book = createGrantBook(store);
  const records = createRecords({ world, store, streams, book, pinned: () => undefined });
  const logins = createLogins({ world, store, streams });
  const attempts = createLoginAttempts(world);
  const passwords = createPasswords({ world, store, attempts, logins, hash: createFakePasswordHash(world) });
  return createInvites({ world, store, records, passwords, logins });
};

test("a crash at any commit leaves the link open, or used with the whole person", async () => {
  let commits = 1;
  const found = new Set<string>();
  for (let at = 1; at <= commits; at += 1) {
    for (const side of ["before", "after"] as const) {
      const { house, create, counts } = await setUp();
      const { token } = await create();
      const before = await counts();
      const life = createCrashingStore(house.store, { at, side });
      const asked = { token, name: "Ada", password: PASSWORD };
      await doneOrDead(openOn(life.store, house).accept(asked, { about: "" }), life.isDead);
      commits = Math.max(commits, life.commits());
      const added = (await counts()).map((count, index) => count - (before[index] ?? 0));
      const again = await codeOf(openOn(house.store, house).accept(asked, { about: "" }));
      found.add(`${side}: ${added.join(" ")}, then ${again}`);
    }
  }
  expect([...found]).toEqual(["before: 0 0 0 0, then it did", "after: 1 1 1 1, then auth.link"]);
});

test("the list has the newest invite first, also of invites of the same moment, and none of another house", async () => {
  const { world, house, invites, records, owner, create } = await setUp();
  const old = await create();
  await world.advance(1);
  const [first, second] = [await create(), await create()];
  expect((await invites.list(house.house)).map(({ id }) => id)).toEqual([second.id, first.id, old.id]);
  const other = await records.mutate({ kind: "create", type: "house", content: { name: "Den" } }, owner);
  expect(await invites.list(other.id as typeof house.house)).toEqual([]);
});
