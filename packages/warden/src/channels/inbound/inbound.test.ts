import { describe, expect, test } from "bun:test";
import { HearthError, isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { group, hash, openChannelHouse, update } from "../../fixtures/channel-house.ts";
import { createStubChannels, createStubPlatform } from "../../fixtures/stub-channel.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { CODE_MS, MAX_PENDING } from "./strangers.ts";

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "it did",
    (error: HearthError) => (isHearthError(error) ? error.code : String(error)),
  );

describe("a message of an allowed sender", () => {
  test("is in the direct room of that person and the channel's agent when it is accepted", async () => {
    const house = await openChannelHouse();
    await house.allow();
    const accepted = await house.inbound.accept("tele", update(1));
    const room = await house.rooms.direct(house.owner.id, house.bot.id);
    expect(accepted).toEqual({ kind: "accepted", room: room.id, event: expect.stringContaining("evt_") as never });
    expect(await house.said()).toMatchObject([
      { type: "message", room: room.id, author: house.owner.id, body: { text: "text 1" }, causes: [], offset: 1 },
    ]);
    expect(await house.store.select({ table: "inbound" })).toMatchObject([
      { channel: "tele", external: "u1", message: "p1", room: room.id, fate: "accepted" },
    ]);
    expect(await house.store.select({ table: "conversations" })).toMatchObject([
      { channel: "tele", conversation: "d1", kind: "direct", room: room.id },
    ]);
  });

  test("B2, R12: is stored once however often it comes, and its cursor is stored each time", async () => {
    const house = await openChannelHouse();
    await house.allow();
    await house.inbound.accept("tele", update(1));
    expect(await house.inbound.accept("tele", update(1), "c1")).toEqual({ kind: "duplicate" });
    const twice = await Promise.all([house.inbound.accept("tele", update(2)), house.inbound.accept("tele", update(2))]);
    expect(twice.map(({ kind }) => kind)).toEqual(["accepted", "duplicate"]);
    expect(await house.said()).toHaveLength(2);
    expect(await house.store.select({ table: "cursors" })).toEqual([{ channel: "tele", cursor: "c1" }]);
  });

  test("keeps its order among concurrent messages", async () => {
    const house = await openChannelHouse();
    await house.allow();
    await Promise.all(Array.from({ length: 10 }, (_, index) => house.inbound.accept("tele", update(index))));
    expect((await house.said()).map((event) => (event as { body: { text: string } }).body.text)).toEqual(
      Array.from({ length: 10 }, (_, index) => `text ${index}`),
    );
  });

  test("links to the message that it replies to, when that is in the same room", async () => {
    const house = await openChannelHouse();
    await house.allow();
    const first = await house.inbound.accept("tele", update(1));
    if (first.kind !== "accepted") throw new Error("the message was not accepted");
    const id = house.world.ids.fresh("evt");
    const writes = await house.outbox.plan({ id, room: first.room, body: { text: "ours" }, causes: [first.event] });
    await house.store.commit({ writes });
    const closing = new AbortController();
    const running = house.outbox.run(closing.signal);
    await house.settle();
    closing.abort();
    await running;
    await house.inbound.accept("tele", update(2, { replyTo: "p1" }));
    await house.inbound.accept("tele", update(3, { replyTo: "m1" }));
    await house.inbound.accept("tele", update(4, { replyTo: "unknown message" }));
    const replies = (await house.said()).slice(1) as { replyTo?: string }[];
    expect(replies.map(({ replyTo }) => replyTo)).toEqual([first.event, id, undefined]);
  });

  test("is stored whatever its text and names contain", async () => {
    const house = await openChannelHouse();
    await house.allow();
    await house.inbound.accept("tele", update(1, { text: "half \ud800 and \u0000" }));
    expect(await house.said()).toMatchObject([{ body: { text: "half \ufffd and \u0000" } }]);
    const Text = fc.string({ unit: "binary", minLength: 1, maxLength: 300 });
    let number = 1;
    await fc.assert(
      fc.asyncProperty(Text, Text, Text, fc.boolean(), async (text, name, id, isDirect) => {
        number += 1;
        const conversation = { id, kind: isDirect ? ("direct" as const) : ("group" as const), name };
        const accepted = await house.inbound.accept("tele", update(number, { text, conversation }));
        expect(accepted.kind).toBe("accepted");
      }),
      { numRuns: 30 },
    );
  });

  test("queues an activation of the channel's agent", async () => {
    const house = await openChannelHouse({ settings: { agent: "nobody" } });
    await house.allow();
    expect(await codeOf(house.inbound.accept("tele", update(1)))).toBe("channel.failed");
    expect(await house.store.select({ table: "inbound" })).toEqual([]);
    await house.records.mutate(
      { kind: "create", type: "agent", content: { name: "nobody", kind: "bot" } },
      house.owner.id,
    );
    expect((await house.inbound.accept("tele", update(1))).kind).toBe("accepted");
  });
});

test("an anonymous message is ignored and listed, and its sender learns why if it addresses the agent", async () => {
  const house = await openChannelHouse();
  await house.allow();
  for (const [number, isMention] of [
    [1, false],
    [2, true],
  ] as const)
    expect(await house.inbound.accept("tele", group(number, { isMention, isAnonymous: true }))).toEqual({
      kind: "refused",
      fate: "ignored",
    });
  expect(await house.said()).toEqual([]);
  expect((await house.inbound.listRefused("tele", 10)).map(({ fate }) => fate)).toEqual(["ignored", "ignored"]);
  const notices = await house.store.select({ table: "outbox" });
  expect(notices.map(({ body }) => body)).toEqual([expect.stringContaining("Write as yourself")]);
});

describe("a group", () => {
  test("gets a room with its name, the person and the agent, and a mention wakes the agent", async () => {
    const house = await openChannelHouse();
    await house.allow();
    await house.inbound.accept("tele", group(1, { text: "@main hears its handle elsewhere" }));
    await house.inbound.accept("tele", group(2, { isMention: true }));
    const room = await house.records.get("room", "family");
    expect(room.content).toMatchObject({ kind: "group", name: "Family", members: [house.owner.id, house.bot.id] });
    expect(await house.said()).toMatchObject([
      { room: room.id, mentions: [] },
      { room: room.id, mentions: [house.bot.id] },
    ]);
  });

  test("gets another name when its own is taken, and each conversation gets its own room", async () => {
    const house = await openChannelHouse();
    await house.allow();
    for (const id of ["g1", "g2", "g3"]) {
      const conversation = { id, kind: "group" as const, name: "Family" };
      await house.inbound.accept("tele", group(Number(id.slice(1)), { conversation }));
    }
    const names = (await house.records.list("room")).map(({ content }) => content.name);
    expect(names).toEqual(["Main", "Family", "Family (tele)", expect.stringMatching(/^Family room_/) as never]);
  });

  test("is created once when several people write first at the same time", async () => {
    const house = await openChannelHouse();
    await house.allow();
    const all = await Promise.all([1, 2, 3].map((number) => house.inbound.accept("tele", group(number))));
    expect(all.map(({ kind }) => kind)).toEqual(["accepted", "accepted", "accepted"]);
    expect(await house.records.list("room")).toHaveLength(2);
  });

  test("is not recreated by a redelivered update after its removal", async () => {
    const house = await openChannelHouse();
    await house.allow();
    await house.inbound.accept("tele", group(1));
    await house.records.mutate({ kind: "remove", id: (await house.records.get("room", "family")).id }, house.owner.id);
    expect(await house.inbound.accept("tele", group(1))).toEqual({ kind: "duplicate" });
    expect(await house.records.list("room")).toHaveLength(1);
  });

  test("adds further senders as members, and is recreated by a new message after its removal", async () => {
    const house = await openChannelHouse();
    await house.allow();
    const { id: ben } = await house.records.mutate(
      { kind: "create", type: "agent", content: { name: "Ben", kind: "human" } },
      house.owner.id,
    );
    await house.allow("s2", ben as never);
    await house.inbound.accept("tele", group(1));
    await house.inbound.accept("tele", group(2, { sender: { id: "s2", name: "Ben" } }));
    const room = await house.records.get("room", "family");
    expect(room.content.members).toEqual([house.owner.id, house.bot.id, ben as never]);
    await house.records.mutate({ kind: "remove", id: room.id }, house.owner.id);
    const again = await house.inbound.accept("tele", group(3));
    expect(again).toMatchObject({ kind: "accepted", room: (await house.records.get("room", "family")).id });
    expect(again).not.toMatchObject({ room: room.id });
  });

  test("of strangers gets no room and no pairing code", async () => {
    const house = await openChannelHouse();
    expect(await house.inbound.accept("tele", group(1, { isMention: true }))).toEqual({
      kind: "refused",
      fate: "unpaired",
    });
    expect(await house.records.list("room")).toHaveLength(1);
    expect(await house.store.select({ table: "outbox" })).toEqual([]);
    expect(await house.pairings.list()).toEqual([]);
  });
});

describe("an edit", () => {
  const edit = (number: number, of: number, text: string) =>
    update(number, { kind: "edit", messageId: `p${of}`, text });

  test("changes the message that it names, once", async () => {
    const house = await openChannelHouse();
    await house.allow();
    const first = await house.inbound.accept("tele", update(1));
    await house.inbound.accept("tele", edit(2, 1, "better"));
    await house.inbound.accept("tele", edit(2, 1, "better"));
    await house.inbound.accept("tele", edit(3, 1, "best"));
    const message = first.kind === "accepted" ? first.event : undefined;
    expect((await house.said()).slice(1)).toMatchObject([
      { type: "message-edited", message, by: house.owner.id, body: { text: "better" } },
      { type: "message-edited", message, by: house.owner.id, body: { text: "best" } },
    ]);
  });

  test("changes the message and not its last edit, in any order of the store's rows", async () => {
    const below = createMemoryStore();
    const house = await openChannelHouse({
      store: { ...below, select: async (query) => (await below.select(query)).toReversed() },
    });
    await house.allow();
    const first = await house.inbound.accept("tele", update(1));
    await house.inbound.accept("tele", edit(2, 1, "better"));
    await house.inbound.accept("tele", edit(3, 1, "best"));
    const events = await house.store.select({ table: "events" });
    const edits = events
      .filter(({ type }) => type === "message-edited")
      .map(({ body }) => JSON.parse(body ?? "").message);
    expect(first).toMatchObject({ kind: "accepted", event: edits[0] });
    expect(new Set(edits).size).toBe(1);
  });

  test("of a message that never came counts as the message, and the late message is ignored", async () => {
    const house = await openChannelHouse();
    await house.allow();
    expect((await house.inbound.accept("tele", edit(2, 1, "as it reads at last"))).kind).toBe("accepted");
    expect(await house.inbound.accept("tele", update(1))).toEqual({ kind: "refused", fate: "ignored" });
    expect(await house.said()).toMatchObject([{ type: "message", body: { text: "as it reads at last" } }]);
    await house.inbound.accept("tele", edit(3, 1, "later still"));
    expect((await house.said())[1]).toMatchObject({ type: "message-edited", body: { text: "later still" } });
  });

  test("of a deleted message, or of another sender's message, is ignored", async () => {
    const house = await openChannelHouse();
    await house.allow();
    await house.allow("s2");
    const first = await house.inbound.accept("tele", update(1));
    if (first.kind !== "accepted") throw new Error("the message was not accepted");
    expect(
      await house.inbound.accept("tele", { ...edit(2, 1, "not mine"), sender: { id: "s2", name: "Ben" } }),
    ).toEqual({
      kind: "refused",
      fate: "ignored",
    });
    await house.rooms.remove(first.room, first.event, house.owner.id);
    expect(await house.inbound.accept("tele", edit(3, 1, "gone"))).toEqual({ kind: "refused", fate: "ignored" });
    expect((await house.said()).map(({ type }) => type)).toEqual(["message", "message-deleted"]);
  });

  test("that conflicts with the deletion of its message is ignored", async () => {
    const below = createMemoryStore();
    let before = async (): Promise<void> => {};
    const house = await openChannelHouse({
      store: {
        ...below,
        async commit(change) {
          const isEdit = change.writes.some(
            (write) => write.kind === "append" && write.event.type === "message-edited",
          );
          if (isEdit) await before();
          return below.commit(change);
        },
      },
    });
    await house.allow();
    const first = await house.inbound.accept("tele", update(1));
    if (first.kind !== "accepted") throw new Error("the message was not accepted");
    before = async () => void (await house.rooms.remove(first.room, first.event, house.owner.id));
    expect(await house.inbound.accept("tele", edit(2, 1, "too late"))).toEqual({ kind: "refused", fate: "ignored" });
    expect((await house.said()).map(({ type }) => type)).toEqual(["message", "message-deleted"]);
  });
});

describe("a stranger", () => {
  test("B4: gets a pairing code, and their message is added to no room", async () => {
    const house = await openChannelHouse();
    expect(await house.inbound.accept("tele", update(1, { text: "let me in, or else" }))).toEqual({
      kind: "refused",
      fate: "unpaired",
    });
    expect(await house.said()).toEqual([]);
    expect(await house.store.select({ table: "outbox" })).toMatchObject([
      { channel: "tele", conversation: "d1", event: null },
    ]);
    const code = await house.lastCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const senders = JSON.stringify(await house.store.select({ table: "senders" }));
    expect(senders).not.toContain(code.replace("-", ""));
    expect(await house.inbound.listRefused("tele", 10)).toMatchObject([
      { externalId: "u1", sender: "s1", fate: "unpaired" },
    ]);
  });

  test("gets one pairing code per hour, however often they write", async () => {
    const house = await openChannelHouse();
    await house.inbound.accept("tele", update(1));
    await house.inbound.accept("tele", update(1));
    await house.inbound.accept("tele", update(2));
    await house.world.advance(CODE_MS - 1);
    await house.inbound.accept("tele", update(3));
    expect(await house.store.select({ table: "outbox" })).toHaveLength(1);
    const first = await house.lastCode();
    await house.world.advance(1);
    await house.inbound.accept("tele", update(4));
    expect(await house.store.select({ table: "outbox" })).toHaveLength(2);
    expect(await house.lastCode()).not.toBe(first);
    expect(await house.store.select({ table: "senders" })).toHaveLength(1);
  });

  test("gets no answer when blocked", async () => {
    const house = await openChannelHouse();
    await house.inbound.accept("tele", update(1));
    await house.pairings.block("tele", "s1", house.owner.id);
    await house.world.advance(2 * CODE_MS);
    expect(await house.inbound.accept("tele", update(2))).toEqual({ kind: "refused", fate: "blocked" });
    expect(await house.store.select({ table: "outbox" })).toHaveLength(1);
    expect(await house.said()).toEqual([]);
  });

  test("is also a person who was removed from the house", async () => {
    const house = await openChannelHouse();
    const { id } = await house.records.mutate(
      { kind: "create", type: "agent", content: { name: "Ben", kind: "human" } },
      house.owner.id,
    );
    await house.allow("s1", id as never);
    expect((await house.inbound.accept("tele", update(1))).kind).toBe("accepted");
    await house.records.mutate({ kind: "remove", id }, house.owner.id);
    expect(await house.inbound.accept("tele", update(2))).toEqual({ kind: "refused", fate: "unpaired" });
  });

  test("B4: in a crowd leaves only the row of the update", async () => {
    const house = await openChannelHouse();
    for (let number = 0; number < MAX_PENDING + 3; number += 1)
      await house.inbound.accept("tele", update(number, { sender: { id: `s${number}`, name: "Crowd" } }));
    expect(await house.store.select({ table: "senders" })).toHaveLength(MAX_PENDING);
    expect(await house.store.select({ table: "outbox" })).toHaveLength(MAX_PENDING);
    await house.world.advance(CODE_MS);
    await house.inbound.accept("tele", update(1000, { sender: { id: "late", name: "Late" } }));
    expect(await house.store.select({ table: "senders" })).toMatchObject([{ external: "late" }]);
  });
});

describe("a webhook", () => {
  const deliver = (house: Awaited<ReturnType<typeof openChannelHouse>>, ...inbound: unknown[]) =>
    house.inbound.receive("tele", { headers: new Headers(), body: new TextEncoder().encode(JSON.stringify(inbound)) });

  test("is durable when it resolves", async () => {
    const house = await openChannelHouse();
    await house.allow();
    await deliver(house, update(1), update(2));
    expect(await house.said()).toHaveLength(2);
  });

  test("of a channel that does not exist or is off is refused", async () => {
    const house = await openChannelHouse();
    const body = new TextEncoder().encode("[]");
    expect(await codeOf(house.inbound.receive("nobody", { headers: new Headers(), body }))).toBe("channel.unknown");
    const world = createFakeWorld({ hash });
    const channels = createStubChannels({}, world);
    const off = { ...channels, settings: house.channels.settings };
    const other = await openChannelHouse({ channels: off });
    expect(await codeOf(deliver(other))).toBe("channel.failed");
  });

  test("rejects while the channel's agent does not exist, and stores nothing", async () => {
    const house = await openChannelHouse({ settings: { agent: "nobody" } });
    await house.allow();
    expect(await codeOf(deliver(house, update(1)))).toBe("channel.failed");
    expect(await house.store.select({ table: "inbound" })).toEqual([]);
  });

  test("continues after an update that a bug keeps out, and shows that update", async () => {
    const below = createMemoryStore();
    const house = await openChannelHouse({
      store: {
        ...below,
        commit: (change) =>
          change.writes.some((write) => write.kind === "append" && write.event.body?.includes("poison") === true)
            ? Promise.reject(new TypeError("a bug"))
            : below.commit(change),
      },
    });
    await house.allow();
    const delivered = deliver(house, update(1, { text: "poison" }), update(2));
    for (let seconds = 0; seconds < 10; seconds += 1) {
      await house.world.advance(1000);
      await house.settle();
    }
    await delivered;
    expect(await house.said()).toMatchObject([{ body: { text: "text 2" } }]);
    expect(await house.inbound.listRefused("tele", 10)).toMatchObject([{ externalId: "u1", fate: "failed" }]);
  });

  test("accepts an update whose first attempt failed by a bug", async () => {
    const below = createMemoryStore();
    let failsNext = false;
    const house = await openChannelHouse({
      store: {
        ...below,
        commit: (change) => {
          if (!failsNext) return below.commit(change);
          failsNext = false;
          return Promise.reject(new TypeError("a bug"));
        },
      },
    });
    await house.allow();
    failsNext = true;
    const delivered = deliver(house, update(1));
    for (let seconds = 0; seconds < 3; seconds += 1) {
      await house.world.advance(1000);
      await house.settle();
    }
    await delivered;
    expect(failsNext).toBe(false);
    expect(await house.said()).toMatchObject([{ body: { text: "text 1" } }]);
    expect(await house.inbound.listRefused("tele", 10)).toEqual([]);
  });

  test("rejects when the disk refuses writes, so that the platform delivers again", async () => {
    const below = createMemoryStore();
    let isFull = false;
    const house = await openChannelHouse({
      store: { ...below, commit: (change) => (isFull ? Promise.reject(unavailable()) : below.commit(change)) },
    });
    await house.allow();
    isFull = true;
    expect(await codeOf(deliver(house, update(1)))).toBe("store.unavailable");
    isFull = false;
    await deliver(house, update(1));
    expect(await house.said()).toHaveLength(1);
  });
});

const unavailable = (): Error => new HearthError("store.unavailable", "full");

describe("a polled channel", () => {
  const follow = async (house: Awaited<ReturnType<typeof openChannelHouse>>) => {
    const closing = new AbortController();
    const running = house.inbound.run(closing.signal);
    await house.settle();
    return async () => {
      closing.abort();
      await house.settle();
      await running;
    };
  };

  test("is set to polling, is read from its cursor, and acknowledges stored updates", async () => {
    const platform = createStubPlatform();
    platform.batches.push({ inbound: [update(1), update(2)], cursor: "a" }, { inbound: [], cursor: "b" });
    const house = await openChannelHouse({ platform });
    await house.allow();
    await (
      await follow(house)
    )();
    expect(platform.webhooks).toEqual([undefined]);
    expect(await house.said()).toHaveLength(2);
    expect(platform.acknowledged).toEqual([undefined, "a", "b"]);
    platform.batches.push({ inbound: [update(3)], cursor: "c" });
    await (
      await follow(house)
    )();
    expect(platform.acknowledged).toEqual([undefined, "a", "b", "b", "c"]);
    expect(await house.said()).toHaveLength(3);
  });

  test("stores a cursor with the last update of its batch and not before", async () => {
    const cursors: unknown[] = [];
    const below = createMemoryStore();
    const house = await openChannelHouse({
      store: {
        ...below,
        async commit(change) {
          const result = await below.commit(change);
          if (change.writes.some((write) => write.kind === "insert" && write.table === "inbound"))
            cursors.push((await below.select({ table: "cursors" }))[0]?.cursor);
          return result;
        },
      },
    });
    await house.allow();
    house.platform.batches.push({ inbound: [update(1), update(2)], cursor: "a" });
    await (
      await follow(house)
    )();
    expect(cursors).toEqual([undefined, "a"]);
  });

  test("waits when the disk is full, logs that, and loses nothing", async () => {
    const below = createMemoryStore();
    let isFull = false;
    const house = await openChannelHouse({
      store: { ...below, commit: (change) => (isFull ? Promise.reject(unavailable()) : below.commit(change)) },
    });
    await house.allow();
    house.platform.batches.push({ inbound: [update(1)], cursor: "a" });
    isFull = true;
    const stop = await follow(house);
    await house.world.advance(60_000);
    expect(house.channels.state("tele")).toMatchObject({ state: "failing", error: { code: "store.unavailable" } });
    expect(house.platform.acknowledged).toEqual([undefined]);
    isFull = false;
    await house.world.advance(1000);
    await house.settle();
    expect(house.channels.state("tele")).toEqual({ state: "ready" });
    expect(await house.said()).toHaveLength(1);
    await stop();
  });

  test("continues after an update that a bug keeps out, and shows that update", async () => {
    const below = createMemoryStore();
    const house = await openChannelHouse({
      store: {
        ...below,
        commit: (change) =>
          change.writes.some((write) => write.kind === "append" && write.event.body?.includes("poison") === true)
            ? Promise.reject(new TypeError("a bug"))
            : below.commit(change),
      },
    });
    await house.allow();
    house.platform.batches.push({ inbound: [update(1, { text: "poison" }), update(2)], cursor: "a" });
    const stop = await follow(house);
    for (let seconds = 0; seconds < 10; seconds += 1) {
      await house.world.advance(1000);
      await house.settle();
    }
    expect(await house.said()).toMatchObject([{ body: { text: "text 2" } }]);
    expect(await house.inbound.listRefused("tele", 10)).toMatchObject([{ externalId: "u1", fate: "failed" }]);
    expect(house.log.lines.some((line) => line.includes("could not accept an update"))).toBe(true);
    await stop();
  });

  test("that rejects its webhook setting is retried with growing pauses, and logs that", async () => {
    const platform = createStubPlatform();
    let asked = 0;
    const refusing = {
      ...platform.channel,
      setWebhook: async () => {
        asked += 1;
        if (asked < 20) throw new HearthError("channel.unreachable", "It is away.");
      },
    };
    const house = await openChannelHouse({ platform, channel: refusing });
    const stop = await follow(house);
    await house.world.advance(10_000);
    expect(asked).toBeLessThan(6);
    expect(house.channels.state("tele")).toMatchObject({ state: "failing", error: { code: "channel.unreachable" } });
    for (let minutes = 0; minutes < 30; minutes += 1) await house.world.advance(60_000);
    await house.settle();
    expect(asked).toBe(20);
    expect(platform.acknowledged).toEqual([undefined]);
    await stop();
  });

  test("without its token is checked again, and read once it has one", async () => {
    const platform = createStubPlatform();
    platform.batches.push({ inbound: [update(1)], cursor: "a" });
    const world = createFakeWorld({ hash });
    const there = createStubChannels({ tele: platform }, world);
    let hasToken = false;
    const channels = { ...there, open: async (name: string) => (hasToken ? there.open(name) : undefined) };
    const house = await openChannelHouse({ world, channels });
    await house.allow();
    const stop = await follow(house);
    await world.advance(60_000);
    expect(await house.said()).toEqual([]);
    hasToken = true;
    await world.advance(60_000);
    await house.settle();
    expect(await house.said()).toHaveLength(1);
    await stop();
  });

  test("in mode `webhook` gets the URL of the house and is not polled", async () => {
    const platform = createStubPlatform();
    const settings = { mode: "webhook", webhookUrl: "https://house.example/hooks/tele" } as const;
    const house = await openChannelHouse({ platform, settings });
    await (
      await follow(house)
    )();
    expect(platform.webhooks).toEqual(["https://house.example/hooks/tele"]);
    expect(platform.acknowledged).toEqual([]);
  });
});
