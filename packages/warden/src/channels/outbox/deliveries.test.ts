/** Tests the fate of one delivery: sent, delayed, refused or unknown. */
import { describe, expect, test } from "bun:test";
import type { EventId } from "@hearth/protocol";
import type { SendResult } from "../channel.ts";
import { answers, codeOf, openOutbox, PERSON, ROOM } from "../../fixtures/outbox.ts";
import { createStubPlatform, problem } from "../../fixtures/stub-channel.ts";
import { GIVE_UP_MS, LONGEST_WAIT_MS } from "./delivery-attempt.ts";
import { passAll } from "../../fixtures/pass-all.ts";

describe("a delivery", () => {
  test("is sent after its commit, piece by piece, with its id as the key", async () => {
    const house = openOutbox();
    await house.start();
    await house.reply("one\ntwo", [await house.heard(1)]);
    const rows = await house.rows();
    expect(house.platform.arrived).toEqual([
      { conversation: "c1", text: "one", replyTo: "p1", key: rows[0]?.id ?? "" },
      { conversation: "c1", text: "two", key: rows[1]?.id ?? "" },
    ]);
    expect(rows).toMatchObject([
      { state: "sent", external: "m1", attempts: 1, body: "one" },
      { state: "sent", external: "m2", attempts: 1, body: "two" },
    ]);
    await house.stop();
  });

  test("that was never committed is never sent", async () => {
    const house = openOutbox();
    await house.start();
    await house.outbox.plan({
      id: house.world.ids.fresh("evt"),
      room: ROOM,
      body: { text: "x" },
      causes: [await house.heard(1)],
    });
    house.outbox.poke();
    await house.settle();
    expect(house.platform.asked).toEqual([]);
    await house.stop();
  });

  test("that waits is resumed at the start", async () => {
    const house = openOutbox();
    await house.reply("one", [await house.heard(1)]);
    expect(house.platform.asked).toEqual([]);
    await house.start();
    expect(house.texts()).toEqual(["one"]);
    await house.stop();
  });

  test("is `sending` on disk before the platform is called", async () => {
    const house = openOutbox();
    const states: string[] = [];
    house.platform.outcomes.push(async () => {
      states.push(...(await house.rows()).map(({ state, attempts }) => `${state} ${attempts}`));
      return { kind: "sent", messageId: "m" };
    });
    await house.start();
    await house.reply("one", [await house.heard(1)]);
    expect(states).toEqual(["sending 1"]);
    await house.stop();
  });

  test("that is delayed waits at least as long as the platform asks, and longer each time", async () => {
    const house = openOutbox();
    await house.start();
    const waits: number[] = [];
    answers(house.platform, { kind: "later", error: problem("channel.rate-limited"), retryAfterMs: 30_000 });
    for (let tries = 0; tries < 12; tries += 1) answers(house.platform, { kind: "later", error: problem() });
    await house.reply("one", [await house.heard(1)]);
    while ((await house.rows())[0]?.state === "queued") {
      const waitMs = ((await house.rows())[0]?.not_before ?? 0) - house.world.clock.now();
      const asked = house.platform.asked.length;
      waits.push(waitMs);
      await house.world.advance(waitMs - 1);
      await house.settle();
      expect(house.platform.asked).toHaveLength(asked);
      await house.world.advance(1);
      await house.settle();
      expect(house.platform.asked).toHaveLength(asked + 1);
    }
    expect(waits[0]).toBe(30_000);
    for (const [index, waitMs] of waits.slice(1).entries()) {
      const longest = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (index + 1));
      expect(waitMs).toBeGreaterThan(longest / 2);
      expect(waitMs).toBeLessThanOrEqual(longest);
    }
    expect(new Set(waits.slice(-4)).size).toBeGreaterThan(1);
    expect(house.texts()).toEqual(["one"]);
    expect(new Set(house.platform.asked.map(({ key }) => key)).size).toBe(1);
    await house.stop();
  });

  test("fails after a day, with a reason", async () => {
    const house = openOutbox();
    await house.start();
    house.platform.outcomes.push(
      ...Array.from({ length: 2000 }, () => () => ({ kind: "later", error: problem() }) as const),
    );
    await house.reply("one", [await house.heard(1)]);
    for (let hour = 0; hour < 25; hour += 1) {
      for (let minutes = 0; minutes < 60; minutes += 2) {
        await house.world.advance(120_000);
        await house.settle();
      }
    }
    expect(await house.rows()).toMatchObject([{ state: "refused" }]);
    const [delivery] = await house.outbox.list({ channel: "tele", limit: 1 });
    expect(delivery?.error).toEqual({
      ...problem(),
      message: "The message could not be sent for a day. Last error: It failed.",
    });
    const tookMs = (delivery?.endedAt ?? 0) - (delivery?.createdAt ?? 0);
    expect(tookMs).toBeLessThanOrEqual(GIVE_UP_MS);
    expect(tookMs).toBeGreaterThan(GIVE_UP_MS - 2 * LONGEST_WAIT_MS);
    await house.stop();
  });

  test("that the platform refuses is over, and the next one is sent", async () => {
    const house = openOutbox();
    await house.start();
    answers(house.platform, { kind: "refused", error: problem("channel.refused") });
    await house.reply("one\ntwo", [await house.heard(1)]);
    expect(await house.rows()).toMatchObject([{ state: "refused" }, { state: "sent" }]);
    expect(house.texts()).toEqual(["two"]);
    await house.stop();
  });

  test("that was sent is the last message of its channel until a later one is accepted", async () => {
    const house = openOutbox();
    await house.start();
    expect(await house.outbox.lastMessageAt("tele")).toBeUndefined();
    const event = await house.heard(1);
    const received = await house.outbox.lastMessageAt("tele");
    answers(house.platform, { kind: "refused", error: problem("channel.refused") });
    await house.world.advance(1000);
    await house.reply("one", [event]);
    expect(await house.outbox.lastMessageAt("tele")).toBe(received);
    await house.reply("two", [await house.heard(2)]);
    const [sent] = await house.outbox.list({ channel: "tele", state: "sent", limit: 1 });
    expect(await house.outbox.lastMessageAt("tele")).toBe(sent?.createdAt);
    expect(await house.outbox.lastMessageAt("other")).toBeUndefined();
    await house.stop();
  });

  test("with an unknown outcome is never resent automatically, and the next one is sent", async () => {
    const house = openOutbox();
    await house.start();
    answers(house.platform, { kind: "unknown", error: problem() });
    await house.reply("one\ntwo", [await house.heard(1)]);
    expect(await house.rows()).toMatchObject([{ state: "unknown", ended_at: null }, { state: "sent" }]);
    await house.world.advance(GIVE_UP_MS);
    expect(house.platform.asked).toHaveLength(2);
    expect(await house.outbox.counts("tele")).toEqual({ queued: 0, unknown: 1 });
    await house.stop();
  });

  test("with an unknown outcome is resent with the same key when the platform takes keys", async () => {
    const platform = createStubPlatform({ takesKeys: true });
    const house = openOutbox({ platforms: { tele: platform } });
    await house.start();
    answers(platform, { kind: "unknown", error: problem() });
    await house.reply("one", [await house.heard(1)]);
    await house.world.advance(LONGEST_WAIT_MS);
    await house.settle();
    expect(await house.rows()).toMatchObject([{ state: "sent", attempts: 2 }]);
    expect(new Set(platform.asked.map(({ key }) => key)).size).toBe(1);
    await house.stop();
  });

  test("that waits blocks its own conversation only", async () => {
    const house = openOutbox();
    await house.start();
    answers(house.platform, { kind: "later", error: problem() });
    await house.reply("one", [await house.heard(1)]);
    await house.reply("two", [await house.heard(2)]);
    await house.reply("elsewhere", [await house.heard(3, "c2")]);
    expect(house.texts()).toEqual(["elsewhere"]);
    await house.world.advance(1000);
    await house.settle();
    expect(house.texts()).toEqual(["elsewhere", "one", "two"]);
    await house.stop();
  });

  test("is sent in the order of the room, not of the planning", async () => {
    const house = openOutbox();
    const cause = await house.heard(1);
    const [first, second] = [house.world.ids.fresh("evt"), house.world.ids.fresh("evt")];
    const plan = (id: EventId, text: string) => house.outbox.plan({ id, room: ROOM, body: { text }, causes: [cause] });
    const writesOfFirst = await plan(first, "planned first");
    await house.world.advance(5);
    const writesOfSecond = await plan(second, "planned second");
    for (const [id, writes] of [
      [second, writesOfSecond],
      [first, writesOfFirst],
    ] as const) {
      const event = { id, type: "message", at: 0, body: "{}", blob: null, labels: null };
      await house.store.commit({ writes: [...writes, { kind: "append", stream: `room:${ROOM}`, event }] });
    }
    await house.start();
    expect(house.texts()).toEqual(["planned second", "planned first"]);
    await house.stop();
  });

  test("waits no longer than the limit when the clock was set back", async () => {
    const house = openOutbox();
    await house.reply("one", [await house.heard(1)]);
    const year = 365 * 24 * 60 * 60_000;
    await house.store.commit({
      writes: [{ kind: "update", table: "outbox", where: {}, set: { not_before: house.world.clock.now() + year } }],
    });
    await house.start();
    expect(house.texts()).toEqual(["one"]);
    await house.stop();
  });
});

describe("after a crash", () => {
  const crashed = async (takesKeys: boolean) => {
    const platform = createStubPlatform({ takesKeys });
    const before = openOutbox({ platforms: { tele: platform } });
    await before.reply("one\ntwo", [await before.heard(1)]);
    await before.store.commit({
      writes: [{ kind: "update", table: "outbox", where: { body: "one" }, set: { state: "sending", attempts: 1 } }],
    });
    const after = openOutbox({ platforms: { tele: platform }, store: before.store });
    await after.start();
    await after.stop();
    return { platform, rows: await after.rows() };
  };

  test("an interrupted send is unknown, with a reason, and is not repeated", async () => {
    const { platform, rows } = await crashed(false);
    expect(rows).toMatchObject([{ state: "unknown", ended_at: null }, { state: "sent" }]);
    expect(JSON.parse(rows[0]?.error ?? "")).toMatchObject({
      message: expect.stringContaining("it is unknown whether"),
    });
    expect(platform.asked.map(({ text }) => text)).toEqual(["two"]);
  });

  test("an interrupted send is repeated with its key when the platform takes keys", async () => {
    const { platform, rows } = await crashed(true);
    expect(rows).toMatchObject([{ state: "sent", attempts: 2 }, { state: "sent" }]);
    expect(platform.asked.map(({ text, key }) => [text, key])).toEqual(rows.map(({ body, id }) => [body, id]));
  });
});

describe("two daemons on one store", () => {
  test("the result of an attempt is not stored for a later attempt of the other daemon", async () => {
    const platform = createStubPlatform({ takesKeys: true });
    const [first, second] = [Promise.withResolvers<SendResult>(), Promise.withResolvers<SendResult>()];
    platform.outcomes.push(
      () => first.promise,
      () => second.promise,
    );
    const one = openOutbox({ platforms: { tele: platform } });
    await one.start();
    await one.reply("one", [await one.heard(1)]);
    const other = openOutbox({ platforms: { tele: platform }, store: one.store });
    await other.start();
    expect(platform.asked).toHaveLength(2);
    first.resolve({ kind: "refused", error: problem("channel.refused") });
    await one.settle();
    expect(await one.rows()).toMatchObject([{ state: "sending", attempts: 2 }]);
    second.resolve({ kind: "sent", messageId: "m" });
    await other.settle();
    expect(await one.rows()).toMatchObject([{ state: "sent", attempts: 2 }]);
    await Promise.all([one.stop(), other.stop()]);
  });

  test("a row that the other daemon has tried meanwhile is not sent again at once", async () => {
    const platform = createStubPlatform();
    const gate = Promise.withResolvers<void>();
    const one = openOutbox({
      platforms: { tele: platform },
      pass: async (send, begin) => {
        await gate.promise;
        return passAll(send, begin);
      },
    });
    await one.start();
    await one.reply("one", [await one.heard(1)]);
    answers(platform, { kind: "later", error: problem() });
    const other = openOutbox({ platforms: { tele: platform }, store: one.store });
    await other.start();
    gate.resolve();
    await one.settle();
    expect(platform.asked).toHaveLength(1);
    expect(await one.rows()).toMatchObject([{ state: "queued", attempts: 1 }]);
    await Promise.all([one.stop(), other.stop()]);
  });
});

describe("a person's decision", () => {
  const withUnknown = async () => {
    const house = openOutbox();
    await house.start();
    answers(house.platform, { kind: "unknown", error: problem() });
    await house.reply("one", [await house.heard(1)]);
    return { ...house, id: (await house.rows())[0]?.id ?? "" };
  };

  test("resends the delivery before later ones", async () => {
    const house = await withUnknown();
    await house.world.advance(2 * GIVE_UP_MS);
    answers(house.platform, { kind: "later", error: problem() });
    await house.reply("two", [await house.heard(2)]);
    expect(await house.outbox.decide(house.id, "resend", PERSON)).toMatchObject({ state: "queued" });
    answers(house.platform, { kind: "later", error: problem() });
    await house.settle();
    for (let seconds = 0; seconds < 4; seconds += 1) {
      await house.world.advance(1000);
      await house.settle();
    }
    expect(house.texts()).toEqual(["one", "two"]);
    await house.stop();
  });

  test("leaves the delivery, which then waits for no decision", async () => {
    const house = await withUnknown();
    expect(await house.outbox.decide(house.id, "leave", PERSON)).toMatchObject({
      state: "unknown",
      endedAt: house.world.clock.now(),
    });
    expect(await house.outbox.counts("tele")).toEqual({ queued: 0, unknown: 0 });
    expect(await codeOf(house.outbox.decide(house.id, "resend", PERSON))).toBe("record.version");
    expect(house.platform.asked).toHaveLength(1);
    await house.stop();
  });

  test("is refused for a delivery that is sent or does not exist", async () => {
    const house = openOutbox();
    await house.start();
    await house.reply("one", [await house.heard(1)]);
    expect(await codeOf(house.outbox.decide((await house.rows())[0]?.id ?? "", "resend", PERSON))).toBe(
      "record.version",
    );
    expect(await codeOf(house.outbox.decide("out_x", "resend", PERSON))).toBe("record.not-found");
    await house.stop();
  });
});
