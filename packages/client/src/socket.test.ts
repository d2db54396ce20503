import { describe, expect, test } from "bun:test";
import { StoredMessage } from "@hearth/protocol";
import { textDelta, DELTAS, ID, ROOM, roomStream, messageEvent, setUp, numbersUpTo } from "./fake-following.ts";
import { MAX_STREAMS } from "./socket/resuming-socket.ts";

describe("following over one socket", () => {
  test("cut at random points, in random frames, every stream arrives complete and without duplicates", async () => {
    for (let round = 0; round < 25; round += 1) {
      const { world, wire, follow, random } = setUp();
      for (let skip = 0; skip < round; skip += 1) random();
      wire.cutAfter(() => 2 + Math.floor(random() * 12));
      const streams = [roomStream(1), roomStream(2), roomStream(3)];
      const followers = streams.flatMap((stream, index) => [follow(stream), follow(stream, { after: index })]);
      for (let count = 0; count < 60; count += 1) {
        wire.setBatch(1 + Math.floor(random() * 5));
        for (const stream of streams) if (random() < 0.7) wire.append(stream, messageEvent("x"));
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
        expect([...follower.offsets()]).toEqual([...numbersUpTo(wire.read(stream).length, after + 1)]);
      }
    }
  });

  test("an in-memory stream that restarts at random ends in its current state", async () => {
    for (let round = 0; round < 25; round += 1) {
      const { world, wire, followDeltas, random } = setUp();
      for (let skip = 0; skip < round; skip += 1) random();
      const one = followDeltas();
      let other = followDeltas();
      for (let count = 0; count < 40; count += 1) {
        wire.append(DELTAS, textDelta(`${round}.${count} `));
        if (random() < 0.5) await world.advance(Math.floor(random() * 200));
        if (random() < 0.1) wire.cut();
        if (random() < 0.1) wire.restart();
        if (random() < 0.1) {
          other.stop();
          other = followDeltas();
        }
      }
      await world.advance(30_000);
      // A stream exactly one event shorter than the reader's offset is identified by its next
      // event.
      wire.append(DELTAS, textDelta("last"));
      await world.advance(30_000);
      const whole = wire.read(DELTAS).map((event) => (event.type === "text-delta" ? event.text : ""));
      expect(one.text()).toBe(whole.join(""));
      expect(other.text()).toBe(whole.join(""));
    }
  });

  test("begins after the offset that the reader has", async () => {
    const { wire, follow, settle } = setUp();
    for (let count = 0; count < 5; count += 1) wire.append(ROOM, messageEvent("x"));
    const { kinds, offsets } = follow(ROOM, { after: 3 });
    await settle();
    expect(kinds()).toEqual(["open", "event", "event"]);
    expect(offsets()).toEqual([4, 5]);
  });

  test("two followers of one stream share a subscription, also when the second starts at a lower offset", async () => {
    const { wire, follow, settle } = setUp();
    for (let count = 0; count < 5; count += 1) wire.append(ROOM, messageEvent("x"));
    const late = follow(ROOM, { after: 4 });
    await settle();
    // In flight when the second follower requests more.
    wire.append(ROOM, messageEvent("x"));
    const all = follow(ROOM);
    await settle();
    wire.append(ROOM, messageEvent("x"));
    const last = follow(ROOM, { after: 5 });
    await settle();
    expect(last.offsets()).toEqual([6, 7]);
    expect(late.offsets()).toEqual([5, 6, 7]);
    expect(late.kinds().filter((kind) => kind === "open")).toHaveLength(1);
    expect(all.offsets()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all.kinds()[0]).toBe("open");
  });

  test("each of several simultaneous followers gets the events after its own offset", async () => {
    const { wire, follow, settle } = setUp();
    for (let count = 0; count < 5; count += 1) wire.append(ROOM, messageEvent("x"));
    follow(roomStream(9));
    await settle();
    const followers = [4, 3, 0, 2].map((after) => follow(ROOM, { after }));
    await settle();
    expect(followers.map(({ offsets }) => offsets().length)).toEqual([1, 2, 5, 3]);
    expect(followers.map(({ kinds }) => kinds()[0])).toEqual(["open", "open", "open", "open"]);
  });

  test("a follower with the same offset as the others is open at once, without another subscription", async () => {
    const { wire, follow, settle } = setUp();
    wire.append(ROOM, messageEvent("x"));
    follow(ROOM);
    await settle();
    const second = follow(ROOM, { after: 1 });
    await settle();
    expect(second.kinds()).toEqual(["open"]);
    expect(wire.requests.map(({ op }) => op)).toEqual(["subscribe"]);
  });

  test("lost` and `open` are reported once per outag", async () => {
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

  test("a follower that joins during an outage gets its events after it", async () => {
    const { world, wire, follow, settle } = setUp();
    follow(ROOM);
    await settle();
    wire.cut();
    const late = follow(ROOM);
    wire.append(ROOM, messageEvent("x"));
    await world.advance(1_000);
    expect(late.kinds()).toEqual(["open", "event"]);
    expect(wire.requests.map(({ op }) => op)).toEqual(["subscribe", "subscribe"]);
  });

  test("skips an event of an unknown type and does not request it again", async () => {
    const { wire, follow, settle, world } = setUp();
    const { offsets } = follow(ROOM);
    await settle();
    const event = { ...messageEvent("x"), id: `evt_${ID}9`, offset: 2 };
    const strange = { type: "from-tomorrow", id: `evt_${ID}8`, offset: 1 };
    wire.sendRaw(JSON.stringify({ type: "events", stream: ROOM, events: [strange, event], next: 2 }));
    await settle();
    expect(offsets()).toEqual([2]);
    wire.cut();
    await world.advance(1_000);
    expect(wire.requests.at(-1)).toMatchObject({ op: "subscribe", after: 2 });
  });

  test("skips events that the house repeats", async () => {
    const { wire, follow, settle } = setUp();
    const { offsets } = follow(ROOM);
    const event = wire.append(ROOM, messageEvent("x"));
    await settle();
    wire.sendRaw(JSON.stringify({ type: "events", stream: ROOM, events: [event], next: 1 }));
    await settle();
    expect(offsets()).toEqual([1]);
  });

  test("an invalid frame ends only the connection; a frame of an unknown type is ignored", async () => {
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
      wire.sendRaw(text);
      expect(socket.state().kind).toBe("lost");
      wire.append(ROOM, messageEvent("x"));
      await world.advance(1_000);
      expect(offsets()).toEqual([1]);
    }
    const { wire, socket, follow, settle } = setUp();
    follow(ROOM);
    await settle();
    wire.sendRaw(`{"type":"from-tomorrow"}`);
    wire.sendRaw(`{"type":"events","stream":"room:unheard-of","events":[],"next":0}`);
    wire.sendRaw(`{"type":"ended","stream":"${DELTAS}"}`);
    expect(socket.state().kind).toBe("open");
  });

  test("an in-memory stream that is complete ends its followers, also when its events are gone", async () => {
    const { wire, followDeltas, settle } = setUp();
    wire.append(DELTAS, textDelta("a"));
    const early = followDeltas();
    await settle();
    wire.append(DELTAS, textDelta("b"));
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

  test("a follower that joins while an in-memory stream ends gets all of its events first", async () => {
    const { wire, followDeltas, settle } = setUp();
    wire.append(DELTAS, textDelta("a"));
    followDeltas();
    await settle();
    wire.end(DELTAS);
    const late = followDeltas();
    await late.over;
    expect(late.kinds()).toEqual(["open", "event", "end"]);
  });

  test("an in-memory stream that continues after a cut is not reported as restarted", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b"]) wire.append(DELTAS, textDelta(text));
    const { kinds, text } = followDeltas();
    await settle();
    for (const next of ["c", "d", "e"]) {
      wire.cut();
      wire.append(DELTAS, textDelta(next));
      await world.advance(1_000);
      wire.append(DELTAS, textDelta("."));
      await settle();
    }
    expect(text()).toBe("abc.d.e.");
    expect(kinds()).not.toContain("restarted");
    wire.restart();
    wire.append(DELTAS, textDelta("A"));
    await world.advance(1_000);
    const { length } = wire.requests;
    followDeltas(1);
    await settle();
    expect(wire.requests).toHaveLength(length);
    wire.cut();
    for (const next of "BCDEFGHIJK") wire.append(DELTAS, textDelta(next));
    await world.advance(1_000);
    expect(text()).toBe("ABCDEFGHIJK");
    expect(kinds().filter((kind) => kind === "restarted")).toHaveLength(1);
  });

  test("an in-memory stream that dropped the last event read restarts with the remaining events", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b"]) wire.append(DELTAS, textDelta(text));
    const { text } = followDeltas();
    await settle();
    wire.cut();
    for (const next of ["c", "d", "e"]) wire.append(DELTAS, textDelta(next));
    wire.keepLast(DELTAS, 2);
    await world.advance(1_000);
    expect(text()).toBe("de");
  });

  test("the restart of an in-memory stream is detected also if another follower requests all events", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b", "c", "d", "e"]) wire.append(DELTAS, textDelta(text));
    const one = followDeltas();
    await settle();
    wire.restart();
    const other = followDeltas();
    for (const text of ["A", "B"]) wire.append(DELTAS, textDelta(text));
    await world.advance(1_000);
    expect([one.text(), other.text()]).toEqual(["AB", "AB"]);
  });

  test("an in-memory stream that is shorter than the reader's offset is reported as restarted", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b", "c"]) wire.append(DELTAS, textDelta(text));
    const { kinds, text } = followDeltas();
    await settle();
    wire.restart();
    wire.append(DELTAS, textDelta("A"));
    await world.advance(1_000);
    expect(kinds().filter((kind) => kind === "restarted")).toHaveLength(1);
    expect(text()).toBe("A");
  });

  test("a restarted in-memory stream that is longer than before is detected by its last event", async () => {
    const { world, wire, followDeltas, settle } = setUp();
    for (const text of ["a", "b"]) wire.append(DELTAS, textDelta(text));
    const { kinds, text } = followDeltas();
    await settle();
    wire.restart();
    for (const next of ["a", "b", "C"]) wire.append(DELTAS, textDelta(next));
    await world.advance(1_000);
    expect(kinds().filter((kind) => kind === "restarted")).toHaveLength(1);
    expect(text()).toBe("abC");
  });

  test("a stream that the house refuses fails for its followers; the others continue", async () => {
    const { wire, follow, settle } = setUp();
    wire.deny(roomStream(2), { code: "record.not-found", message: "gone", hint: "look elsewhere" });
    const refused = follow(roomStream(2));
    const fine = follow(ROOM);
    await refused.over;
    expect(refused.items).toMatchObject([
      { kind: "failed", error: { code: "record.not-found", hint: "look elsewhere" } },
    ]);
    wire.append(ROOM, messageEvent("x"));
    await settle();
    expect(fine.offsets()).toEqual([1]);
  });

  test("a stream that is temporarily unavailable is requested again", async () => {
    const { world, wire, follow, settle } = setUp();
    wire.deny(ROOM, { code: "store.unavailable", message: "busy" });
    wire.append(ROOM, messageEvent("x"));
    const { kinds } = follow(ROOM);
    await settle();
    expect(kinds()).toEqual(["lost"]);
    wire.deny(ROOM, undefined);
    await world.advance(1_000);
    expect(kinds()).toEqual(["lost", "open", "event"]);
  });

  test("the 101st stream fails with a hint, until another one is closed", async () => {
    const { follow, settle, wire } = setUp();
    const followers = numbersUpTo(MAX_STREAMS).map((index) => follow(roomStream(index)));
    await settle();
    const one = follow(roomStream(500));
    await one.over;
    expect(one.items).toMatchObject([{ kind: "failed", error: { code: "request.invalid" } }]);
    followers[0]?.stop();
    wire.append(roomStream(500), messageEvent("x"));
    const again = follow(roomStream(500));
    await settle();
    expect(again.offsets()).toEqual([1]);
    again.stop();
    wire.deny(roomStream(501), { code: "record.not-found", message: "gone" });
    const refused = follow(roomStream(501));
    await refused.over;
    expect(refused.items).toMatchObject([{ error: { code: "record.not-found" } }]);
    const instead = follow(roomStream(502));
    await settle();
    expect(instead.kinds()).toEqual(["open"]);
  });

  test("an aborted follower takes no further events, and the last one ends the subscription", async () => {
    const { wire, follow, settle } = setUp();
    const one = follow(ROOM);
    const other = follow(ROOM);
    await settle();
    one.stop();
    await one.over;
    wire.append(ROOM, messageEvent("x"));
    await settle();
    expect(one.offsets()).toEqual([]);
    expect(other.offsets()).toEqual([1]);
    expect(wire.requests.some(({ op }) => op === "unsubscribe")).toBe(false);
    other.stop();
    await settle();
    expect(wire.requests.at(-1)).toMatchObject({ op: "unsubscribe", stream: ROOM });
  });

  test("an aborted follower does not receive events that it has not taken yet", async () => {
    const { wire, socket, settle } = setUp();
    wire.append(ROOM, messageEvent("x"));
    const stop = new AbortController();
    const items = socket.follow(ROOM, StoredMessage, { signal: stop.signal })[Symbol.asyncIterator]();
    await settle();
    stop.abort();
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test("a reader that leaves its loop unsubscribes", async () => {
    const { wire, socket, settle } = setUp();
    wire.append(ROOM, messageEvent("x"));
    const { signal } = new AbortController();
    for await (const item of socket.follow(ROOM, StoredMessage, { signal })) if (item.kind === "event") break;
    await settle();
    expect(wire.requests.at(-1)).toMatchObject({ op: "unsubscribe", stream: ROOM });
  });

  test("an aborted signal sends no request", async () => {
    const { wire, socket } = setUp();
    for await (const _ of socket.follow(ROOM, StoredMessage, { signal: AbortSignal.abort() }))
      throw new Error("an item");
    expect(wire.dialed()).toBe(0);
  });
});
