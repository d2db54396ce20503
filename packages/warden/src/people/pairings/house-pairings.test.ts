import { describe, expect, test } from "bun:test";
import { type AgentId, type HearthError, isHearthError } from "@hearth/protocol";
import fc from "fast-check";
import { CODE_MS } from "../../channels/inbound/strangers.ts";
import { group, hash, openChannelHouse, update } from "../../fixtures/channel-house.ts";
import { MAX_WRONG_CODES } from "./house-pairings.ts";
import { newCode, readCode, showCode } from "./pairing-code.ts";
import { plainName, requireVisible } from "../records/plain-name.ts";

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "it did",
    (error: HearthError) => (isHearthError(error) ? error.code : String(error)),
  );

/** A house where a person called Ana has written and received a code. */
const open = async (name = "Ana") => {
  const house = await openChannelHouse();
  await house.inbound.accept("tele", update(1, { sender: { id: "s1", name } }));
  const approve = (code: string, as?: string) => house.pairings.approve({ code }, house.owner.id, as);
  return { ...house, approve, code: await house.lastCode() };
};

describe("an approved sender", () => {
  test("with a code becomes a new person of that name, is heard from then on, and is notified", async () => {
    const house = await open();
    const pairing = await house.approve(house.code);
    const person = await house.records.get("agent", "ana");
    expect(pairing).toMatchObject({ channel: "tele", sender: "s1", name: "Ana", state: "allowed", person: person.id });
    expect(pairing.expiresAt).toBeUndefined();
    expect(person.content).toEqual({ name: "Ana", kind: "human" });
    const notices = await house.store.select({ table: "outbox", order: [{ column: "place" }] });
    expect(notices.at(-1)).toMatchObject({ conversation: "d1", body: expect.stringContaining("admitted") as never });
    expect((await house.inbound.accept("tele", update(2))).kind).toBe("accepted");
    expect(await house.said()).toMatchObject([{ author: person.id, body: { text: "text 2" } }]);
  });

  test("is notified where the code was sent, and not in a group", async () => {
    const house = await open();
    await house.world.advance(1);
    await house.inbound.accept("tele", group(2));
    await house.approve(house.code);
    const notices = await house.store.select({ table: "outbox" });
    expect(notices.map(({ conversation }) => conversation)).toEqual(["d1", "d1"]);
  });

  test("may have typed the code in any common spelling", async () => {
    const house = await open();
    const [first = "", second = ""] = house.code.split("-");
    const typed = ` ${first.toLowerCase().replaceAll("0", "o").replaceAll("1", "l")} ${second.toLowerCase()} `;
    expect((await house.approve(typed)).state).toBe("allowed");
  });

  test("approved as a person of the house is that person on all of their channels", async () => {
    const house = await open();
    expect(await house.approve(house.code, "@owner")).toMatchObject({ person: house.owner.id });
    expect(await house.records.list("agent")).toHaveLength(2);
    await house.inbound.accept("tele", update(2));
    expect(await house.said()).toMatchObject([{ author: house.owner.id }]);
  });

  test("needs no code when named directly", async () => {
    const house = await open();
    expect((await house.pairings.approve({ channel: "tele", sender: "s1" }, house.owner.id)).state).toBe("allowed");
  });

  test("gets another name when theirs is taken", async () => {
    const house = await open("Main");
    await house.approve(house.code);
    expect((await house.records.list("agent")).map(({ content }) => content.name)).toEqual([
      "Owner",
      "Main",
      "Main (tele)",
    ]);
  });

  test("cannot be a bot", async () => {
    const house = await open();
    expect(await codeOf(house.approve(house.code, "main"))).toBe("record.invalid");
    expect((await house.pairings.list())[0]?.state).toBe("pending");
  });

  test("is approved once, by the first person who does", async () => {
    const house = await open();
    const all = await Promise.all([codeOf(house.approve(house.code)), codeOf(house.approve(house.code))]);
    expect(all.toSorted()).toEqual(["it did", "record.version"]);
    expect(await house.records.list("agent")).toHaveLength(3);
  });
});

test("of two concurrent decisions the second one fails", async () => {
  const house = await open();
  const all = await Promise.all([
    codeOf(house.approve(house.code, "owner")),
    codeOf(house.pairings.block("tele", "s1", house.owner.id)),
  ]);
  expect(all.toSorted()).toEqual(["it did", "record.version"]);
});

describe("a sender whom a channel lets in without a code", () => {
  const admit = async (house: Awaited<ReturnType<typeof open>>, id = "s1") =>
    house.pairings.admit("tele", { id, name: "Ana" }, house.bot.id);

  test("becomes a person who is allowed, and stays that person", async () => {
    const house = await open();
    const person = await admit(house);
    expect(await house.pairings.list()).toMatchObject([{ sender: "s1", state: "allowed", person }]);
    expect(await admit(house)).toBe(person);
    expect(await admit(house, "s2")).not.toBe(person);
  });

  test("is allowed again as the same person after being blocked", async () => {
    const house = await open();
    const person = await admit(house);
    await house.pairings.block("tele", "s1", house.owner.id);
    expect((await house.pairings.list())[0]?.state).toBe("blocked");
    expect(await admit(house)).toBe(person);
    expect(await house.pairings.list()).toMatchObject([{ sender: "s1", state: "allowed", person }]);
  });
});

describe("a code", () => {
  test("has a code for one hour and one use", async () => {
    const house = await open();
    await house.world.advance(CODE_MS - 1);
    expect((await house.approve(house.code)).state).toBe("allowed");
    expect(await codeOf(house.approve(house.code))).toBe("pairing.not-found");
    const late = await open();
    await late.world.advance(CODE_MS);
    expect(await codeOf(late.approve(late.code))).toBe("pairing.not-found");
  });

  test("has a code that each caller may guess at most five times per minute", async () => {
    const house = await open();
    const { id: ben } = await house.records.mutate(
      { kind: "create", type: "agent", content: { name: "Ben", kind: "human" } },
      house.owner.id,
    );
    for (let tries = 0; tries < MAX_WRONG_CODES; tries += 1)
      expect(await codeOf(house.approve("0000-0000"))).toBe("pairing.not-found");
    expect(await codeOf(house.approve(house.code))).toBe("channel.rate-limited");
    expect((await house.pairings.approve({ code: house.code }, ben as AgentId)).state).toBe("allowed");
    await house.world.advance(1);
    await house.inbound.accept("tele", update(9, { sender: { id: "s9", name: "Cem" } }));
    await house.world.advance(60_000);
    expect((await house.approve(await house.lastCode())).state).toBe("allowed");
  });

  test("has a code that is read in every common spelling", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        const code = newCode(() => bytes);
        expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
        for (const typed of [code, showCode(code), code.toLowerCase(), code.replaceAll("0", "O").replaceAll("1", "i")])
          expect(readCode(typed)).toBe(code);
      }),
    );
  });
});

describe("a blocked sender", () => {
  test("is not heard, and is the same person again after an approval", async () => {
    const house = await open();
    const { person } = await house.approve(house.code);
    expect(await house.pairings.block("tele", "s1", house.owner.id)).toMatchObject({ state: "blocked" });
    expect(await house.inbound.accept("tele", update(2))).toEqual({ kind: "refused", fate: "blocked" });
    expect(await house.pairings.approve({ channel: "tele", sender: "s1" }, house.owner.id)).toMatchObject({
      state: "allowed",
      person: person ?? "nobody",
    });
    expect((await house.inbound.accept("tele", update(3))).kind).toBe("accepted");
  });

  test("cannot be admitted with the earlier code", async () => {
    const house = await open();
    await house.pairings.block("tele", "s1", house.owner.id);
    expect(await codeOf(house.approve(house.code))).toBe("pairing.not-found");
  });
});

test("a forgotten sender is unknown again, and gets a new code at once", async () => {
  const house = await open();
  await house.approve(house.code);
  await house.pairings.forget("tele", "s1", house.owner.id);
  await house.world.advance(1);
  expect(await house.pairings.list()).toEqual([]);
  expect(await house.inbound.accept("tele", update(2))).toEqual({ kind: "refused", fate: "unpaired" });
  expect(await house.lastCode()).not.toBe(house.code);
});

test("an approved sender gets a test message where the code was sent, and no other sender gets one", async () => {
  const house = await open();
  const { pairings, bot, owner } = house;
  expect(await codeOf(pairings.sendTest("tele", "s1", owner.id))).toBe("pairing.not-found");
  await house.approve(house.code);
  const first = await pairings.sendTest("tele", "s1", owner.id);
  expect(first).toMatchObject({ channel: "tele", conversation: "d1", state: "queued" });
  expect(first.text).toStartWith("This is a test message from Hearth.");
  await house.world.advance(1);
  expect((await pairings.sendTest("tele", "s1", owner.id)).id).not.toBe(first.id);
  expect(await codeOf(pairings.sendTest("tele", "s1", bot.id))).toBe("auth.denied");
  expect(await codeOf(pairings.sendTest("tele", "s2", owner.id))).toBe("pairing.not-found");
  await pairings.block("tele", "s1", owner.id);
  expect(await codeOf(pairings.sendTest("tele", "s1", owner.id))).toBe("pairing.not-found");
  // A sender who was paired without a code has no known conversation.
  await house.allow("s9");
  expect(await codeOf(pairings.sendTest("tele", "s9", owner.id))).toBe("pairing.not-found");
});

test("only people decide, and only about senders who have written", async () => {
  const house = await open();
  const { pairings, bot, owner } = house;
  expect(await codeOf(pairings.approve({ code: house.code }, bot.id))).toBe("auth.denied");
  expect(await codeOf(pairings.block("tele", "s1", bot.id))).toBe("auth.denied");
  expect(await codeOf(pairings.forget("tele", "s1", bot.id))).toBe("auth.denied");
  expect(await codeOf(pairings.block("tele", "nobody", owner.id))).toBe("pairing.not-found");
  expect(await codeOf(pairings.approve({ channel: "other", sender: "s1" }, owner.id))).toBe("pairing.not-found");
  expect((await pairings.list()).map(({ state }) => state)).toEqual(["pending"]);
});

test("a list contains neither codes nor their hashes", async () => {
  const house = await open();
  const [row] = await house.store.select({ table: "senders" });
  const text = JSON.stringify(await house.pairings.list());
  expect(text).not.toContain(house.code);
  expect(text).not.toContain(row?.code_hash ?? "");
  expect(row?.code_hash).toBe(hash(`pairing ${house.code.replace("-", "")}`));
});

test("any platform name is converted to a valid record name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (given) => {
      const name = plainName(given, "tele s1");
      expect(name.length).toBeLessThanOrEqual(200);
      expect(name.isWellFormed()).toBe(true);
      expect(name).toMatch(/[^\s\p{C}]/u);
      for (const character of ["\n", "\u202e", "\u0000"]) expect(name).not.toContain(character);
      requireVisible("record.invalid", "name", name);
    }),
  );
  expect(plainName("\u202e \ud800\n", "fallback")).toBe("\ufffd");
  expect(plainName("\u202e \n", "fallback")).toBe("fallback");
  expect(plainName("\u3164\u034f", "fallback")).toBe("fallback");
});
