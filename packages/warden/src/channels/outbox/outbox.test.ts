/** Tests which messages leave the house, on which route, and the end of the house. */
import { describe, expect, test } from "bun:test";
import type { SendResult } from "../channel.ts";
import { openOutbox, ROOM } from "../../fixtures/outbox.ts";
import { createStubPlatform, problem } from "../../fixtures/stub-channel.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { GIVE_UP_MS, type PassDelivery } from "./delivery-attempt.ts";
import { GRACE_PERIOD_MS } from "./deliveries.ts";

test("a text that the check changes is sent as changed and stored unchanged", async () => {
  const pass: PassDelivery = async (send, begin) => {
    await begin();
    return { text: send.text.replace("hush", "[left out]") };
  };
  const house = openOutbox({ pass });
  await house.start();
  await house.reply("hush now", [await house.heard(1)]);
  expect(house.texts()).toEqual(["[left out] now"]);
  expect(await house.rows()).toMatchObject([{ state: "sent", body: "hush now" }]);
  await house.stop();
});

describe("a plan", () => {
  test("has a row per piece in the conversation of its cause, and only the first piece is a reply", async () => {
    const { outbox, heard, world } = openOutbox();
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

  test("for the same reply gives the same rows, and none once they exist", async () => {
    const { outbox, heard, reply } = openOutbox();
    const cause = await heard(1);
    const { id, writes } = await reply("one\ntwo", [cause]);
    expect(writes).toHaveLength(2);
    expect(await outbox.plan({ id, room: ROOM, body: { text: "one\ntwo" }, causes: [cause] })).toEqual([]);
  });

  test("replies to the newest cause in each conversation", async () => {
    const { outbox, heard, world } = openOutbox();
    const causes = [await heard(1), await heard(2, "c2"), await heard(3)];
    const writes = await outbox.plan({ id: world.ids.fresh("evt"), room: ROOM, body: { text: "yes" }, causes });
    expect(writes).toMatchObject([
      { row: { conversation: "c1", reply_to: "p3" } },
      { row: { conversation: "c2", reply_to: "p2" } },
    ]);
  });

  test("is empty when no cause came from a channel", async () => {
    const { outbox, world } = openOutbox();
    const reply = { id: world.ids.fresh("evt"), room: ROOM, body: { text: "yes" } };
    expect(await outbox.plan({ ...reply, causes: [] })).toEqual([]);
    expect(await outbox.plan({ ...reply, causes: [world.ids.fresh("evt")] })).toEqual([]);
  });

  test("for a missing channel waits in one piece", async () => {
    const { reply, heard, start, stop, rows } = openOutbox();
    await start();
    await reply("one\ntwo", [await heard(1, "c1", "gone")]);
    expect(await rows()).toMatchObject([{ channel: "gone", body: "one\ntwo", state: "queued" }]);
    await stop();
  });
});

describe("the end of the house", () => {
  test("waits for the current send and stores its result", async () => {
    const house = openOutbox();
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

  test("R2: cuts off a send that takes too long", async () => {
    const platform = createStubPlatform();
    const house = openOutbox({
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
    await house.world.advance(GRACE_PERIOD_MS - 1);
    expect(await house.rows()).toMatchObject([{ state: "sending" }]);
    await house.world.advance(1);
    await stopped;
    expect(await house.rows()).toMatchObject([{ state: "unknown" }]);
  });
});

test("a notice has one row however often it is planned, and its text is erased when it is over", async () => {
  const house = openOutbox();
  const notice = { channel: "tele", conversation: "c1", text: "the code", idParts: ["code", "u1"] };
  const writes = await house.notices.planNotice(notice);
  await house.store.commit({ writes });
  expect(await house.notices.planNotice(notice)).toEqual([]);
  await house.start();
  expect(house.texts()).toEqual(["the code"]);
  expect(await house.rows()).toMatchObject([{ state: "sent", body: "" }]);
  await house.stop();
});

test("an empty outbox neither reads the store nor sets a timer", async () => {
  const below = createMemoryStore();
  let selects = 0;
  const house = openOutbox({
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

test("a failing store is retried, and nothing is sent twice or lost", async () => {
  const below = createMemoryStore();
  let failures = 0;
  const fail = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (failures === 0) return work();
    failures -= 1;
    return Promise.reject(new Error("the disk is away"));
  };
  const house = openOutbox({
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
  test("is called before the row is `sending`, and a held row waits for a poke", async () => {
    const asked: unknown[] = [];
    let isHeld = true;
    const house = openOutbox({
      async pass(send, begin) {
        asked.push(send);
        if (isHeld) return "held";
        await begin();
        return "allowed";
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

  test("that refuses ends the delivery with its error, and the next one is sent", async () => {
    const house = openOutbox({
      async pass({ text }, begin) {
        if (text === "a secret") return { refused: { code: "channel.refused", message: "It contains a secret." } };
        await begin();
        return "allowed";
      },
    });
    await house.start();
    const cause = await house.heard(1);
    await house.reply("a secret", [cause]);
    await house.reply("no secret", [cause]);
    const rows = await house.rows();
    expect(rows.map(({ state }) => state)).toEqual(["refused", "sent"]);
    expect(JSON.parse(rows[0]?.error ?? "")).toMatchObject({ message: "It contains a secret." });
    expect(house.texts()).toEqual(["no secret"]);
    await house.stop();
  });

  test("that never calls `begin` sends nothing, whatever it returns", async () => {
    let times = 0;
    const house = openOutbox({ pass: () => Promise.resolve((times += 1) === 1 ? "allowed" : "held") });
    await house.start();
    await house.reply("hello", [await house.heard(1)]);
    expect(house.texts()).toEqual([]);
    await house.stop();
  });
});
