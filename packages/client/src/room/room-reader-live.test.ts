/** How a room's reader shows the work of agents. */
import { describe, expect, test } from "bun:test";
import type { ActivationId } from "@hearth/protocol";
import { numbers, setUp, setUpOpen, shownText, texts } from "./fake-reading.ts";

describe("agent activity", () => {
  test("is live from the queue to the reply, in the order of the queue", async () => {
    const { world, house, settle, reader, cause } = await setUpOpen();
    const first = house.queue(cause.id);
    await world.advance(10);
    const second = house.queue(cause.id);
    await settle(10);
    const since = world.clock.now() - 10;
    expect(reader.snapshot().live).toMatchObject([
      { id: first, agent: house.bot.id, cause: cause.id, state: "queued", parts: [], isStopping: false },
      { id: second, state: "queued", since },
    ]);
    house.run(second);
    house.delta(second, { type: "text-delta", text: "hm" });
    house.delta(second, { type: "tool-start", call: "1", name: "shell", input: {} });
    await settle();
    expect(reader.snapshot().live.map(({ state }) => state)).toEqual(["queued", "running"]);
    expect(shownText(reader.snapshot())).toEqual(["", "hm<shell>"]);
    house.finish(second, "replied", "here");
    await settle();
    expect(texts(reader.snapshot())).toEqual(["hello", "here"]);
    expect(reader.snapshot().messages[1]).toMatchObject({ activation: second, causes: [cause.id] });
    expect(reader.snapshot().live.map(({ id }) => id)).toEqual([first]);
  });

  test("is live already when the room is opened, without live events of ended activations", async () => {
    const { house, open, settle } = setUp();
    const cause = house.say("hello");
    for (let count = 0; count < 3; count += 1) house.finish(house.queue(cause.id), "replied", `old ${count}`);
    for (const text of numbers(70)) house.say(text);
    const id = house.queue(cause.id);
    house.run(id);
    house.delta(id, { type: "text-delta", text: "so far" });
    house.wire.setBatch(1);
    const { reader, snapshots } = open();
    await settle();
    expect(shownText(reader.snapshot())).toEqual(["so far"]);
    for (const { live } of snapshots) expect(live.every((activation) => activation.id === id)).toBe(true);
  });

  test("of long ago, which the list omits, does not stay", async () => {
    const { world, house, open, settle } = setUp();
    const cause = house.say("hello");
    for (let count = 0; count < 80; count += 1) {
      house.finish(house.queue(cause.id), count === 3 ? "stopped" : "replied", "x");
      await world.advance(10);
    }
    house.wire.setBatch(1);
    const { reader } = open();
    await settle();
    expect(reader.snapshot().live).toEqual([]);
  });

  test("gives way to its reply in one snapshot, whichever of the two streams is first", async () => {
    for (const order of ["reply first", "over first", "over, much later the reply", "reply, much later over"]) {
      const { house, settle, reader, snapshots, cause } = await setUpOpen();
      const id = house.queue(cause.id);
      house.run(id);
      await settle();
      house.settle(id, "replied");
      const isOverFirst = order.startsWith("over");
      if (isOverFirst) house.endActivation(id);
      else house.reply(id, "here");
      if (order.includes("much later")) await settle(10_000);
      if (isOverFirst) house.reply(id, "here");
      else house.endActivation(id);
      await settle();
      const seen = snapshots.filter(({ live, messages }) => live.length > 0 || messages.length > 1);
      for (const { live, messages } of seen) expect(live.length + messages.length - 1).toBe(1);
      expect(snapshots.indexOf(seen[0]!)).toBeGreaterThanOrEqual(0);
      expect(snapshots.slice(snapshots.indexOf(seen[0]!))).toEqual(seen);
      expect(reader.snapshot()).toMatchObject({ live: [] });
      expect(texts(reader.snapshot())).toEqual(["hello", "here"]);
    }
  });

  test("starts over in another cell, and ends with its stream", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const id = house.queue(cause.id);
    house.run(id);
    house.delta(id, { type: "text-delta", text: "lost" });
    house.delta(id, { type: "restart" });
    house.delta(id, { type: "text-delta", text: "again" });
    await settle();
    expect(shownText(reader.snapshot())).toEqual(["again"]);
  });

  test("that ends without a reply is shown with its message and its reason, the latest included", async () => {
    const { house, open, settle } = setUp();
    const [one, two] = [house.say("one"), house.say("two")];
    const error = { code: "provider.auth", message: "wrong key" } as const;
    const early = house.queue(two.id);
    house.settle(early, "failed", { reason: "wrong key", error });
    const skipped = house.queue(one.id);
    house.settle(skipped, "skipped", { reason: "nothing to say" });
    const { reader, snapshots } = open();
    await settle();
    expect(reader.snapshot().ended).toMatchObject([
      { id: skipped, state: "skipped", reason: "nothing to say", cause: one.id, agent: house.bot.id },
      { id: early, state: "failed", error },
    ]);
    const late = house.queue(one.id);
    house.run(late);
    await settle();
    house.settle(late, "failed", { reason: "wrong key", error });
    house.endActivation(late, { error });
    const stopped = house.queue(two.id);
    await settle();
    house.settle(stopped, "stopped", { reason: "It was stopped." });
    house.endActivation(stopped);
    await settle();
    expect(reader.snapshot().live).toEqual([]);
    expect(reader.snapshot().ended.map(({ id }) => id)).toEqual([skipped, late, early, stopped]);
    expect(reader.snapshot().ended).toMatchObject([{}, { error }, {}, { state: "stopped", reason: "It was stopped." }]);
    expect(house.calls.filter((call) => call === "activation")).toHaveLength(1);
    for (const { live, ended } of snapshots)
      for (const { id } of live) expect(ended.some((other) => other.id === id)).toBe(false);
  });

  test("is not shown as ended for a message that is not here, or is deleted", async () => {
    const { house, open, settle } = setUp();
    const [far, near] = [house.say("far"), house.say("near")];
    for (const { id } of [far, near]) house.settle(house.queue(id), "failed");
    for (const text of numbers(59)) house.say(text);
    const { reader } = open();
    await settle();
    expect(reader.snapshot().ended.map(({ cause }) => cause)).toEqual([near.id]);
    house.remove(near.id);
    await settle();
    expect(reader.snapshot().ended).toEqual([]);
    const loading = reader.loadOlder();
    await settle();
    await loading;
    expect(reader.snapshot().ended.map(({ cause }) => cause)).toEqual([far.id]);
  });

  test("that ended long ago is requested with the page of its message", async () => {
    const { world, house, open, settle } = setUp();
    const far = house.say("far");
    const id = house.queue(far.id);
    house.settle(id, "failed");
    for (let count = 0; count < 70; count += 1) {
      await world.advance(1);
      const { id: cause } = house.say("x");
      house.finish(house.queue(cause), "replied", "y");
    }
    const { reader } = open();
    await settle();
    expect(reader.snapshot().ended).toEqual([]);
    const loading = reader.loadOlder();
    await settle();
    await loading;
    expect(reader.snapshot().ended.map((activation) => activation.id)).toEqual([id]);
  });

  test("is marked as stopping at once, until it has ended or the house refuses to stop it", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const id = house.queue(cause.id);
    house.run(id);
    await settle();
    const release = house.hold("stop");
    const stopping = reader.stop(id);
    await settle();
    expect(reader.snapshot().live).toMatchObject([{ isStopping: true }]);
    house.delta(id, { type: "text-delta", text: "still" });
    release();
    await settle();
    await stopping;
    expect(reader.snapshot().live).toMatchObject([{ isStopping: true, parts: [{ text: "still" }] }]);
    house.finish(id, "stopped");
    await settle();
    expect(reader.snapshot()).toMatchObject({ live: [], ended: [{ state: "stopped" }] });

    const other = house.queue(cause.id);
    await settle();
    house.fail("stop", "auth.denied");
    const failing = reader.stop(other).catch((error: unknown) => error);
    await settle();
    expect(await failing).toMatchObject({ code: "auth.denied" });
    expect(reader.snapshot().live).toMatchObject([{ isStopping: false }]);
  });

  test("in the past is requested once, and again after a failure or while it runs", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const id = house.queue(cause.id);
    const ask = async () => {
      const asked = reader.partsOf(id).catch((error: unknown) => error);
      await settle();
      return asked;
    };
    house.setParts(id, [{ kind: "text", text: "half" }]);
    expect(await ask()).toEqual([{ kind: "text", text: "half" }]);
    house.setParts(id, [{ kind: "text", text: "whole" }]);
    house.finish(id, "replied");
    house.fail("activation", "house.unreachable");
    expect(await ask()).toMatchObject({ code: "house.unreachable" });
    house.fail("activation");
    expect(await ask()).toEqual([{ kind: "text", text: "whole" }]);
    const count = house.calls.length;
    expect(await ask()).toEqual([{ kind: "text", text: "whole" }]);
    expect(house.calls.length).toBe(count);
  });
});

describe("after an outage", () => {
  test("of the daemon, what runs is found again with what it shows by then, and what failed meanwhile is shown", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const [running, failed, gone, replied] = Array.from({ length: 4 }, () => house.queue(cause.id)) as [
      ActivationId,
      ActivationId,
      ActivationId,
      ActivationId,
    ];
    for (const id of [running, failed, gone, replied]) house.run(id);
    house.delta(running, { type: "text-delta", text: "before, and more" });
    await settle();
    expect(reader.snapshot().live).toHaveLength(4);
    house.wire.restart();
    house.live(running, { type: "activation-running", cause: cause.id });
    house.delta(running, { type: "text-delta", text: "after" });
    house.settle(failed, "failed", { reason: "the daemon stopped" });
    house.settle(replied, "replied");
    house.settle(gone, "skipped");
    house.reply(replied, "here");
    await settle(5_000);
    expect(shownText(reader.snapshot())).toEqual(["after"]);
    expect(texts(reader.snapshot())).toEqual(["hello", "here"]);
    expect(
      reader
        .snapshot()
        .ended.map(({ id }) => id)
        .toSorted(),
    ).toEqual([failed, gone].toSorted());
  });

  test("activations that the house no longer knows are no longer shown", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const lost = house.queue(cause.id);
    house.run(lost);
    await settle();
    house.client.rooms.activations = () => Promise.resolve([]);
    house.fail("activation", "auth.denied");
    house.wire.restart();
    await settle(5_000);
    expect(reader.snapshot().live).toHaveLength(1);
    house.fail("activation", "activation.not-found");
    house.wire.restart();
    await settle(5_000);
    expect(reader.snapshot().live).toEqual([]);
    expect(house.wire.requests.at(-1)).toMatchObject({ op: "unsubscribe", stream: `deltas:${lost}` });
  });

  test("activations queued meanwhile are live, also when the list is slower than the streams", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    house.wire.refuse(1006);
    house.wire.cut();
    await settle();
    const done = house.queue(cause.id);
    house.run(done);
    const still = house.queue(cause.id);
    const release = house.hold("activations");
    house.wire.refuse(undefined);
    await settle(5_000);
    expect(reader.snapshot().live.map(({ id }) => id)).toEqual([done, still]);
    house.finish(done, "replied");
    await settle();
    release();
    await settle();
    expect(reader.snapshot().live.map(({ id }) => id)).toEqual([still]);
  });
});
