import { describe, expect, test } from "bun:test";
import type { Stored, StreamName } from "@hearth/protocol";
import { createAppendSignal } from "./append-signal.ts";
import { counted, OTHER, ROOM } from "./streams.conformance.ts";

const event = { offset: 1 } as Stored;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a follower", () => {
  test("reads again after a signal that came while it was reading", async () => {
    const appendSignal = createAppendSignal();
    const stop = new AbortController();
    let asked = 0;
    const next = async (): Promise<readonly Stored[]> => {
      asked += 1;
      if (asked > 1) return [event];
      appendSignal.notify(ROOM);
      return [];
    };
    const { value } = await appendSignal.follow(ROOM, stop.signal, next)[Symbol.asyncIterator]().next();
    expect([value, asked]).toEqual([[event], 2]);
    stop.abort();
  });

  test("reads nothing without a signal for its stream", async () => {
    const appendSignal = createAppendSignal();
    const stop = new AbortController();
    let asked = 0;
    const waiting = appendSignal
      .follow(ROOM, stop.signal, () => {
        asked += 1;
        return Promise.resolve([]);
      })
      [Symbol.asyncIterator]()
      .next();
    await turn();
    appendSignal.notify(OTHER);
    await turn();
    expect(asked).toBe(1);
    appendSignal.notify(ROOM);
    await turn();
    expect(asked).toBe(2);
    stop.abort();
    expect((await waiting).done).toBe(true);
  });

  test("ends once its signal aborts, also if its batches are no longer taken", async () => {
    const appendSignal = createAppendSignal();
    const stop = new AbortController();
    const { signal, listeners } = counted(stop.signal);
    const iterators = [1, 2].map(() =>
      appendSignal.follow(ROOM, signal, () => Promise.resolve([event]))[Symbol.asyncIterator](),
    );
    await Promise.all(iterators.map((iterator) => iterator.next()));
    expect(appendSignal.size()).toBe(1);
    stop.abort();
    expect([appendSignal.size(), listeners()]).toEqual([0, 0]);
  });

  test("gets no batch that was read while its signal aborted", async () => {
    const appendSignal = createAppendSignal();
    const stop = new AbortController();
    const next = (): Promise<readonly Stored[]> => {
      stop.abort();
      return Promise.resolve([event]);
    };
    expect((await appendSignal.follow(ROOM, stop.signal, next)[Symbol.asyncIterator]().next()).done).toBe(true);
  });

  test("that ends leaves the other followers of its stream, and the last one leaves nothing", async () => {
    const appendSignal = createAppendSignal();
    const [early, late] = [new AbortController(), new AbortController()];
    let asked = 0;
    const follow = (stop: AbortController) =>
      appendSignal
        .follow(ROOM, stop.signal, async () => {
          asked += 1;
          return [];
        })
        [Symbol.asyncIterator]()
        .next();
    const [first, second] = [follow(early), follow(late)];
    await turn();
    early.abort();
    expect([(await first).done, appendSignal.size()]).toEqual([true, 1]);
    asked = 0;
    appendSignal.notify(ROOM);
    await turn();
    expect(asked).toBe(1);
    late.abort();
    expect([(await second).done, appendSignal.size()]).toEqual([true, 0]);
  });

  test("that ends late does not remove other followers of its stream", async () => {
    const appendSignal = createAppendSignal();
    const [early, late] = [new AbortController(), new AbortController()];
    const first = appendSignal.follow(ROOM, early.signal, () => Promise.resolve([event]))[Symbol.asyncIterator]();
    await first.next();
    early.abort();
    let asked = 0;
    const next = (): Promise<readonly Stored[]> => {
      asked += 1;
      return Promise.resolve(asked === 1 ? [] : [event]);
    };
    const second = appendSignal.follow(ROOM, late.signal, next)[Symbol.asyncIterator]().next();
    await turn();
    expect((await first.next()).done).toBe(true);
    appendSignal.notify(ROOM);
    expect((await second).value).toEqual([event]);
    late.abort();
  });
});

describe("a watcher", () => {
  test("starts with the call and gets each name once per batch", async () => {
    const appendSignal = createAppendSignal();
    const stop = new AbortController();
    const watched = appendSignal.watch(["room"], stop.signal)[Symbol.asyncIterator]();
    appendSignal.notify(ROOM);
    appendSignal.notify(ROOM);
    appendSignal.notify(OTHER);
    expect((await watched.next()).value).toEqual(new Set([ROOM, OTHER]));
    appendSignal.notify(OTHER);
    expect((await watched.next()).value).toEqual(new Set([OTHER]));
    const next = watched.next();
    await turn();
    appendSignal.notify(ROOM);
    expect((await next).value).toEqual(new Set([ROOM]));
    stop.abort();
    expect((await watched.next()).done).toBe(true);
  });

  test("ends while it waits when its signal aborts, and leaves nothing behind, started or not", async () => {
    const appendSignal = createAppendSignal();
    const stop = new AbortController();
    const { signal, listeners } = counted(stop.signal);
    const waiting = appendSignal.watch(["room"], signal)[Symbol.asyncIterator]().next();
    appendSignal.watch(["room"], signal);
    expect(appendSignal.size()).toBe(2);
    stop.abort();
    expect((await waiting).done).toBe(true);
    expect([appendSignal.size(), listeners()]).toEqual([0, 0]);
    appendSignal.watch(["room"], signal);
    expect([appendSignal.size(), listeners()]).toEqual([0, 0]);
  });

  test("receives the kinds that it asked for, and is not woken by others", async () => {
    const appendSignal = createAppendSignal();
    const stop = new AbortController();
    let woken = 0;
    const listening = (async () => {
      for await (const names of appendSignal.watch(["house", "agent"], stop.signal)) woken += names.size;
    })();
    appendSignal.notify(ROOM);
    await turn();
    expect(woken).toBe(0);
    appendSignal.notify("agent:agent_1" as StreamName);
    appendSignal.notify("house:house_1" as StreamName);
    await turn();
    expect(woken).toBe(2);
    stop.abort();
    await listening;
  });

  test("that is abandoned leaves nothing behind", async () => {
    const appendSignal = createAppendSignal();
    const { signal, listeners } = counted(new AbortController().signal);
    const watched = appendSignal.watch(["room"], signal);
    appendSignal.notify(ROOM);
    for await (const names of watched) if (names.size > 0) break;
    expect([appendSignal.size(), listeners()]).toEqual([0, 0]);
  });
});
