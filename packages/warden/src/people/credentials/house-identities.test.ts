/** Accounts of sign-on providers: how they are linked, unlinked, and become people. */
import { expect, test } from "bun:test";
import type { AgentId, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createIdentity } from "../../fixtures/identity.ts";
import { plainRow } from "../../fixtures/rows.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { foundHouse } from "../records/found-house.ts";
import { type Account, createIdentities, MAX_IDENTITIES } from "./house-identities.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const accountOf = (subject: string, more: Partial<Account> = {}): Account => ({
  provider: "acme",
  issuer: "https://id.example",
  subject,
  ...more,
});

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  await foundHouse({ world, store, streams, timezone: () => "UTC" });
  const { records, permissions } = createIdentity({ world, store, streams });
  const owner = await records.get("agent", "owner");
  const addPerson = async (name: string): Promise<AgentId> => {
    const content = { name, kind: "human" } as const;
    return (await records.mutate({ kind: "create", type: "agent", content }, owner.id)).id as AgentId;
  };
  const { house } = owner;
  const identities = createIdentities({ world, store, streams, records, permissions, house, owner: owner.id });
  /** The changes of accounts in the person's log. */
  const changes = async (agent: AgentId) =>
    (await streams.read(`agent:${agent}`, 0, 1000)).flatMap((event) =>
      event.type === "identity-changed" ? [[event.change, event.provider, event.by]] : [],
    );
  return { world, store, records, permissions, identities, owner: owner.id, house, addPerson, changes };
};

test("the list has the newest account first, with the last login, and only the person's accounts", async () => {
  const { world, identities, owner, addPerson } = await open();
  const ada = await addPerson("Ada");
  const first = await identities.link(ada, accountOf("1", { account: "ada\u202e@example.org" }), []);
  await world.advance(1);
  const second = await identities.link(ada, accountOf("2"), []);
  await identities.link(owner, accountOf("3"), []);
  expect(await identities.list(ada)).toEqual([second, first]);
  expect(first).toMatchObject({ provider: "acme", issuer: "https://id.example", account: "ada@example.org" });
  expect(second).not.toHaveProperty("account");
  expect(first).not.toHaveProperty("usedAt");
  const { agent, by, proves, sameCommit } = await identities.logIn(accountOf("1"));
  expect([agent, by, proves, sameCommit.guards?.length]).toEqual([ada, "sso", false, 1]);
});

test("a login is recorded as the last use of its account", async () => {
  const { world, store, identities, addPerson } = await open();
  const ada = await addPerson("Ada");
  const { id } = await identities.link(ada, accountOf("1"), []);
  await world.advance(5);
  const { sameCommit } = await identities.logIn(accountOf("1"));
  await store.commit({ ...sameCommit, writes: sameCommit.writes ?? [] });
  expect(await identities.list(ada)).toMatchObject([{ id, usedAt: world.clock.now() }]);
});

test("a person has a limited number of accounts", async () => {
  const { identities, addPerson } = await open();
  const ada = await addPerson("Ada");
  for (let index = 0; index < MAX_IDENTITIES; index += 1) await identities.link(ada, accountOf(`${index}`), []);
  await expect(identities.link(ada, accountOf("more"), [])).rejects.toMatchObject({
    code: "auth.sso",
    message: "You have 20 linked accounts, which is the limit.",
    hint: "Unlink one that you do not use.",
  });
  expect(await identities.list(ada)).toHaveLength(20);
  expect(await identities.isLinked(accountOf("more"))).toBe(false);
});

test("an account belongs to one person, and only its issuer and subject together name it", async () => {
  const { identities, owner, addPerson, changes } = await open();
  const ada = await addPerson("Ada");
  await identities.link(ada, accountOf("1"), []);
  await expect(identities.link(owner, accountOf("1", { provider: "other" }), [])).rejects.toMatchObject({
    code: "auth.sso",
    hint: "See the linked accounts under Settings → Account.",
  });
  for (const other of [accountOf("2"), accountOf("1", { issuer: "https://other.example" })]) {
    expect(await identities.isLinked(other)).toBe(false);
    await expect(identities.logIn(other)).rejects.toMatchObject({
      code: "auth.sso",
      message: "No person of this house is linked to this account.",
    });
  }
  expect(await identities.isLinked(accountOf("1"))).toBe(true);
  expect([await changes(ada), await changes(owner)]).toEqual([[["linked", "acme", ada]], []]);
});

test("a link fails with its guards, and for a person that was removed", async () => {
  const { identities, records, owner, addPerson } = await open();
  const ada = await addPerson("Ada");
  const gone = { kind: "exists", table: "logins", where: { id: "none" } } as const;
  await expect(identities.link(ada, accountOf("1"), [gone as never])).rejects.toMatchObject({ code: "auth.sso" });
  await records.mutate({ kind: "remove", id: ada }, owner);
  await expect(identities.link(ada, accountOf("1"), [])).rejects.toMatchObject({ code: "auth.sso" });
  expect(await identities.isLinked(accountOf("1"))).toBe(false);
});

test("a person keeps one way to log in, and an administrator can remove it", async () => {
  const { identities, owner, addPerson, changes } = await open();
  const ada = await addPerson("Ada");
  const one = await identities.link(ada, accountOf("1"), []);
  await expect(identities.unlink(ada, one.id, ada)).rejects.toMatchObject({
    code: "auth.sso",
    message: "This account is your only way to log in.",
    hint: "First set a password or add a passkey.",
  });
  const two = await identities.link(ada, accountOf("2"), []);
  expect(await identities.unlink(ada, one.id, ada)).toEqual(one);
  expect(await identities.unlink(ada, one.id, ada)).toBeUndefined();
  expect(await identities.unlink(owner, two.id, owner)).toBeUndefined();
  expect(await identities.unlink(ada, two.id, owner)).toEqual(two);
  expect(await identities.list(ada)).toEqual([]);
  expect((await changes(ada)).slice(2)).toEqual([
    ["unlinked", "acme", ada],
    ["unlinked", "acme", owner],
  ]);
});

test.each(["passwords", "passkeys"] as const)("with one of the %s, the last account can be unlinked", async (table) => {
  const { store, identities, addPerson } = await open();
  const ada = await addPerson("Ada");
  const { id } = await identities.link(ada, accountOf("1"), []);
  const row =
    table === "passwords"
      ? plainRow("passwords", { agent: ada, hash: "h", at: 0 })
      : plainRow("passkeys", {
          ...{ id: "key", agent: ada, name: "Key", public_key: "p", algorithm: -7, counter: 0 },
          ...{ created_at: 0, used_at: null },
        } as never);
  await store.commit({ writes: [{ kind: "insert", table, row } as never] });
  expect((await identities.unlink(ada, id, ada))?.id).toBe(id);
});

test("an account of a new person creates one with the level on the house or in rooms, under a free name", async () => {
  const { identities, records, permissions, house, owner, addPerson, changes } = await open();
  await addPerson("Ada");
  const room = (await records.mutate({ kind: "create", type: "room", content: { name: "Den" } }, owner)).id as RoomId;
  await identities.create(accountOf("1", { name: "Ada" }), { level: "r", rooms: [] });
  await identities.create(accountOf("2", { name: "\u202e" }), { level: "w", rooms: ["den"] });
  await identities.create(accountOf("3"), { level: "w", rooms: [] });
  const [second, guest] = [await records.get("agent", "ada-2"), await records.get("agent", "guest")];
  expect([second.content.name, guest.content.name, (await records.get("agent", "guest-2")).content.name]).toEqual([
    "Ada 2",
    "Guest",
    "Guest 2",
  ]);
  expect((await identities.logIn(accountOf("1"))).agent).toBe(second.id);
  expect(await changes(second.id)).toEqual([["linked", "acme", second.id]]);
  expect(await permissions.levelOf({ agent: second.id }, house)).toBe("r");
  expect(await permissions.levelOf({ agent: guest.id }, room)).toBe("w");
  expect(await permissions.levelOf({ agent: guest.id }, house)).toBeUndefined();
  await identities.create(accountOf("1", { name: "Ada" }), { level: "x", rooms: [] });
  expect(await permissions.levelOf({ agent: second.id }, house)).toBe("r");
  await expect(identities.create(accountOf("4"), { level: "r", rooms: ["attic"] })).rejects.toMatchObject({
    code: "record.not-found",
  });
});

test("no fifty-first member of the same name is created for an account", async () => {
  const { identities } = await open();
  for (let index = 1; index <= 50; index += 1)
    await identities.create(accountOf(`${index}`, { name: "Eve" }), { level: "r", rooms: [] });
  await expect(identities.create(accountOf("51", { name: "Eve" }), { level: "r", rooms: [] })).rejects.toMatchObject({
    code: "record.handle-taken",
    message: '50 members of the house are already called "Eve".',
    hint: "Ask an administrator of the house for an invite link.",
  });
});

test("the level of a provider applies, but the last administrator keeps x, and the log says so", async () => {
  const { identities, permissions, house, owner, addPerson, changes } = await open();
  const ada = await addPerson("Ada");
  await identities.setLevel(ada, "acme", "r");
  expect([await permissions.levelOf({ agent: ada }, house), await changes(ada)]).toEqual(["r", []]);
  await identities.setLevel(owner, "acme", "w");
  expect(await permissions.levelOf({ agent: owner }, house)).toBe("x");
  expect(await changes(owner)).toEqual([["kept-last-admin", "acme", owner]]);
});
