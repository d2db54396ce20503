import { describe, expect, test } from "bun:test";
import { ROOM, roomStream, messageEvent, setUp } from "./fake-following.ts";

describe("the connection", () => {
  test("is not opened before the first follower, and goes from connecting to open", async () => {
    const { world, wire, socket, states, follow, settle } = setUp();
    await settle();
    expect([wire.dialed(), socket.state().kind]).toEqual([0, "connecting"]);
    const { kinds } = follow(ROOM);
    await settle();
    expect(states).toEqual(["open"]);
    wire.cut();
    await world.advance(1_000);
    expect(states).toEqual(["open", "lost", "connecting", "open"]);
    expect(kinds()).toEqual(["open", "lost", "open"]);
    let told = 0;
    const stop = socket.onState(() => (told += 1));
    stop();
    wire.cut();
    expect([told, states.at(-1)]).toEqual([0, "lost"]);
  });

  test("reconnects with growing, randomized pauses up to five seconds, which are reset by an event", async () => {
    const { world, wire, socket, follow } = setUp();
    wire.refuse(1006);
    follow(ROOM);
    const pauses: number[] = [];
    socket.onState(() => {
      const state = socket.state();
      if (state.kind === "lost") pauses.push(state.retryAt - world.clock.now());
    });
    await world.advance(60_000);
    expect(pauses.length).toBeGreaterThan(15);
    expect(new Set(pauses).size).toBe(pauses.length);
    for (const [index, pause] of pauses.entries()) {
      const longest = Math.min(100 * 2 ** index, 5_000);
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThanOrEqual(longest);
    }
    wire.refuse(undefined);
    wire.append(ROOM, messageEvent("x"));
    await world.advance(5_000);
    wire.cut();
    expect(pauses.at(-1)).toBeLessThanOrEqual(100);
  });

  test("does not reconnect without followers", async () => {
    const { world, wire, socket, follow, settle } = setUp();
    const { stop } = follow(ROOM);
    await settle();
    stop();
    wire.cut();
    await world.advance(60_000);
    expect([wire.dialed(), socket.state().kind]).toEqual([1, "connecting"]);
    follow(ROOM);
    await settle();
    expect(socket.state().kind).toBe("open");
  });

  test("without a sign of life is given up within thirty seconds", async () => {
    const { world, wire, follow, settle } = setUp();
    const { kinds, offsets } = follow(ROOM);
    await settle();
    wire.silence();
    wire.append(ROOM, messageEvent("x"));
    await world.advance(29_000);
    expect(kinds()).toEqual(["open"]);
    await world.advance(2_000);
    expect(kinds()).toEqual(["open", "lost", "open", "event"]);
    expect(offsets()).toEqual([1]);
    expect(wire.open()).toBe(1);
  });

  test("that answers its pings is kept", async () => {
    const { world, wire, follow } = setUp();
    const { kinds } = follow(ROOM);
    await world.advance(3_600_000);
    expect(kinds()).toEqual(["open"]);
    expect(wire.requests.filter(({ op }) => op === "ping").length).toBeGreaterThan(100);
  });

  test("that does not open within ten seconds is tried again", async () => {
    const { world, wire, follow, settle } = setUp();
    const { kinds } = follow(ROOM);
    wire.silence();
    await world.advance(9_000);
    expect(wire.dialed()).toBe(1);
    await world.advance(2_000);
    await settle();
    expect(kinds()).toEqual(["lost", "open"]);
    expect(wire.open()).toBe(1);
  });

  test("tries at once after a nudge, and an open one is probed with a short timeout", async () => {
    const { world, wire, socket, follow, settle } = setUp();
    const { kinds } = follow(ROOM);
    await settle();
    wire.refuse(1006);
    wire.cut();
    await world.advance(30_000);
    wire.refuse(undefined);
    const dialed = wire.dialed();
    socket.reconnectNow();
    socket.reconnectNow();
    await settle();
    expect(socket.state().kind).toBe("open");
    socket.reconnectNow();
    await world.advance(10_000);
    expect([socket.state().kind, wire.dialed()]).toEqual(["open", dialed + 1]);
    wire.silence();
    socket.reconnectNow();
    await world.advance(3_200);
    expect(kinds()).toEqual(["open", "lost", "open", "lost", "open"]);
  });

  test("waits for a nudge after two refusals in a row", async () => {
    const { world, wire, socket, follow, settle } = setUp();
    wire.refuse(1008);
    const { kinds } = follow(ROOM);
    await world.advance(60_000);
    expect(socket.state()).toMatchObject({ kind: "refused", error: { code: "auth.invalid" } });
    expect(wire.dialed()).toBe(2);
    expect(kinds().at(-1)).toBe("lost");
    follow(roomStream(2));
    await world.advance(60_000);
    expect(wire.dialed()).toBe(2);
    socket.reconnectNow();
    await world.advance(60_000);
    expect(wire.dialed()).toBe(4);
    wire.refuse(undefined);
    socket.reconnectNow();
    await settle();
    expect(socket.state().kind).toBe("open");
    expect(kinds().at(-1)).toBe("open");
  });

  test("counts a refusal after an event as the first one", async () => {
    const { world, wire, socket, follow } = setUp();
    follow(ROOM);
    for (let count = 0; count < 4; count += 1) {
      wire.append(ROOM, messageEvent("x"));
      await world.advance(1_000);
      wire.cut(1008);
    }
    expect(socket.state().kind).toBe("lost");
  });

  test("ends its followers once disposed, and stays quiet", async () => {
    const { world, wire, socket, follow, settle } = setUp();
    const { over, kinds } = follow(ROOM);
    await settle();
    socket[Symbol.dispose]();
    await over;
    expect(kinds()).toEqual(["open"]);
    expect(socket.state().kind).toBe("closed");
    wire.append(ROOM, messageEvent("x"));
    const late = follow(ROOM);
    await late.over;
    socket.reconnectNow();
    await world.advance(60_000);
    expect([wire.dialed(), wire.open(), late.items.length]).toEqual([1, 0, 0]);
  });

  test("stays closed when disposed during an outage", async () => {
    const { world, wire, socket, follow, settle } = setUp();
    follow(ROOM);
    await settle();
    wire.cut();
    socket[Symbol.dispose]();
    await world.advance(60_000);
    expect([socket.state().kind, wire.dialed()]).toEqual(["closed", 1]);
  });
});
