import { describe, expect, test } from "bun:test";
import { StoredMessage } from "@hearth/protocol";
import { delta, DELTAS, ID, ROOM, roomOf, said, setUp, upTo } from "./fake-following.ts";
import { MAX_STREAMS } from "./socket/resuming-socket.ts";

describe("following over one socket", () => {
  test("cut at random points, in random frames, every stream comes out whole: nothing lost, nothing double", async () => {
    for (let round = 0; round < 25; round += 1) {
      const { world, wire, follow, random } = setUp();
      for (let skip = 0; skip < round; skip += 1) random();
      wire.cutAfter(() => 2 + Math.floor(random() * 12));
      const streams = [roomOf(1), roomOf(2), roomOf(3)];
      const followers = streams.flatMap((stream, index) => [follow(stream), follow(stream, { after: index })]);
      for (let count = 0; count < 60; count += 1) {
        wire.setBatch(1 + Math.floor(random() * 5));
        for (const stream of streams) if (random() < 0.7) wire.append(stream, said("x"));
        if (random() < 0.4) await world.advance(Math.floor(random() * 300));
        if (random() < 0.1) wire.cut();
        if (random() < 0.05) wire.silence();
      }
      wire.cutAfter(undefined);
      wire.cut();
      await world.advance(60_000);
      for (const [index, follower] of followers.entries()) {
        const stream = streams[Math.floor(index / 2)]!;
        const after = index % 2 === 0 ? 0 : Math.floor(index / 2);
        expect([...follower.offsets()]).toEqual([...upTo(wire.read(stream).length, after + 1)]);
      }
    }
  });

  test("an in-memory stream that begins anew at random is shown as it is in the end", async () => {
    for (let round = 0; round < 25; round += 1) {
      const { world, wire, followDeltas, random } = setUp();
      for (let skip = 0; skip < round; skip += 1) random();
      const one = followDeltas();
      let other = followDeltas();
      for (let count = 0; count < 40; count += 1) {
        wire.append(DELTAS, delta(`${round}.${count} `));
        if (random() < 0.5) await world.advance(Math.floor(random() * 200));
        if (random() < 0.1) wire.cut();
        if (random() < 0.1) wire.restart();
        if (random() < 0.1) {
          other.stop();
          other = followDeltas();
        }
      }
      await world.advance(30_000);
      // A stream that stands exactly one short of where it was read shows what it is by its next event.
      wire.append(DELTAS, delta("last"));
      await world.advance(30_000);
      const whole = wire.read(DELTAS).map((event) => (event.type === "text-delta" ? event.text : ""));
      expect(one.text()).toBe(whole.join(""));
      expect(other.text()).toBe(whole.join(""));
    }
  });

  test("begins after the offset that the reader has", async () => {
    const { wire, follow, settle } = setUp();
    for (let count = 0; count < 5; count += 1) wire.append(ROOM, said("x"));
    const { kinds, offsets } = follow(ROOM, { after: 3 });
    await settle();
    expect(kinds()).toEqual(["open", "event", "event"]);
    expect(offsets()).toEqual([4, 5]);
  });

  test("two followers of one stream share a subscription, also when the second has less than the first", async () => {
    const { wire, follow, settle } = setUp();
    for (let count = 0; count < 5; count += 1) wire.append(ROOM, said("x"));
    const late = follow(ROOM, { after: 4 });
    await settle();
    // On its way when the second one asks for more.
    wire.append(ROOM, said("x"));
    const all = follow(ROOM);
    await settle();
    wire.append(ROOM, said("x"));
    const last = follow(ROOM, { after: 5 });
    await settle();
    expect(last.offsets()).toEqual([6, 7]);
    expect(late.offsets()).toEqual([5, 6, 7]);
    expect(late.kinds().filter((kind) => kind === "open")).toHaveLength(1);
    expect(all.offsets()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all.kinds()[0]).toBe("open");
  });

  test("each of those that come at once gets what is after its own offset", async () => {
    const { wire, follow, settle } = setUp();
    for (let count = 0; count < 5; count += 1) wire.append(ROOM, said("x"));
    follow(roomOf(9));
    await settle();
    const followers = [4, 3, 0, 2].map((after) => follow(ROOM, { after }));
    await settle();
    expect(followers.map(({ offsets }) => offsets().length)).toEqual([1, 2, 5, 3]);
    expect(followers.map(({ kinds }) => kinds()[0])).toEqual(["open", "open", "open", "open"]);
  });

  test("one that joins with as much as the others have is open at once, without another subscription", async () => {
    const { wire, follow, settle } = setUp();
    wire.append(ROOM, said("x"));
    follow(ROOM);
    await settle();
    const second = follow(ROOM, { after: 1 });
    await settle();
    expect(second.kinds()).toEqual(["open"]);
    expect(wire.requests.map(({ op }) => op)).toEqual(["subscribe"]);
  });

  test("`lost` and `open` are said once per outage", async () => {
    const { world, wire, follow, settle } = setUp();
    const { kinds, items } = follow(ROOM);
    await settle();
    wire.refuse(1006);
    wire.cut();
    await world.advance(20_000);
    expect(kinds()).toEqual(["open", "lost"]);
    expect(items[1]).toMatchObject({ error: { code: "house.unreachable" } });
    wire.refuse(undefined);
    await world.advance(5_000);
    expect(kinds()).toEqual(["open", "lost", "open"]);
    expect(wire.requests.filter(({ op }) => op !== "ping").map(({ op }) => op)).toEqual(["subscribe", "subscribe"]);
  });

  test("one that comes during an outage is told when it is over", async () => {
    const { world, wire, follow, settle } = setUp();
    follow(ROOM);
    await settle();
    wire.cut();
    const late = follow(ROOM);
    wire.append(ROOM, said("x"));
    await world.advance(1_000);
    expect(late.kinds()).toEqual(["open", "event"]);
    expect(wire.requests.map(({ op }) => op)).toEqual(["subscribe", "subscribe"]);
  });

  test("an event of an unknown type is passed over and not asked for again", async () => {
    const { wire, follow, settle, world } = setUp();
    const { offsets } = follow(ROOM);
    await settle();
    const event = { ...said("x"), id: `evt_${ID}9`, offset: 2 };
    const strange = { type: "from-tomorrow", id: `evt_${ID}8`, offset: 1 };
    wire.say(JSON.stringify({ type: "events", stream: ROOM, events: [strange, event], next: 2 }));
    await settle();
    expect(offsets()).toEqual([2]);
    wire.cut();
    await world.advance(1_000);
    expect(wire.requests.at(-1)).toMatchObject({ op: "subscribe", after: 2 });
  });

  test("events that the house sends again are passed over", async () => {
    const { wire, follow, settle } = setUp();
    const { offsets } = follow(ROOM);
    const event = wire.append(ROOM, said("x"));
    await settle();
    wire.say(JSON.stringify({ type: "events", stream: ROOM, events: [event], next: 1 }));
    await settle();
    expect(offsets()).toEqual([1]);
  });

  test("what is no frame costs the line and nothing else; a frame of an unknown type costs nothing", async () => {
    for (const text of [
      "{",
      "null",
      "7",
      "{}",
      `{"type":"events","stream":"${ROOM}","events":[{}]}`,
      `{"type":"answer"}`,
    ]) {
      const { world, wire, socket, follow, settle } = setUp();
      const { offsets } = follow(ROOM);
      await settle();
      wire.say(text);
      expect(socket.state().kind).toBe("lost");
      wire.append(ROOM, said("x"));
      await world.advance(1_000);
      expect(offsets()).toEqual([1]);
    }
    const { wire, socket, follow, settle } = setUp();
    follow(ROOM);
    await settle();
    wire.say(`{"type":"from-tomorrow"}`);
    wire.say(`{"type":"events","stream":"room:unheard-of","events":[],"next":0}`);
    wire.say(`{"type":"ended","stream":"${DELTAS}"}`);
    expect(socket.state().kind).toBe("open");
  });

  test("an in-memory stream that is complete ends its followers, also when nothing of it is left", async () => {
    const { wire, followDeltas, settle } = setUp();
    wire.append(DELTAS, delta("a"));
    const early = followDeltas();
    await settle();
    wire.append(DELTAS, delta("b"));
    wire.end(DELTAS);
    await early.over;
    expect(early.kinds()).toEqual(["open", "event", "event", "end"]);
    early.stop();
    await settle();
    expect(wire.requests.map(({ op }) => op)).toEqual(["subscribe"]);
    wire.end(DELTAS, "forgotten");
    const late = followDeltas();
    await late.over;
    expect(late.kinds()).toEqual(["open", "end"]);
  });

  test("one that comes while an in-memory stream ends gets all of it first", async () => {
    const { wire, followDeltas, settle } = setUp();
    wire.append(DELTAS, delta("a"));
    followDeltas();
    await settle();
    wire.end(DELTAS);
    const late = followDeltas();
    await late.over;
    expect(late.kinds()).toEqual(["open", "event", "end"]);
  });

  test("an in-memory stream that goes on after a cut does not begin anew", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b"]) wire.append(DELTAS, delta(text));
    const { kinds, text } = followDeltas();
    await settle();
    for (const next of ["c", "d", "e"]) {
      wire.cut();
      wire.append(DELTAS, delta(next));
      await world.advance(1_000);
      wire.append(DELTAS, delta("."));
      await settle();
    }
    expect(text()).toBe("abc.d.e.");
    expect(kinds()).not.toContain("restarted");
    wire.restart();
    wire.append(DELTAS, delta("A"));
    await world.advance(1_000);
    const { length } = wire.requests;
    followDeltas(1);
    await settle();
    expect(wire.requests).toHaveLength(length);
    wire.cut();
    for (const next of "BCDEFGHIJK") wire.append(DELTAS, delta(next));
    await world.advance(1_000);
    expect(text()).toBe("ABCDEFGHIJK");
    expect(kinds().filter((kind) => kind === "restarted")).toHaveLength(1);
  });

  test("an in-memory stream that has dropped what was read last begins anew with what is left", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b"]) wire.append(DELTAS, delta(text));
    const { text } = followDeltas();
    await settle();
    wire.cut();
    for (const next of ["c", "d", "e"]) wire.append(DELTAS, delta(next));
    wire.keepLast(DELTAS, 2);
    await world.advance(1_000);
    expect(text()).toBe("de");
  });

  test("an in-memory stream that began anew is found out also where another follower asks for all of it", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b", "c", "d", "e"]) wire.append(DELTAS, delta(text));
    const one = followDeltas();
    await settle();
    wire.restart();
    const other = followDeltas();
    for (const text of ["A", "B"]) wire.append(DELTAS, delta(text));
    await world.advance(1_000);
    expect([one.text(), other.text()]).toEqual(["AB", "AB"]);
  });

  test("an in-memory stream that is shorter than what was read begins anew", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b", "c"]) wire.append(DELTAS, delta(text));
    const { kinds, text } = followDeltas();
    await settle();
    wire.restart();
    wire.append(DELTAS, delta("A"));
    await world.advance(1_000);
    expect(kinds().filter((kind) => kind === "restarted")).toHaveLength(1);
    expect(text()).toBe("A");
  });

  test("an in-memory stream that begins anew and is longer than what was read is found out by its last event", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b"]) wire.append(DELTAS, delta(text));
    const { kinds, text } = followDeltas();
    await settle();
    wire.restart();
    for (const next of ["a", "b", "C"]) wire.append(DELTAS, delta(next));
    await world.advance(1_000);
    expect(kinds().filter((kind) => kind === "restarted")).toHaveLength(1);
    expect(text()).toBe("abC");
  });

  test("a stream that the house refuses fails for its followers; the others go on", async () => {
    const { wire, follow, settle } = setUp();
    wire.deny(roomOf(2), { code: "record.not-found", message: "gone", hint: "look elsewhere" });
    const refused = follow(roomOf(2));
    const fine = follow(ROOM);
    await refused.over;
    expect(refused.items).toMatchObject([
      { kind: "failed", error: { code: "record.not-found", hint: "look elsewhere" } },
    ]);
    wire.append(ROOM, said("x"));
    await settle();
    expect(fine.offsets()).toEqual([1]);
  });

  test("a stream that the house cannot give just then is asked for again", async () => {
    const { world, wire, follow, settle } = setUp();
    wire.deny(ROOM, { code: "store.unavailable", message: "busy" });
    wire.append(ROOM, said("x"));
    const { kinds } = follow(ROOM);
    await settle();
    expect(kinds()).toEqual(["lost"]);
    wire.deny(ROOM, undefined);
    await world.advance(1_000);
    expect(kinds()).toEqual(["lost", "open", "event"]);
  });

  test("the hundred and first stream fails with what to do, until another is left", async () => {
    const { follow, settle, wire } = setUp();
    const followers = upTo(MAX_STREAMS).map((index) => follow(roomOf(index)));
    await settle();
    const one = follow(roomOf(500));
    await one.over;
    expect(one.items).toMatchObject([{ kind: "failed", error: { code: "request.invalid" } }]);
    followers[0]?.stop();
    wire.append(roomOf(500), said("x"));
    const again = follow(roomOf(500));
    await settle();
    expect(again.offsets()).toEqual([1]);
    again.stop();
    wire.deny(roomOf(501), { code: "record.not-found", message: "gone" });
    const refused = follow(roomOf(501));
    await refused.over;
    expect(refused.items).toMatchObject([{ error: { code: "record.not-found" } }]);
    const instead = follow(roomOf(502));
    await settle();
    expect(instead.kinds()).toEqual(["open"]);
  });

  test("an aborted follower takes nothing more, and the last one takes the subscription with it", async () => {
    const { wire, follow, settle } = setUp();
    const one = follow(ROOM);
    const other = follow(ROOM);
    await settle();
    one.stop();
    await one.over;
    wire.append(ROOM, said("x"));
    await settle();
    expect(one.offsets()).toEqual([]);
    expect(other.offsets()).toEqual([1]);
    expect(wire.requests.some(({ op }) => op === "unsubscribe")).toBe(false);
    other.stop();
    await settle();
    expect(wire.requests.at(-1)).toMatchObject({ op: "unsubscribe", stream: ROOM });
  });

  test("what an aborted follower has not taken yet it is not given", async () => {
    const { wire, socket, settle } = setUp();
    wire.append(ROOM, said("x"));
    const stop = new AbortController();
    const items = socket.follow(ROOM, StoredMessage, { signal: stop.signal })[Symbol.asyncIterator]();
    await settle();
    stop.abort();
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test("a reader that leaves its loop unsubscribes", async () => {
    const { wire, socket, settle } = setUp();
    wire.append(ROOM, said("x"));
    const { signal } = new AbortController();
    for await (const item of socket.follow(ROOM, StoredMessage, { signal })) if (item.kind === "event") break;
    await settle();
    expect(wire.requests.at(-1)).toMatchObject({ op: "unsubscribe", stream: ROOM });
  });

  test("an aborted signal asks nothing", async () => {
    const { wire, socket } = setUp();
    for await (const _ of socket.follow(ROOM, StoredMessage, { signal: AbortSignal.abort() }))
      throw new Error("an item");
    expect(wire.dialed()).toBe(0);
  });
});
