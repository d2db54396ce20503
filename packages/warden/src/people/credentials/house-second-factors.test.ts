import { describe, expect, test } from "bun:test";
import { type AgentId, type AgentRecord, type HearthError, isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { TOTP } from "otpauth";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../../http/fakes/fake-house.ts";
import { SETUP_MS, STEP_MS } from "./house-second-factors.ts";
import { CODES_AT_PERSON } from "./login-attempts.ts";
import { RECOVERY_CODES } from "./recovery-codes.ts";
import { MAX_TRIES } from "./second-steps.ts";

const { hash } = createBunWorld();
const PERIOD_MS = 30_000;

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: HearthError) => (isHearthError(error) ? error.code : String(error)),
  );

/** A house whose owner has a second factor, at the beginning of a time step. */
const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { secondFactors, logins } = house.options.people;
  const { owner, store } = house;
  const codeAt = (secret: string, offsetMs = 0) =>
    TOTP.generate({ secret: toSecret(secret), timestamp: world.clock.now() + offsetMs });
  const begin = (person: AgentRecord = owner) => secondFactors.begin(person);
  const turnOn = async () => {
    const { setup, secret } = await begin();
    const recoveryCodes = await secondFactors.confirm(owner, { setup, code: codeAt(secret) }, "p");
    await world.advance(PERIOD_MS);
    return { secret, recoveryCodes, code: (offsetMs = 0) => codeAt(secret, offsetMs) };
  };
  const ask = async (proves = false) => {
    const next = await secondFactors.next({ agent: owner.id, by: "password", proves, sameCommit: {} });
    if (!("ticket" in next)) throw new Error("no code was asked for");
    return next.ticket;
  };
  const answer = async (ticket: string, code: string, peer = "p") => {
    const { agent, ...how } = await secondFactors.answer({ ticket, code }, peer);
    return logins.begin(agent, { about: "" }, how);
  };
  return { world, house, store, owner, logins, secondFactors, codeAt, begin, turnOn, ask, answer };
};

const toSecret = (base32: string) => new TOTP({ secret: base32 }).secret;

describe("a second factor", () => {
  test("is on only after its first code, and logins then need one", async () => {
    const { secondFactors, owner, begin, codeAt, world, ask, answer } = await setUp();
    const { setup, secret, uri } = await begin();
    expect(uri).toContain(`otpauth://totp/Hearth:owner?`);
    expect(uri).toContain(`secret=${secret}`);
    expect(await secondFactors.isOn(owner.id)).toBe(false);
    const wrong = codeAt(secret, 10 * PERIOD_MS);
    expect(await codeOf(secondFactors.confirm(owner, { setup, code: wrong }, "p"))).toBe("auth.code");
    expect(await secondFactors.show(owner.id)).toEqual({ isOn: false, recoveryCodesLeft: 0 });

    const codes = await secondFactors.confirm(owner, { setup, code: codeAt(secret) }, "p");
    expect(codes).toHaveLength(RECOVERY_CODES);
    expect(await secondFactors.show(owner.id)).toEqual({
      isOn: true,
      since: world.clock.now(),
      recoveryCodesLeft: RECOVERY_CODES,
    });
    await world.advance(PERIOD_MS);
    const session = await answer(await ask(), codeAt(secret));
    expect(session).toMatchObject({ agent: owner.id, method: "password-code" });
  });

  test("is set up within 15 minutes, by its own person, and once", async () => {
    const { secondFactors, owner, house, begin, codeAt, world, turnOn } = await setUp();
    const late = await begin();
    await world.advance(SETUP_MS);
    const confirm = (setup: string, secret: string, person = owner) =>
      codeOf(secondFactors.confirm(person, { setup, code: codeAt(secret) }, "p"));
    expect(await confirm(late.setup, late.secret)).toBe("auth.code");
    const one = await begin();
    expect(await confirm(one.setup, one.secret, house.bot)).toBe("auth.code");
    await turnOn();
    expect(await confirm(one.setup, one.secret)).toBe("auth.code");
    expect(await codeOf(begin())).toBe("auth.code");
  });

  test("of two that are confirmed at the same time one is on, and its codes work", async () => {
    const { secondFactors, owner, begin, codeAt, world, ask, answer } = await setUp();
    const made = [await begin(), await begin()];
    const results = await Promise.allSettled(
      made.map(({ setup, secret }) => secondFactors.confirm(owner, { setup, code: codeAt(secret) }, "p")),
    );
    const won = results.findIndex(({ status }) => status === "fulfilled");
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await world.advance(PERIOD_MS);
    expect(await answer(await ask(), codeAt(made[won]?.secret ?? ""))).toBeDefined();
  });

  test("is removed with its recovery codes and its seed, and can be set up again", async () => {
    const { secondFactors, owner, house, store, turnOn } = await setUp();
    await turnOn();
    const { own } = house.options.secrets.vault;
    expect(await own.names(owner.house)).toHaveLength(1);
    expect(await secondFactors.remove(owner, house.owner.id)).toBe(true);
    expect(await secondFactors.remove(owner, house.owner.id)).toBe(false);
    expect([await own.names(owner.house), await store.select({ table: "recovery_codes" })]).toEqual([[], []]);
    await turnOn();
    const events = await store.select({ table: "events", where: { stream: `agent:${owner.id}` } });
    expect(events.map(({ body }) => JSON.parse(body ?? "{}").change)).toEqual(["on", "off", "on"]);
  });

  test("removes seeds without a person when it is turned on", async () => {
    const { house, owner, store, turnOn } = await setUp();
    await turnOn();
    await store.commit({ writes: [{ kind: "delete", table: "second_factors", where: { agent: owner.id } }] });
    const { own } = house.options.secrets.vault;
    const [left] = await own.names(owner.house);
    await turnOn();
    const present = await own.names(owner.house);
    expect(present).toHaveLength(1);
    expect(present).not.toContain(left);
  });

  test("is removed with its person", async () => {
    const { store, owner, turnOn, house } = await setUp();
    await turnOn();
    const { records } = house.options.people;
    const content = { name: "Ada", kind: "human" } as const;
    const { id } = await records.mutate({ kind: "create", type: "agent", content, level: "x" }, owner.id);
    await records.mutate({ kind: "remove", id: owner.id }, id as AgentId);
    expect(await store.select({ table: "second_factors" })).toEqual([]);
    expect(await store.select({ table: "recovery_codes" })).toEqual([]);
  });
});

describe("a code", () => {
  test("A23: works once, also within its time, and no earlier code works after it", async () => {
    const { world, turnOn, ask, answer } = await setUp();
    const { code } = await turnOn();
    const [early, now] = [code(-PERIOD_MS), code()];
    expect(await answer(await ask(), now)).toBeDefined();
    for (const used of [now, early]) expect(await codeOf(answer(await ask(), used))).toBe("auth.code");
    await world.advance(PERIOD_MS);
    expect(await answer(await ask(), code())).toBeDefined();
  });

  test("A23: of two logins with one code at the same instant one begins", async () => {
    const { turnOn, ask, answer } = await setUp();
    const { code, recoveryCodes } = await turnOn();
    for (const typed of [code(), recoveryCodes[0] ?? ""]) {
      const [first, second] = [await ask(), await ask()];
      const sessions = await Promise.all([first, second].map((ticket) => answer(ticket, typed).catch(() => undefined)));
      expect(sessions.filter((session) => session !== undefined)).toHaveLength(1);
    }
  });

  test("A23: a recovery code works once, however it is typed, and new ones replace it", async () => {
    const { secondFactors, owner, turnOn, ask, answer } = await setUp();
    const { recoveryCodes, code } = await turnOn();
    const [first = "", second = ""] = recoveryCodes;
    expect(await answer(await ask(), ` ${first.toUpperCase().replaceAll("-", " ")} `)).toMatchObject({
      method: "password-code",
    });
    expect(await codeOf(answer(await ask(), first))).toBe("auth.code");
    expect((await secondFactors.show(owner.id)).recoveryCodesLeft).toBe(RECOVERY_CODES - 1);
    const renewed = await secondFactors.renew(owner, code(), "p");
    expect(await codeOf(answer(await ask(), second))).toBe("auth.code");
    expect(await answer(await ask(), renewed[0] ?? "")).toBeDefined();
  });

  test("of the previous and the next time step is accepted, and of others is not", async () => {
    const { world, turnOn, ask, answer } = await setUp();
    const { code } = await turnOn();
    await world.advance(10 * PERIOD_MS);
    for (const steps of [-2, 2]) expect(await codeOf(answer(await ask(), code(steps * PERIOD_MS)))).toBe("auth.code");
    for (const steps of [-1, 0, 1]) expect(await answer(await ask(), code(steps * PERIOD_MS))).toBeDefined();
  });

  test("A20: wrong codes are limited per ticket, and per person from any address", async () => {
    const { turnOn, ask, answer } = await setUp();
    const { code } = await turnOn();
    const ticket = await ask();
    for (let index = 0; index < MAX_TRIES; index += 1)
      expect(await codeOf(answer(ticket, "000000", `203.0.113.${index}`))).toBe("auth.code");
    expect(await codeOf(answer(ticket, code(), "203.0.113.99"))).toBe("auth.invalid");
    for (let index = MAX_TRIES; index < CODES_AT_PERSON.burst; index += 1)
      expect(await codeOf(answer(await ask(), "000000", `203.0.113.${index}`))).toBe("auth.code");
    expect(await codeOf(answer(await ask(), code(), "203.0.113.100"))).toBe("auth.limited");
  });

  test("counts no attempt if it is right, or if it cannot be checked because its seed is gone", async () => {
    const { house, turnOn, ask, answer, world } = await setUp();
    const { code, recoveryCodes } = await turnOn();
    for (let count = 0; count <= CODES_AT_PERSON.burst; count += 1) {
      expect(await codeOf(answer(await ask(), code(), `203.0.113.${count}`))).toBe("done");
      await world.advance(PERIOD_MS);
    }
    const { own } = house.options.secrets.vault;
    const seeds = await own.names(house.house);
    for (const name of seeds) await own.remove(house.house, name);
    for (let count = 0; count <= CODES_AT_PERSON.burst; count += 1) {
      expect(await codeOf(answer(await ask(), code(), `203.0.114.${count}`))).toBe("secret.damaged");
    }
    expect(seeds).toHaveLength(1);
    expect(await codeOf(answer(await ask(), recoveryCodes[0] ?? "", "203.0.115.1"))).toBe("done");
  });

  test("A24: a ticket ends after five minutes, and after its login", async () => {
    const { world, turnOn, ask, answer } = await setUp();
    const { code } = await turnOn();
    const [late, used] = [await ask(), await ask()];
    expect(await answer(used, code())).toBeDefined();
    await world.advance(STEP_MS);
    for (const ticket of [late, used, "made up"]) expect(await codeOf(answer(ticket, code()))).toBe("auth.invalid");
  });

  test("A24: a login that began without a second factor stops when one is turned on meanwhile", async () => {
    const { secondFactors, logins, owner, turnOn } = await setUp();
    const next = await secondFactors.next({ agent: owner.id, by: "password", proves: false, sameCommit: {} });
    await turnOn();
    if ("ticket" in next) throw new Error("a code was asked for");
    const { agent, ...how } = next;
    expect(await logins.begin(agent, { about: "" }, how)).toBeUndefined();
  });

  test("A24: of the app is refused while the vault is locked, and a recovery code works", async () => {
    const { house, turnOn, ask, answer } = await setUp();
    const { code, recoveryCodes } = await turnOn();
    (house.options.secrets.vault as unknown as { lock(isLocked: boolean): void }).lock(true);
    expect(await codeOf(answer(await ask(), code()))).toBe("secret.locked");
    expect(await answer(await ask(), recoveryCodes[0] ?? "")).toBeDefined();
  });

  test("A24: of a second factor that was turned off, or replaced, opens nothing", async () => {
    const { secondFactors, owner, world, turnOn, ask, answer } = await setUp();
    const before = await turnOn();
    const ticket = await ask();
    await secondFactors.remove(owner, owner.id);
    expect(await codeOf(answer(ticket, before.code()))).toBe("auth.code");
    await turnOn();
    await world.advance(PERIOD_MS);
    for (const code of [before.code(), before.recoveryCodes[0] ?? ""])
      expect(await codeOf(answer(await ask(), code))).toBe("auth.code");
  });
});

test("A26: the store holds neither a seed nor a recovery code", async () => {
  const { store, turnOn } = await setUp();
  const { secret, recoveryCodes } = await turnOn();
  const tables = ["second_factors", "recovery_codes", "logins", "secrets"] as const;
  const stored = JSON.stringify(await Promise.all(tables.map((table) => store.select({ table }))));
  for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", ""))])
    expect(stored.toLowerCase()).not.toContain(text.toLowerCase());
});

test("a login of a person without a second factor needs no code", async () => {
  const { secondFactors, logins, owner } = await setUp();
  const next = await secondFactors.next({ agent: owner.id, by: "link", proves: true, sameCommit: {} });
  if ("ticket" in next) throw new Error("a code was asked for");
  const { agent, ...how } = next;
  expect(await logins.begin(agent, { about: "" }, how)).toMatchObject({ method: "link" });
});
