import { expect, test } from "bun:test";
import type { RoomReader, RoomSnapshot } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeUi, fakeEntry } from "../../house/fake-ui.tsx";
import { createReconnectingReader } from "./reconnecting-reader.ts";

const error = new HearthError("house.bug", "Something broke.");
const LOADING = { kind: "loading" } as const;
const READY = { kind: "ready" } as const;
const FAILED = { kind: "failed", error } as const;

const open = () => {
  const { clock, advance } = createFakeWorld({ hash: () => "0".repeat(64) });
  const readers: { readonly reader: RoomReader; readonly say: (state: RoomSnapshot["state"]) => Promise<void> }[] = [];
  let isOpen = 0;
  let most = 0;
  const lasting = createReconnectingReader({
    clock,
    open() {
      const ui = createFakeUi({ roomSnapshot: { state: LOADING } });
      most = Math.max(most, (isOpen += 1));
      const reader: RoomReader = {
        ...ui.openRoom(fakeEntry.room.id),
        [Symbol.dispose]: () => void (isOpen -= 1),
      };
      readers.push({
        reader,
        async say(state) {
          ui.setRoom({ state });
          await clock.turn();
        },
      });
      return reader;
    },
  });
  const say = (state: RoomSnapshot["state"]): Promise<void> | undefined => readers.at(-1)?.say(state);
  const state = (): string => lasting.snapshot().reader.snapshot().state.kind;
  return { lasting, readers, say, state, advance, counts: () => ({ isOpen, most }) };
};

test("a room that failed reopens automatically", async () => {
  const { lasting, readers, say, state, advance } = open();
  const seen: boolean[] = [];
  lasting.onChange(() => seen.push(lasting.snapshot().isTrying));
  await say(FAILED);
  await advance(1_999);
  expect([readers.length, seen]).toEqual([1, []]);
  await advance(1);
  expect([readers.length, state(), seen]).toEqual([2, "failed", [true]]);
  await say(READY);
  expect([state(), seen]).toEqual(["ready", [true, false]]);
  lasting[Symbol.dispose]();
});

test("the previous snapshot stays until the house has answered", async () => {
  const { lasting, readers, say, advance } = open();
  await say(READY);
  expect(lasting.snapshot()).toEqual({ reader: readers[0]?.reader as RoomReader, isTrying: false });
  await say(FAILED);
  await advance(2_000);
  expect(lasting.snapshot()).toEqual({ reader: readers[0]?.reader as RoomReader, isTrying: true });
  await say(FAILED);
  expect(lasting.snapshot()).toEqual({ reader: readers[1]?.reader as RoomReader, isTrying: false });
  lasting[Symbol.dispose]();
});

test("the pauses grow to half a minute, and start over after a success", async () => {
  const { lasting, readers, say, advance } = open();
  for (const pauseMs of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = readers.length;
    await say(FAILED);
    await advance(pauseMs - 1);
    expect(readers.length).toBe(before);
    await advance(1);
    expect(readers.length).toBe(before + 1);
  }
  await say(READY);
  await say(FAILED);
  const before = readers.length;
  await advance(2_000);
  expect(readers.length).toBe(before + 1);
  lasting[Symbol.dispose]();
});

test("a manual retry does not wait", async () => {
  const { lasting, readers, say, state, advance } = open();
  await say(FAILED);
  lasting.tryNow();
  await advance(0);
  expect(readers.length).toBe(2);
  await say(READY);
  expect(state()).toBe("ready");
  lasting.tryNow();
  await advance(60_000);
  expect(readers.length).toBe(2);
  lasting[Symbol.dispose]();
});

test("at most two readers are open at a time, and none after disposal", async () => {
  for (const steps of [0, 1, 2, 3, 4]) {
    const { lasting, say, advance, counts } = open();
    const all = [() => say(FAILED), () => advance(2_000), () => say(FAILED), () => advance(4_000)];
    for (const step of all.slice(0, steps)) await step();
    lasting[Symbol.dispose]();
    await advance(60_000);
    expect(counts()).toEqual({ isOpen: 0, most: steps < 2 ? 1 : 2 });
  }
});
