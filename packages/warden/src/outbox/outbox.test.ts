import { describe, expect, test } from "bun:test";
import { type AgentId, type EventId, type HearthError, isHearthError, type RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import type { SendResult } from "../channels/channel.ts";
import { createStubChannels, createStubPlatform, problem, type StubPlatform } from "../fixtures/stub-channel.ts";
import { createFakeLog } from "../observe/log.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import { GIVE_UP_MS, LONGEST_WAIT_MS, type Pass } from "./attempt.ts";
import { GRACE_MS } from "./deliveries.ts";
import { createOutbox } from "./house-outbox.ts";
import { openWay } from "./open-way.ts";

const { hash } = createBunWorld();
const ROOM = `room_${"0".repeat(26)}` as RoomId;
const PERSON = `agent_${"0".repeat(26)}` as AgentId;

const open = (options: { platforms?: Record<string, StubPlatform>; store?: Store; pass?: Pass } = {}) => {
  const world = createFakeWorld({ hash });
  const store = options.store ?? createMemoryStore();
  const platform = createStubPlatform();
  const channels = createStubChannels(options.platforms ?? { tele: platform }, world);
  const log = createFakeLog();
  const outbox = createOutbox({ world, log, store, channels, pass: options.pass ?? openWay });
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  const settle = async () => {
    for (let turn = 0; turn < 8; turn += 1) await world.advance(0);
  };
  return {
    world,
    store,
    platform,
    channels,
    outbox,
    log,
    closing,
    settle,
    start: async () => {
      running = outbox.run(closing.signal);
      await settle();
    },
    stop: async () => {
      closing.abort();
      await settle();
      await running;
    },
    /** A message that came in from this conversation, as the event of that number. */
    async heard(number: number, conversation = "c1", channel = "tele"): Promise<EventId> {
      const event = world.ids.derive("evt", "in", String(number));
      const row: Row<"inbound"> = {
        ...{ channel, external: `u${number}`, at: number, conversation, message: `p${number}`, sender: "s" },
        ...{ room: ROOM, event, fate: "accepted" },
      };
      await store.commit({ writes: [{ kind: "insert", table: "inbound", row }] });
      return event;
    },
    /** A reply to those, planned and committed with its event. */
    async reply(text: string, causes: readonly EventId[]) {
      const id = world.ids.fresh("evt");
      const writes = await outbox.plan({ id, room: ROOM, body: { text }, causes });
      const event = { id, type: "message", at: 0, body: "{}", blob: null, labels: null };
      const result = await store.commit({
        writes: [...writes, { kind: "append", stream: `room:${ROOM}`, event }],
      });
      expect(result.kind).toBe("committed");
      outbox.poke();
      await settle();
      return { id, writes };
    },
    rows: () => store.select({ table: "outbox", order: [{ column: "place" }] }),
    texts: () => platform.arrived.map(({ text }) => text),
  };
};

const answers = (platform: StubPlatform, ...results: SendResult[]) =>
  platform.outcomes.push(...results.map((result) => () => result));
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "it did",
    (error: HearthError) => (isHearthError(error) ? error.code : String(error)),
  );

test("what not all of may be said goes out as the one at the door says, and is kept as it was", async () => {
  const pass: Pass = async (send, begin) => {
    await begin();
    return { text: send.text.replace("hush", "[left out]") };
  };
  const house = open({ pass });
  await house.start();
  await house.reply("hush now", [await house.heard(1)]);
  expect(house.texts()).toEqual(["[left out] now"]);
  expect(await house.rows()).toMatchObject([{ state: "sent", body: "hush now" }]);
  await house.stop();
});

describe("a plan", () => {
  test("has a row per piece, in the conversation that the cause came from, and only the first answers it", async () => {
    const { outbox, heard, world } = open();
    const cause = await heard(1);
    const id = world.ids.fresh("evt");
    const writes = await outbox.plan({ id, room: ROOM, body: { text: "one\ntwo" }, causes: [cause] });
    expect(writes).toMatchObject([
      {
        row: {
          channel: "tele",
          conversation: "c1",
          body: "one",
          reply_to: "p1",
          event: id,
          room: ROOM,
          state: "queued",
        },
      },
      {
        row: {
          channel: "tele",
          conversation: "c1",
          body: "two",
          reply_to: null,
          event: id,
          room: ROOM,
          state: "queued",
        },
      },
    ]);
  });

  test("of the same reply is the same rows, and none once they are there", async () => {
    const { outbox, heard, reply } = open();
    const cause = await heard(1);
    const { id, writes } = await reply("one\ntwo", [cause]);
    expect(writes).toHaveLength(2);
    expect(await outbox.plan({ id, room: ROOM, body: { text: "one\ntwo" }, causes: [cause] })).toEqual([]);
  });

  test("answers the newest cause of each conversation", async () => {
    const { outbox, heard, world } = open();
    const causes = [await heard(1), await heard(2, "c2"), await heard(3)];
    const writes = await outbox.plan({ id: world.ids.fresh("evt"), room: ROOM, body: { text: "yes" }, causes });
    expect(writes).toMatchObject([
      { row: { conversation: "c1", reply_to: "p3" } },
      { row: { conversation: "c2", reply_to: "p2" } },
    ]);
  });

  test("is empty where no cause came in by a channel", async () => {
    const { outbox, world } = open();
    const reply = { id: world.ids.fresh("evt"), room: ROOM, body: { text: "yes" } };
    expect(await outbox.plan({ ...reply, causes: [] })).toEqual([]);
    expect(await outbox.plan({ ...reply, causes: [world.ids.fresh("evt")] })).toEqual([]);
  });

  test("for a channel that is gone waits in one piece", async () => {
    const { reply, heard, start, stop, rows } = open();
    await start();
    await reply("one\ntwo", [await heard(1, "c1", "gone")]);
    expect(await rows()).toMatchObject([{ channel: "gone", body: "one\ntwo", state: "queued" }]);
    await stop();
  });
});

describe("a delivery", () => {
  test("is sent after its commit, piece by piece, with its id as its key", async () => {
    const house = open();
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

  test("that was planned and never committed is never sent", async () => {
    const house = open();
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

  test("that waits is taken up at the start", async () => {
    const house = open();
    await house.reply("one", [await house.heard(1)]);
    expect(house.platform.asked).toEqual([]);
    await house.start();
    expect(house.texts()).toEqual(["one"]);
    await house.stop();
  });

  test("is `sending` on the disk before it is asked for", async () => {
    const house = open();
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

  test("that is put off waits at least as long as the platform asks, and longer each time", async () => {
    const house = open();
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

  test("is given up after a day, in words", async () => {
    const house = open();
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
    expect(delivery?.error).toEqual({ ...problem(), message: "It could not be sent for a day. At last: It failed." });
    const tookMs = (delivery?.endedAt ?? 0) - (delivery?.createdAt ?? 0);
    expect(tookMs).toBeLessThanOrEqual(GIVE_UP_MS);
    expect(tookMs).toBeGreaterThan(GIVE_UP_MS - 2 * LONGEST_WAIT_MS);
    await house.stop();
  });

  test("that the platform refuses is over, and the next one goes out", async () => {
    const house = open();
    await house.start();
    answers(house.platform, { kind: "refused", error: problem("channel.refused") });
    await house.reply("one\ntwo", [await house.heard(1)]);
    expect(await house.rows()).toMatchObject([{ state: "refused" }, { state: "sent" }]);
    expect(house.texts()).toEqual(["two"]);
    await house.stop();
  });

  test("of which nobody knows is never sent again by itself, and the next one goes out", async () => {
    const house = open();
    await house.start();
    answers(house.platform, { kind: "unknown", error: problem() });
    await house.reply("one\ntwo", [await house.heard(1)]);
    expect(await house.rows()).toMatchObject([{ state: "unknown", ended_at: null }, { state: "sent" }]);
    await house.world.advance(GIVE_UP_MS);
    expect(house.platform.asked).toHaveLength(2);
    expect(await house.outbox.counts("tele")).toEqual({ queued: 0, unknown: 1 });
    await house.stop();
  });

  test("of which nobody knows is sent again with the same key where the platform takes one", async () => {
    const platform = createStubPlatform({ takesKeys: true });
    const house = open({ platforms: { tele: platform } });
    await house.start();
    answers(platform, { kind: "unknown", error: problem() });
    await house.reply("one", [await house.heard(1)]);
    await house.world.advance(LONGEST_WAIT_MS);
    await house.settle();
    expect(await house.rows()).toMatchObject([{ state: "sent", attempts: 2 }]);
    expect(new Set(platform.asked.map(({ key }) => key)).size).toBe(1);
    await house.stop();
  });

  test("that waits holds up its conversation and no other", async () => {
    const house = open();
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

  test("goes out in the order of the room, not in that of the planning", async () => {
    const house = open();
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

  test("waits for the clock that was set back no longer than anything is waited for", async () => {
    const house = open();
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
    const before = open({ platforms: { tele: platform } });
    await before.reply("one\ntwo", [await before.heard(1)]);
    await before.store.commit({
      writes: [{ kind: "update", table: "outbox", where: { body: "one" }, set: { state: "sending", attempts: 1 } }],
    });
    const after = open({ platforms: { tele: platform }, store: before.store });
    await after.start();
    await after.stop();
    return { platform, rows: await after.rows() };
  };

  test("what was being sent is unknown, in words, and is not sent again", async () => {
    const { platform, rows } = await crashed(false);
    expect(rows).toMatchObject([{ state: "unknown", ended_at: null }, { state: "sent" }]);
    expect(JSON.parse(rows[0]?.error ?? "")).toMatchObject({ message: expect.stringContaining("nobody knows") });
    expect(platform.asked.map(({ text }) => text)).toEqual(["two"]);
  });

  test("what was being sent is sent again with its key where the platform takes one", async () => {
    const { platform, rows } = await crashed(true);
    expect(rows).toMatchObject([{ state: "sent", attempts: 2 }, { state: "sent" }]);
    expect(platform.asked.map(({ text, key }) => [text, key])).toEqual(rows.map(({ body, id }) => [body, id]));
  });
});

describe("two daemons on one store", () => {
  test("what came of an attempt is not kept for the one that the other daemon has begun since", async () => {
    const platform = createStubPlatform({ takesKeys: true });
    const [first, second] = [Promise.withResolvers<SendResult>(), Promise.withResolvers<SendResult>()];
    platform.outcomes.push(
      () => first.promise,
      () => second.promise,
    );
    const one = open({ platforms: { tele: platform } });
    await one.start();
    await one.reply("one", [await one.heard(1)]);
    const other = open({ platforms: { tele: platform }, store: one.store });
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

  test("what the other one has tried since it was looked at is not sent at once again", async () => {
    const platform = createStubPlatform();
    const gate = Promise.withResolvers<void>();
    const one = open({
      platforms: { tele: platform },
      pass: async (send, begin) => {
        await gate.promise;
        return openWay(send, begin);
      },
    });
    await one.start();
    await one.reply("one", [await one.heard(1)]);
    answers(platform, { kind: "later", error: problem() });
    const other = open({ platforms: { tele: platform }, store: one.store });
    await other.start();
    gate.resolve();
    await one.settle();
    expect(platform.asked).toHaveLength(1);
    expect(await one.rows()).toMatchObject([{ state: "queued", attempts: 1 }]);
    await Promise.all([one.stop(), other.stop()]);
  });
});

describe("the end of the house", () => {
  test("waits for what is being sent, and keeps what came of it", async () => {
    const house = open();
    const sending = Promise.withResolvers<SendResult>();
    house.platform.outcomes.push(() => sending.promise);
    await house.start();
    await house.reply("one\ntwo", [await house.heard(1)]);
    const stopped = house.stop();
    await house.settle();
    sending.resolve({ kind: "sent", messageId: "m" });
    await stopped;
    expect(await house.rows()).toMatchObject([{ state: "sent" }, { state: "queued" }]);
  });

  test("R2: cuts a send off that takes too long", async () => {
    const platform = createStubPlatform();
    const house = open({
      platforms: {
        tele: {
          ...platform,
          channel: {
            ...platform.channel,
            send: (_message, signal) =>
              new Promise((resolve) => {
                signal.addEventListener("abort", () => resolve({ kind: "unknown", error: problem() }));
              }),
          },
        },
      },
    });
    await house.start();
    await house.reply("one", [await house.heard(1)]);
    const stopped = house.stop();
    await house.settle();
    await house.world.advance(GRACE_MS - 1);
    expect(await house.rows()).toMatchObject([{ state: "sending" }]);
    await house.world.advance(1);
    await stopped;
    expect(await house.rows()).toMatchObject([{ state: "unknown" }]);
  });
});

describe("a person's word", () => {
  const withUnknown = async () => {
    const house = open();
    await house.start();
    answers(house.platform, { kind: "unknown", error: problem() });
    await house.reply("one", [await house.heard(1)]);
    return { ...house, id: (await house.rows())[0]?.id ?? "" };
  };

  test("sends it again, before what came after it", async () => {
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

  test("leaves it, and it waits for no word any more", async () => {
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

  test("is refused for one that is sent, and for one that is not there", async () => {
    const house = open();
    await house.start();
    await house.reply("one", [await house.heard(1)]);
    expect(await codeOf(house.outbox.decide((await house.rows())[0]?.id ?? "", "resend", PERSON))).toBe(
      "record.version",
    );
    expect(await codeOf(house.outbox.decide("out_x", "resend", PERSON))).toBe("record.not-found");
    await house.stop();
  });
});

test("a notice is one however often it is planned, and its text is erased when it is over", async () => {
  const house = open();
  const notice = { channel: "tele", conversation: "c1", text: "the code", because: ["code", "u1"] };
  const writes = await house.outbox.notice(notice);
  await house.store.commit({ writes });
  expect(await house.outbox.notice(notice)).toEqual([]);
  await house.start();
  expect(house.texts()).toEqual(["the code"]);
  expect(await house.rows()).toMatchObject([{ state: "sent", body: "" }]);
  await house.stop();
});

test("nothing is asked of the store and no clock runs while nothing waits", async () => {
  const below = createMemoryStore();
  let selects = 0;
  const house = open({
    store: {
      ...below,
      select(query) {
        selects += 1;
        return below.select(query);
      },
    },
  });
  await house.start();
  await house.reply("one", [await house.heard(1)]);
  const before = selects;
  await house.world.advance(GIVE_UP_MS);
  expect(selects).toBe(before);
  await house.stop();
});

test("a store that fails is asked again, and nothing is sent twice or lost", async () => {
  const below = createMemoryStore();
  let failures = 0;
  const fail = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (failures === 0) return work();
    failures -= 1;
    return Promise.reject(new Error("the disk is away"));
  };
  const house = open({
    store: {
      ...below,
      commit: (change) => fail(() => below.commit(change)),
      select: (query) => fail(() => below.select(query)),
    },
  });
  const causes = [await house.heard(1)];
  await house.reply("one\ntwo\nthree", causes);
  failures = 3;
  house.platform.outcomes.push(() => {
    failures = 3;
    return { kind: "sent", messageId: "m" };
  });
  await house.start();
  for (let seconds = 0; seconds < 20; seconds += 1) {
    await house.world.advance(1000);
    await house.settle();
  }
  expect(house.texts()).toEqual(["one", "two", "three"]);
  expect((await house.rows()).map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  await house.stop();
});

describe("the way out", () => {
  test("is asked with what is to go, before it is `sending`, and what is held waits until somebody says", async () => {
    const asked: unknown[] = [];
    let isHeld = true;
    const house = open({
      async pass(send, begin) {
        asked.push(send);
        if (isHeld) return "held";
        await begin();
        return "on";
      },
    });
    await house.start();
    await house.reply("hello", [await house.heard(1)]);
    const [row] = await house.rows();
    expect(asked).toEqual([{ delivery: row?.id, channel: "tele", conversation: "c1", text: "hello" }]);
    expect([row?.state, row?.attempts, house.texts()]).toEqual(["queued", 0, []]);
    await house.world.advance(GIVE_UP_MS);
    expect(asked).toHaveLength(1);
    isHeld = false;
    house.outbox.poke();
    await house.settle();
    expect([(await house.rows())[0]?.state, house.texts()]).toEqual(["sent", ["hello"]]);
    await house.stop();
  });

  test("that refuses ends the delivery in its words, and the next one goes", async () => {
    const house = open({
      async pass({ text }, begin) {
        if (text === "a secret") return { refused: { code: "channel.refused", message: "It holds a secret." } };
        await begin();
        return "on";
      },
    });
    await house.start();
    const cause = await house.heard(1);
    await house.reply("a secret", [cause]);
    await house.reply("no secret", [cause]);
    const rows = await house.rows();
    expect(rows.map(({ state }) => state)).toEqual(["refused", "sent"]);
    expect(JSON.parse(rows[0]?.error ?? "")).toMatchObject({ message: "It holds a secret." });
    expect(house.texts()).toEqual(["no secret"]);
    await house.stop();
  });

  test("that is never begun sends nothing, whatever it says", async () => {
    let times = 0;
    const house = open({ pass: () => Promise.resolve((times += 1) === 1 ? "on" : "held") });
    await house.start();
    await house.reply("hello", [await house.heard(1)]);
    expect(house.texts()).toEqual([]);
    await house.stop();
  });
});

describe("choices that are over", () => {
  const asks = { channel: "tele", conversation: "c1", because: ["approval", "1"] };
  const choices = [{ label: "Yes", word: "yes" }];
  const ask = async (house: ReturnType<typeof open>) => {
    await house.store.commit({ writes: await house.outbox.notice({ ...asks, text: "Shall I?", choices }) });
    house.outbox.poke();
    await house.settle();
  };
  const end = async (house: ReturnType<typeof open>) => {
    await house.store.commit({ writes: await house.outbox.endChoices({ ...asks, text: "Denied by Ana." }) });
    house.outbox.poke();
    await house.settle();
  };
  const ended = { conversation: "c1", messageId: "m1", text: "Denied by Ana." };
  const states = async (house: ReturnType<typeof open>) => (await house.rows()).map(({ state }) => state);

  test("are taken from the message that had them, and nothing of it is kept", async () => {
    const house = open();
    await house.start();
    await ask(house);
    await end(house);
    expect(house.platform.ended).toEqual([ended]);
    expect(house.texts()).toEqual(["Shall I?"]);
    expect(await house.rows()).toMatchObject([
      { state: "sent", body: "", choices: null },
      { state: "sent", body: "", external: "m1" },
    ]);
    await house.stop();
  });

  test("of a notice that nobody planned are none", async () => {
    const house = open();
    expect(await house.outbox.endChoices({ ...asks, text: "x" })).toEqual([]);
  });

  test("wait as long as the platform wants, and are taken again where no answer came", async () => {
    const house = open();
    await house.start();
    await ask(house);
    const error = problem("channel.rate-limited");
    house.platform.ends.push({ kind: "later", error, retryAfterMs: 40_000 }, { kind: "unknown", error });
    await end(house);
    await house.world.advance(39_000);
    expect(house.platform.ended).toHaveLength(1);
    await house.world.advance(60_000);
    await house.settle();
    expect(house.platform.ended).toEqual([ended, ended, ended]);
    expect(await states(house)).toEqual(["sent", "sent"]);
    await house.stop();
  });

  test("are taken after a start where a daemon ended in the middle of it", async () => {
    const first = open();
    await first.start();
    await ask(first);
    await first.stop();
    const [writes] = [await first.outbox.endChoices({ ...asks, text: ended.text })];
    await first.store.commit({ writes });
    const [, row] = await first.rows();
    await first.store.commit({
      writes: [
        { kind: "update", table: "outbox", where: { id: row?.id ?? "" }, set: { state: "sending", attempts: 1 } },
      ],
    });
    const second = open({ store: first.store });
    await second.start();
    expect(second.platform.ended).toEqual([ended]);
    expect(await states(second)).toEqual(["sent", "sent"]);
    await second.stop();
  });

  test("are not there when the notice goes out later", async () => {
    const house = open();
    await house.store.commit({ writes: await house.outbox.notice({ ...asks, text: "Shall I?", choices }) });
    await house.store.commit({ writes: await house.outbox.endChoices({ ...asks, text: ended.text }) });
    await house.start();
    expect(house.platform.arrived).toMatchObject([{ text: "Shall I?" }]);
    expect(house.platform.arrived[0]?.choices).toBeUndefined();
    expect(house.platform.ended).toEqual([ended]);
    await house.stop();
  });

  test("of a notice that was lost on the way are not there when somebody sends it again", async () => {
    const house = open();
    await house.start();
    answers(house.platform, { kind: "unknown", error: problem() });
    await ask(house);
    await end(house);
    expect(await states(house)).toEqual(["unknown", "refused"]);
    expect(house.platform.ended).toEqual([]);
    const [notice] = await house.rows();
    await house.outbox.decide(notice?.id ?? "", "resend", PERSON);
    await house.settle();
    expect(house.platform.arrived.map(({ choices: shown }) => shown)).toEqual([undefined]);
    await house.stop();
  });

  test("pass the way out like what is said", async () => {
    const asked: unknown[] = [];
    const pass: Pass = async ({ text }, begin) => {
      asked.push(text);
      await begin();
      return { text: text.replace("Ana", "[left out]") };
    };
    const house = open({ pass });
    await house.start();
    await ask(house);
    await end(house);
    expect(asked).toEqual(["Shall I?", "Denied by Ana."]);
    expect(house.platform.ended).toEqual([{ ...ended, text: "Denied by [left out]." }]);
    await house.stop();
  });
});
