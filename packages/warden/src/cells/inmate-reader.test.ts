/**
 * Tests an inmate that breaks the protocol: its cell ends, unread frames stay bounded, and other
 * cells are not delayed.
 */
import { describe, expect, test } from "bun:test";
import {
  createByteLink,
  encodeMessage,
  type FrameScope,
  type InmateFrame,
  type InmateFrameBody,
  LINK_VERSION,
  MAX_INMATE_TEXT,
  type WardenFrame,
} from "@hearth/protocol";
import { createBot, finish, openPool, scopeFor, stamped } from "../fixtures/pool.ts";
import type { FakeInmate } from "./fake.ts";
import { MAX_UNROUTED_FRAMES, readInmate } from "./inmate-reader.ts";
import { MAX_UNREAD, MAX_UNREAD_SIZE } from "./cell-leases.ts";

const open = async () => {
  const test = openPool();
  const scope = scopeFor(test.agent);
  const cellLease = await test.pool.acquire(test.agent, "private", scope);
  const inmate = test.backend.inmates[0] as FakeInmate;
  const say = (frame: unknown): void => inmate.link.send(frame as InmateFrame);
  /** The reason for the end of its cell, if it has ended. */
  const why = async (): Promise<string | undefined> => {
    for (let turns = 0; turns < 50; turns += 1) await test.world.advance(0);
    if (test.pool.list().length > 0) return undefined;
    try {
      for await (const _ of cellLease?.frames ?? []);
    } catch (error) {
      return String(error);
    }
    return "no listener was called";
  };
  return { ...test, scope, cellLease, inmate, say, why };
};

const done = (scope: FrameScope, more: Partial<InmateFrameBody> = {}): InmateFrame =>
  stamped({ type: "step-done", ...scope, step: 0, text: "", failed: false, ...more } as InmateFrameBody);

const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let count = 0; count < depth; count += 1) value = { a: value };
  return value;
};

describe("the cell ends of an inmate", () => {
  test.each([
    ["that says hello twice", (scope: FrameScope) => [{ ...done(scope), type: "hello", version: 2, runtime: "" }]],
    [
      "whose frames do not count up",
      (scope: FrameScope) => [
        { ...done(scope), id: 5 },
        { ...done(scope), id: 5 },
      ],
    ],
    ["that says the same again", (scope: FrameScope) => Array(2).fill(done(scope))],
    ["whose end of a call is endless", (scope: FrameScope) => [done(scope, { text: "x".repeat(MAX_INMATE_TEXT + 1) })]],
    [
      "whose name for a tool is endless",
      (scope: FrameScope) => [
        stamped({ type: "step-request", ...scope, step: 0, call: { id: "1", name: "x".repeat(1001), input: {} } }),
      ],
    ],
    [
      "whose failure is a novel",
      (scope: FrameScope) => [
        stamped({
          ...{ type: "finish", ...scope },
          outcome: { kind: "failed", error: { code: "house.bug", message: "x".repeat(10_001) } },
        }),
      ],
    ],
    ["that says nothing at all", () => [null]],
    [
      "nested deeper than the reader's limit",
      (scope: FrameScope) => [
        { ...done(scope), type: "step-request", call: { id: "1", name: "a", input: deep(200_000) } },
      ],
    ],
    ["that does not wait to be read", (scope: FrameScope) => Array.from({ length: MAX_UNREAD + 1 }, () => done(scope))],
    [
      "that says more than a frame can hold before it is read",
      (scope: FrameScope) =>
        [0, 1].map(() =>
          stamped({
            ...{ type: "model-request", ...scope, step: 0, kept: 0, messages: [], tools: [], toolUse: "allowed" },
            system: [{ text: "x".repeat(MAX_UNREAD_SIZE / 2), stable: true }],
          }),
        ),
    ],
  ])("%s", async (_what, frames) => {
    const { scope, say, why } = await open();
    for (const frame of frames(scope)) say(frame);
    expect(await why()).toMatch(/^HearthError: The cell ended: /);
  });

  test("that sends a frame before hello", async () => {
    const { world, pool, agent } = openPool({ play: ({ link }) => link.send(finish(scopeFor(createBot("other")))) });
    const refusal = pool.acquire(agent, "private", scopeFor(agent)).catch(String);
    await world.advance(0);
    expect(await refusal).toContain("hello must be its first frame and must not repeat");
  });
});

test("a lease buffers up to `MAX_UNREAD` frames and accepts more once they are read", async () => {
  const { scope, cellLease, say, why, world } = await open();
  for (let count = 0; count < MAX_UNREAD; count += 1) say(done(scope, { step: count }));
  expect(await why()).toBeUndefined();
  const frames = cellLease?.frames[Symbol.asyncIterator]();
  for (let count = 0; count < 100; count += 1) {
    expect((await frames?.next())?.value).toMatchObject({ step: count });
    say(done(scope, { step: count + MAX_UNREAD }));
    await world.advance(0);
  }
  expect(await why()).toBeUndefined();
});

test("some frames without a lease are dropped; too many in a period end the cell", async () => {
  const { agent, say, why, world } = await open();
  const stray = (): void => say(finish(scopeFor(agent)));
  for (let whiles = 0; whiles < 3; whiles += 1) {
    for (let count = 0; count < MAX_UNROUTED_FRAMES; count += 1) stray();
    expect(await why()).toBeUndefined();
    await world.advance(10_000);
  }
  for (let count = 0; count < MAX_UNROUTED_FRAMES + 1; count += 1) stray();
  expect(await why()).toContain("it keeps sending frames for activations that are not in the cell");
});

test("frames without a lease are also counted by size", async () => {
  const { agent, say, why } = await open();
  const text = "x".repeat(MAX_INMATE_TEXT);
  for (let count = 0; count < 40; count += 1) say(done(scopeFor(agent), { text }));
  expect(await why()).toContain("it keeps sending frames for activations that are not in the cell");
});

test("after a burst of frames the reader yields to other work", async () => {
  const scope = scopeFor(createBot("main"));
  let turns = 0;
  let delivered = 0;
  const frames = async function* (): AsyncGenerator<unknown> {
    yield { type: "hello", id: 1, at: 0, version: LINK_VERSION, runtime: "endless" };
    for (let id = 2; ; id += 1) yield { ...done(scope), id };
  };
  const reading = readInmate({
    link: { frames: frames() },
    clock: { monotonic: () => 0, turn: async () => void (turns += 1) },
    onHello: () => {},
    cellLeases: {
      deliver() {
        delivered += 1;
        if (delivered === 3200) throw new Error("enough");
        return true;
      },
    },
  });
  expect(await reading.catch(String)).toBe("Error: enough");
  expect(turns).toBe(100);
});

test("the reader takes only what is consumed from an endless pipe, and nothing after its cell has ended", async () => {
  const chunk = encodeMessage(finish(scopeFor(createBot("nobody"))), 1);
  let taken = 0;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield encodeMessage({ type: "hello", id: 1, at: 0, version: LINK_VERSION, runtime: "endless" }, 1);
    for (let id = 2; ; id += 1) {
      taken += 1;
      yield encodeMessage({ ...(JSON.parse(new TextDecoder().decode(chunk.subarray(9))) as object), id }, id);
    }
  };
  let closed = false;
  const link = createByteLink<WardenFrame>({ bytes: bytes(), write() {}, close: () => (closed = true) }, "warden");
  const reading = readInmate({
    link,
    clock: { monotonic: () => 0, turn: () => Promise.resolve() },
    onHello: () => {},
    cellLeases: { deliver: () => false },
  });
  expect(await reading.catch(String)).toContain("it keeps sending frames for activations that are not in the cell");
  expect([taken, closed]).toEqual([MAX_UNROUTED_FRAMES + 1, true]);
});
