import { describe, expect, test } from "bun:test";
import { type AgentId, type AgentRecord, type HearthError, isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { type Authenticator, createAuthenticator, type FalseAnswer } from "@hearth/testing/passkeys";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../../http/fakes/fake-house.ts";
import { CHALLENGE_MS, MAX_PASSKEYS } from "./house-passkeys.ts";
import { CHALLENGES_OF_PEER, GUESSES_AT_PERSON, GUESSES_OF_PEER } from "./login-attempts.ts";

const { hash } = createBunWorld();
const ORIGIN = "https://house.example";
const EVIL = "https://house.example.evil";

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: HearthError) => (isHearthError(error) ? error.code : String(error)),
  );

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { passkeys, logins, records } = house.options.people;
  const { owner, store } = house;
  const content = { name: "Ana", kind: "human" } as const;
  const { id } = await records.mutate({ kind: "create", type: "agent", content, level: "w" }, owner.id);
  const ana = (await records.find("agent", id as AgentId)) as AgentRecord;
  const add = async (person: AgentRecord, device: Authenticator, lie: FalseAnswer = {}) => {
    const challenge = await passkeys.begin(person, ORIGIN);
    const passkey = device.create(challenge, lie);
    return passkeys.add(person, { ticket: challenge.ticket, name: "Phone", passkey }, ORIGIN);
  };
  const enroll = async (person = owner) => {
    const device = createAuthenticator(ORIGIN);
    await add(person, device);
    return device;
  };
  const challenge = (origin = ORIGIN, peer = "p") => passkeys.challenge({ origin, peer });
  const answer = async (
    asked: Awaited<ReturnType<typeof challenge>>,
    passkey: ReturnType<Authenticator["get"]>,
    { origin = ORIGIN, peer = "p" } = {},
  ) => {
    const { agent, ...how } = await passkeys.answer({ ticket: asked.ticket, passkey }, { origin, peer });
    return logins.begin(agent, { about: "" }, how);
  };
  const logIn = async (device: Authenticator, lie: FalseAnswer = {}, peer = "p") => {
    const asked = await challenge();
    return answer(asked, device.get(asked, lie), { peer });
  };
  const changes = async (person = owner) =>
    (await store.select({ table: "events", where: { stream: `agent:${person.id}` } }))
      .map(({ body }) => JSON.parse(body ?? "{}"))
      .filter(({ type }) => type === "passkey-changed")
      .map(({ change }) => change);
  return { world, house, store, owner, ana, passkeys, logins, add, enroll, challenge, answer, logIn, changes };
};

describe("a passkey", () => {
  test("logs its person in, as fresh proof, and its last use is shown", async () => {
    const { world, owner, passkeys, logins, enroll, logIn } = await setUp();
    const device = await enroll();
    expect(await passkeys.list(owner.id)).toEqual([
      { id: device.id, name: "Phone", host: "house.example", createdAt: world.clock.now() },
    ]);
    await world.advance(1_000);
    const session = await logIn(device);
    expect(session).toMatchObject({ agent: owner.id, method: "passkey" });
    expect(session !== undefined && logins.isProof(session.id)).toBe(true);
    expect(session !== undefined && (await logins.isConfirmed(owner.id, session.id))).toBe(true);
    expect((await passkeys.list(owner.id))[0]?.usedAt).toBe(world.clock.now());
    expect(await logIn(device)).toBeDefined();
  });

  test("without a signature counter logs in again and again", async () => {
    const { enroll, logIn } = await setUp();
    const device = await enroll();
    for (let index = 0; index < 3; index += 1) expect(await logIn(device, { counter: 0 })).toBeDefined();
  });

  test("is renamed and removed by its person only, and then opens nothing", async () => {
    const { owner, ana, passkeys, enroll, logIn, changes } = await setUp();
    const device = await enroll();
    expect(await passkeys.rename(ana.id, device.id, "Mine")).toBeUndefined();
    expect(await passkeys.remove(ana.id, device.id, ana.id)).toBeUndefined();
    expect(await passkeys.rename(owner.id, device.id, "Key")).toMatchObject({ name: "Key" });
    expect(await passkeys.remove(owner.id, device.id, owner.id)).toMatchObject({ name: "Key" });
    expect(await passkeys.remove(owner.id, device.id, owner.id)).toBeUndefined();
    expect(await codeOf(logIn(device))).toBe("auth.invalid");
    expect(await changes()).toEqual(["added", "renamed", "removed"]);
  });

  test("that is removed while it logs in begins no session", async () => {
    const { owner, passkeys, logins, enroll, challenge } = await setUp();
    const device = await enroll();
    const asked = await challenge();
    const from = { origin: ORIGIN, peer: "p" };
    const { agent, ...how } = await passkeys.answer({ ticket: asked.ticket, passkey: device.get(asked) }, from);
    await passkeys.remove(owner.id, device.id, owner.id);
    expect(await logins.begin(agent, { about: "" }, how)).toBeUndefined();
  });

  test("is removed with its person", async () => {
    const { store, owner, ana, house, enroll } = await setUp();
    await enroll(ana);
    await house.options.people.records.mutate({ kind: "remove", id: ana.id }, owner.id);
    expect(await store.select({ table: "passkeys" })).toEqual([]);
  });

  test("is not added twice, late, unverified, at an IP address, or beyond the limit", async () => {
    const { world, owner, ana, store, passkeys, add, enroll } = await setUp();
    const device = await enroll();
    expect(await codeOf(add(ana, device))).toBe("auth.passkey");
    const other = createAuthenticator(ORIGIN);
    expect(await codeOf(add(owner, other, { isVerified: false }))).toBe("auth.passkey");
    for (const origin of ["http://127.0.0.1:18789", "http://[::1]:18789"])
      expect(await codeOf(passkeys.begin(owner, origin))).toBe("auth.passkey");
    const late = await passkeys.begin(owner, ORIGIN);
    await world.advance(CHALLENGE_MS);
    const answer = { ticket: late.ticket, name: "Late", passkey: other.create(late) };
    expect(await codeOf(passkeys.add(owner, answer, ORIGIN))).toBe("auth.passkey");
    for (let index = 1; index < MAX_PASSKEYS; index += 1) await enroll();
    expect(await codeOf(enroll())).toBe("auth.passkey");
    expect(await store.select({ table: "passkeys" })).toHaveLength(MAX_PASSKEYS);
  });
});

describe("a challenge", () => {
  test("A30: works once and for five minutes, and one for a registration opens no session", async () => {
    const { world, owner, passkeys, enroll, challenge, answer } = await setUp();
    const device = await enroll();
    const asked = await challenge();
    const passkey = device.get(asked);
    expect(await answer(asked, passkey)).toBeDefined();
    expect(await codeOf(answer(asked, passkey))).toBe("auth.invalid");
    // An answer for another challenge is refused, and uses the ticket up.
    const next = await challenge();
    expect(await codeOf(answer(next, passkey))).toBe("auth.invalid");
    expect(await codeOf(answer(next, device.get(next)))).toBe("auth.invalid");
    const late = await challenge();
    await world.advance(CHALLENGE_MS);
    expect(await codeOf(answer(late, device.get(late)))).toBe("auth.invalid");
    const registration = await passkeys.begin(owner, ORIGIN);
    expect(await codeOf(answer(registration, device.get(registration)))).toBe("auth.invalid");
  });

  test("A31: signed for a page of another address is refused, also if that page passes it on", async () => {
    const { owner, add, enroll, challenge, answer, logIn } = await setUp();
    const device = await enroll();
    expect(await codeOf(logIn(device, { origin: EVIL }))).toBe("auth.invalid");
    const asked = await challenge(EVIL);
    expect(await codeOf(answer(asked, device.get(asked), { origin: ORIGIN }))).toBe("auth.invalid");
    expect(await codeOf(add(owner, createAuthenticator(ORIGIN), { origin: EVIL }))).toBe("auth.passkey");
    expect(await logIn(device)).toBeDefined();
  });

  test("A32: signed for another relying party is refused, and a passkey of a former address too", async () => {
    const { owner, add, enroll, challenge, answer, logIn } = await setUp();
    const device = await enroll();
    expect(await codeOf(logIn(device, { rpId: "evil.example" }))).toBe("auth.invalid");
    expect(await codeOf(add(owner, createAuthenticator(ORIGIN), { rpId: "evil.example" }))).toBe("auth.passkey");
    const origin = "https://new.example";
    const asked = await challenge(origin);
    const passkey = device.get(asked, { origin, rpId: "new.example" });
    expect(await codeOf(answer(asked, passkey, { origin }))).toBe("auth.invalid");
  });

  test("A33: another person's credential id, key or user handle opens no session of theirs", async () => {
    const { ana, owner, enroll, challenge, answer, logIn } = await setUp();
    const [hers, his] = [await enroll(ana), await enroll(owner)];
    const asked = await challenge();
    const passkey = hers.get(asked);
    expect(await codeOf(answer(asked, { ...passkey, id: his.id, rawId: his.id }))).toBe("auth.invalid");
    const userHandle = Buffer.from(owner.id).toString("base64url");
    expect(await codeOf(logIn(hers, { userHandle }))).toBe("auth.invalid");
    expect(await logIn(hers)).toMatchObject({ agent: ana.id });
  });

  test("A34: a signature counter that went back is refused and reported to the person, and one that is too high is not", async () => {
    const { enroll, logIn, changes } = await setUp();
    const device = await enroll();
    expect(await logIn(device, { counter: 7 })).toBeDefined();
    for (const counter of [7, 6, 0]) expect(await codeOf(logIn(device, { counter }))).toBe("auth.invalid");
    expect(await changes()).toEqual(["added", "refused-copy", "refused-copy", "refused-copy"]);
    expect(await logIn(device, { counter: 8 })).toBeDefined();
  });

  test("A34: of two logins with one counter at the same instant one begins", async () => {
    const { enroll, challenge, answer } = await setUp();
    const device = await enroll();
    const asked = [await challenge(), await challenge()];
    const answers = asked.map((challenge) =>
      answer(challenge, device.get(challenge, { counter: 5 })).catch(() => undefined),
    );
    expect((await Promise.all(answers)).filter((session) => session !== undefined)).toHaveLength(1);
  });

  test("signed without the verification of its person is refused", async () => {
    const { enroll, logIn } = await setUp();
    expect(await codeOf(logIn(await enroll(), { isVerified: false }))).toBe("auth.invalid");
  });

  test("A23: wrong answers are limited per address and per person, and challenges per address", async () => {
    const { enroll, challenge, logIn } = await setUp();
    const device = await enroll();
    const wrong = (peer: string) => codeOf(logIn(device, { rpId: "evil.example" }, peer));
    for (let index = 0; index < GUESSES_OF_PEER.burst; index += 1)
      expect(await wrong("203.0.113.1")).toBe("auth.invalid");
    expect(await wrong("203.0.113.1")).toBe("auth.limited");
    for (let index = GUESSES_OF_PEER.burst; index < GUESSES_AT_PERSON.burst; index += 1)
      expect(await wrong(`203.0.114.${index}`)).toBe("auth.invalid");
    expect(await wrong("203.0.115.1")).toBe("auth.limited");
    const ask = () => codeOf(challenge(ORIGIN, "198.51.100.1"));
    for (let index = 0; index < CHALLENGES_OF_PEER.burst; index += 1) expect(await ask()).toBe("done");
    expect(await ask()).toBe("auth.limited");
  });
});
