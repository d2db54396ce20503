/** Failed activations are retried: automatically, or by a person. */
import { describe, expect, test } from "bun:test";
import { HearthError, type World } from "@hearth/protocol";
import { found, until } from "@hearth/protocol/until";
import { bootInmate } from "@hearth/inmate/bun/boot";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { MAX_DAEMON_DEATHS, MAX_EMPTY_RETRIES, MAX_RETRIES } from "../../src/turns/recovery/retry-policy.ts";
import type { CellBackend } from "../../src/cells/backend.ts";
import { createInlineBackend } from "../../src/cells/inline.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { call, resultsIn, texts, waitForEnd } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";
import type { Store } from "../../src/kernel/store/store.ts";

type Json = ReturnType<typeof JSON.parse>;

const DOWN = { error: { code: "provider.unreachable", message: "It is down." } } as const;
const DENIED = { error: { code: "provider.auth", message: "The key is wrong." } } as const;

/** A world whose long sleeps the test ends, so that retries wait for the test. */
const createRetryWorld = () => {
  const world = createBunWorld();
  let skippedMs = 0;
  const sleeping = new Set<() => void>();
  const own: World = {
    ...world,
    clock: {
      ...world.clock,
      now: () => world.clock.now() + skippedMs,
      monotonic: () => world.clock.monotonic() + skippedMs,
      sleep(ms, signal) {
        // Pauses of retries double from two seconds, and the rest of a pause is not a whole number
        // of seconds.
        const isPause = ms === 300_000 || (ms > 1500 && (ms % 1000 > 0 || Number.isInteger(Math.log2(ms / 1000))));
        if (!isPause) return world.clock.sleep(ms, signal);
        const { promise, resolve } = Promise.withResolvers<void>();
        sleeping.add(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
        return promise.finally(() => sleeping.delete(resolve));
      },
    },
  };
  return {
    world: own,
    skip(ms: number) {
      skippedMs += ms;
      for (const wake of [...sleeping]) wake();
    },
  };
};

const activations = async (house: TestHouse): Promise<Json[]> =>
  (await house.ask("GET", "/api/agents/main/activations?limit=100")).json.toReversed();

/** Resolves with all activations as soon as the condition holds for them. */
const untilAll = (house: TestHouse, holds: (all: Json[]) => boolean): Promise<Json[]> =>
  found(async () => {
    const all = await activations(house);
    return holds(all) ? all : undefined;
  });
const isPostponed = ([first]: Json[]): boolean => first?.retryAt !== undefined;
const isOver = (all: Json[]): boolean => all.length > 0 && all.every(({ endedAt }) => endedAt !== undefined);
const roomEvents = async (house: TestHouse, type: string): Promise<Json[]> =>
  (await house.ask("GET", "/api/rooms/main/events?limit=1000")).json.events.filter(
    (event: Json) => event.type === type,
  );

describe("a transient failure of the provider", () => {
  test("queues the activation again, shows the time of the next attempt, and ends in an answer", async () => {
    using disk = createTestDisk();
    const { world, skip } = createRetryWorld();
    const script = [DOWN, DOWN, { text: "back" }];
    await using house = await openTestHouse({ disk, world, script });
    await house.post("hi");
    for (const delayMs of [2000, 4000]) {
      const [waiting] = await untilAll(house, isPostponed);
      expect(waiting).toMatchObject({ state: "queued", error: { code: "provider.unreachable" } });
      const room = (await house.room()).id;
      const live = (await house.ask("GET", `/api/rooms/${room}/live?limit=100`)).json.events.at(-1);
      expect(live).toMatchObject({
        type: "activation-queued",
        retryAt: waiting.retryAt,
        error: { message: "It is down." },
      });
      expect(waiting.retryAt - world.clock.now()).toBeLessThanOrEqual(delayMs);
      skip(delayMs);
      await untilAll(house, ([first]) => first?.retryAt !== waiting.retryAt);
    }
    expect(texts(await house.until(2)).at(-1)).toBe("back");
    expect(house.model.requests).toHaveLength(3);
  });

  test("fails permanently after the last retry, with a room event", async () => {
    using disk = createTestDisk();
    const { world, skip } = createRetryWorld();
    await using house = await openTestHouse({ disk, world, script: () => DOWN });
    await house.post("hi");
    for (let retry = 0; retry < MAX_RETRIES; retry += 1) {
      const [waiting] = await untilAll(house, isPostponed);
      skip(300_000);
      await untilAll(house, ([first]) => first?.retryAt !== waiting.retryAt);
    }
    const [failed] = await untilAll(house, isOver);
    expect(failed).toMatchObject({ state: "failed", error: { code: "provider.unreachable" } });
    expect(failed.error.message).toContain(`${MAX_RETRIES} times`);
    expect(await roomEvents(house, "activation-failed")).toMatchObject([
      { activation: failed.id, causes: [failed.cause], error: failed.error },
    ]);
    expect(house.model.requests).toHaveLength(MAX_RETRIES + 1);
  });

  test("does not run a tool again, and counts retries since the last completed step", async () => {
    using disk = createTestDisk();
    const { world, skip } = createRetryWorld();
    const script = [DOWN, call("time", {}), DOWN, { text: "done" }];
    await using house = await openTestHouse({ disk, world, script: (_request, nth) => script[nth] as ScriptedReply });
    await house.post("hi");
    for (let retry = 0; retry < 2; retry += 1) {
      const [waiting] = await untilAll(house, isPostponed);
      const [row] = await disk.store.select({ table: "activations" });
      expect(row?.retries).toBe(1);
      skip(2000);
      await untilAll(house, ([first]) => first?.retryAt !== waiting.retryAt);
    }
    const message = (await house.until(2)).at(-1) as Json;
    expect(message).toMatchObject({ body: { text: "done" }, toolCalls: 1 });
    expect(house.model.requests).toHaveLength(4);
    expect(resultsIn(house.model.requests[3] as never)).toHaveLength(1);
  });

  test("can be stopped while it waits", async () => {
    using disk = createTestDisk();
    const { world } = createRetryWorld();
    await using house = await openTestHouse({ disk, world, script: () => DOWN });
    await house.post("hi");
    const [{ id }] = (await untilAll(house, isPostponed)) as [Json];
    expect((await house.ask("POST", `/api/activations/${id}/stop`)).json).toMatchObject({ state: "stopped" });
    expect(house.model.requests).toHaveLength(1);
  });

  test("survives a restart of the daemon, which waits for the rest of the pause and then retries", async () => {
    using disk = createTestDisk();
    const { world, skip } = createRetryWorld();
    const first = await openTestHouse({ disk, world, script: () => DOWN });
    await first.post("hi");
    const [before] = (await untilAll(first, isPostponed)) as [Json];
    await first[Symbol.asyncDispose]();
    await using second = await openTestHouse({ disk, world, script: [{ text: "back" }] });
    const [after] = (await activations(second)) as [Json];
    expect(after).toMatchObject({ id: before.id, state: "queued", retryAt: before.retryAt });
    expect(second.model.requests).toHaveLength(0);
    skip(2000);
    expect(texts(await second.until(2)).at(-1)).toBe("back");
  });

  test("is not assumed for permanent errors, which fail at once", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: () => DENIED });
    await house.post("hi");
    expect(await untilAll(house, isOver)).toMatchObject([{ state: "failed", error: { code: "provider.auth" } }]);
    expect(house.model.requests).toHaveLength(1);
  });
});

test("an empty answer is retried a few times, and then reported as a failure", async () => {
  using disk = createTestDisk();
  const { world, skip } = createRetryWorld();
  await using house = await openTestHouse({ disk, world, script: () => ({ text: "  " }) });
  await house.post("hi");
  for (let retry = 0; retry < MAX_EMPTY_RETRIES; retry += 1) {
    const [waiting] = await untilAll(house, isPostponed);
    skip(300_000);
    await untilAll(house, ([first]) => first?.retryAt !== waiting.retryAt);
  }
  expect(await untilAll(house, isOver)).toMatchObject([{ state: "failed", error: { code: "provider.empty" } }]);
});

test("a cell that dies while it opens is reopened, and the message is answered", async () => {
  using disk = createTestDisk();
  const world = createBunWorld();
  const inline = createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock: world.clock }) });
  let opened = 0;
  const backend: CellBackend = {
    ...inline,
    async open(spec) {
      opened += 1;
      const cell = await inline.open(spec);
      if (opened === 1) await cell.close();
      return cell;
    },
  };
  await using house = await openTestHouse({ disk, world, backend, script: [{ text: "here" }] });
  await house.post("hi");
  expect(texts(await house.until(2)).at(-1)).toBe("here");
  expect(opened).toBe(2);
});

test.each([
  ["is opened again", 2, ["here"], undefined],
  ["ends the activation after a few tries", Infinity, [], "cell.unavailable"],
])("a cell that cannot be opened %s", async (_title, failures, replies, code) => {
  using disk = createTestDisk();
  const world = createBunWorld();
  const inline = createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock: world.clock }) });
  let opened = 0;
  const backend: CellBackend = {
    ...inline,
    async open(spec) {
      opened += 1;
      if (opened > failures) return inline.open(spec);
      throw new HearthError("cell.unavailable", "There is no memory for a cell.");
    },
  };
  await using house = await openTestHouse({ disk, world, backend, script: [{ text: "here" }] });
  await house.post("hi");
  const [ended] = await waitForEnd(house, "main", 1);
  const said = (await house.messages()).filter(({ activation }) => activation !== undefined);
  expect([texts(said), ended.error?.code]).toEqual([replies, code]);
});

test("a database that another process holds leaves the activation queued, and it is retried", async () => {
  using disk = createTestDisk();
  let isLocked = true;
  const store: Store = {
    ...disk.store,
    commit: (change) =>
      isLocked && JSON.stringify(change).includes('"running"')
        ? Promise.reject(new HearthError("store.locked", "Another process is writing."))
        : disk.store.commit(change),
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, script: [{ text: "free" }] });
  await house.post("hi");
  await until(() => house.logLines.some((line) => line.includes("the disk refuses writes; an activation waits")));
  expect(await activations(house)).toMatchObject([{ state: "queued" }]);
  isLocked = false;
  expect(texts(await house.until(2)).at(-1)).toBe("free");
});

describe("a failed activation that a person retries", () => {
  test("is answered by one new activation, however often the retry is requested", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: [DENIED, { text: "now" }] });
    await house.post("hi");
    const [failed] = (await untilAll(house, isOver)) as [Json];
    const retry = (): Promise<Json> => house.ask("POST", `/api/activations/${failed.id}/retry`);
    const [first, second] = await Promise.all([retry(), retry()]);
    expect(first).toMatchObject({ status: 200, json: { cause: failed.cause } });
    expect(first.json.id).not.toBe(failed.id);
    expect(second.json.id).toBe(first.json.id);
    await untilAll(house, isOver);
    expect((await retry()).json).toMatchObject({ id: first.json.id, state: "replied" });
    const reply = (await roomEvents(house, "message")).at(-1);
    expect(reply).toMatchObject({ body: { text: "now" }, causes: [failed.cause], activation: first.json.id });
    expect(await activations(house)).toMatchObject([{ id: failed.id, retriedBy: first.json.id }, {}]);
    const room = (await house.room()).id;
    expect((await house.ask("GET", `/api/rooms/${room}/fates`)).json.fates).toMatchObject([
      { fate: { kind: "answered" } },
    ]);
  });

  test("is refused if it did not fail", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: [{ text: "fine" }] });
    await house.post("hi");
    const [{ id }] = (await untilAll(house, isOver)) as [Json];
    expect(await house.ask("POST", `/api/activations/${id}/retry`)).toMatchObject({
      status: 409,
      json: { error: { code: "activation.not-retryable" } },
    });
  });

  test("has all messages answered again that it had included", async () => {
    using disk = createTestDisk();
    const held = Promise.withResolvers<void>();
    let isDenied = true;
    await using house = await openTestHouse({
      disk,
      async script(request) {
        if (!isDenied) return { text: "both" };
        if (resultsIn(request).length > 0) return DENIED;
        await held.promise;
        return call("time", {});
      },
    });
    await house.post("one");
    await untilAll(house, ([first]) => first?.state === "running");
    await house.post("two");
    await untilAll(house, (all) => all.length === 2);
    held.resolve();
    const [failed] = (await untilAll(house, isOver)) as [Json];
    isDenied = false;
    await house.ask("POST", `/api/activations/${failed.id}/retry`);
    await untilAll(house, (all) => all.length === 4 && isOver(all));
    const answered = (await roomEvents(house, "message")).flatMap(({ causes }) => causes);
    const said = (await roomEvents(house, "message")).filter(({ causes }) => causes.length === 0);
    expect(new Set(answered)).toEqual(new Set(said.map(({ id }) => id)));
    expect(answered).toHaveLength(2);
  });
});

describe("deaths of the daemon", () => {
  /** Simulates this many kills of the daemon while the activation ran. */
  const kill = async (disk: TestDisk, crashes: number, progress: number): Promise<void> => {
    const [row] = await disk.store.select({ table: "activations", where: { merged_into: null } });
    if (row === undefined) throw new Error("nothing has begun");
    await disk.store.commit({
      writes: [{ kind: "update", table: "activations", where: { id: row.id }, set: { crashes, progress } }],
    });
  };

  /**
   * A house that ends during the second model call: after one tool call, and with a second message
   * included.
   */
  const leave = async (disk: TestDisk): Promise<void> => {
    const asked = Promise.withResolvers<void>();
    const posted = Promise.withResolvers<void>();
    const house = await openTestHouse({
      disk,
      async script(request) {
        await posted.promise;
        if (resultsIn(request).length === 0) return call("time", {});
        asked.resolve();
        return { hang: true };
      },
    });
    await house.post("one");
    await untilAll(house, ([first]) => first?.state === "running");
    await house.post("two");
    await untilAll(house, (all) => all.length === 2);
    posted.resolve();
    await asked.promise;
    await house[Symbol.asyncDispose]();
  };

  test("count since the last completed step", async () => {
    using disk = createTestDisk();
    await leave(disk);
    // Both the model's step and the tool's were completed since the activation last started.
    await kill(disk, MAX_DAEMON_DEATHS, 0);
    await using house = await openTestHouse({ disk, script: () => ({ text: "still here" }) });
    expect(texts(await house.until(3)).at(-1)).toBe("still here");
  });

  test("without progress give the activation up, and included messages are answered on their own", async () => {
    using disk = createTestDisk();
    await leave(disk);
    await kill(disk, MAX_DAEMON_DEATHS, 99);
    await using last = await openTestHouse({ disk, script: () => ({ text: "two is answered" }) });
    const all = await untilAll(last, (now) => now.length === 3 && isOver(now));
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(["failed", "replied", "skipped"]));
    const said = await roomEvents(last, "message");
    expect(said.at(-1)).toMatchObject({ body: { text: "two is answered" }, causes: [said[1]?.id] });
    expect(await roomEvents(last, "activation-failed")).toMatchObject([{ causes: [said[0]?.id] }]);
  });
});
