/**
 * Delegation: a child turn runs with fewer tools, a share of its parent's calls, and no access to
 * the room.
 */
import { expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import {
  activationsOf,
  addBot,
  call,
  type Cast,
  inboxOf,
  lastIn,
  play,
  resultsIn,
  waitForEnd,
} from "../../src/fixtures/talk.ts";

type Json = ReturnType<typeof JSON.parse>;
const CONFIG = 'tools = ["delegate", "list", "read"]\n';

/** A child's turn has the task in its system prompt. */
const isChild = (request: ModelRequest): boolean => request.system[0]?.text.includes("another agent asks you") ?? false;
/** As one who delegates, and as a child. */
const twoWays =
  (parent: Cast[string], child: Cast[string]): Cast[string] =>
  (request) =>
    isChild(request) ? child(request) : parent(request);
/** Makes these calls one at a time, then replies with their results. */
const inTurn =
  (...calls: readonly Json[]): Cast[string] =>
  (request) => {
    const results = resultsIn(request);
    const next = calls[results.length];
    if (next !== undefined) return call(next[0], next[1], `c${results.length}`);
    return { text: results.map(({ text, failed }) => `${failed ? "failed: " : ""}${text}`).join(" | ") };
  };

test("an agent delegates to itself: the child sees only the task, has some of the tools, and its result is returned", async () => {
  using disk = createTestDisk();
  const Main = twoWays(inTurn(["delegate", { task: "count files", tools: ["list"] }]), (request) =>
    resultsIn(request).length === 0 ? call("list", {}) : { text: "none" },
  );
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG });
  await house.post("secret of the room");
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "none" }, toolCalls: 1 });
  const [parent, child] = await waitForEnd(house, "main", 2);
  expect(child).toMatchObject({ agent: parent.agent, trigger: "inbox", state: "replied", parent: parent.id, depth: 1 });
  const asked = house.model.requests.find(isChild);
  expect(asked?.messages).toMatchObject([
    { text: "count files", note: expect.stringMatching(/^you gave yourself this to do, /) },
  ]);
  expect(asked?.tools.map(({ name }) => name)).toEqual(["list"]);
  expect(JSON.stringify(asked)).not.toContain("secret of the room");
  expect((await inboxOf(house, "main")).map(({ type, status }) => [type, status])).toEqual([
    ["delegation", "read"],
    ["answer", "read"],
  ]);
  expect(await house.messages()).toHaveLength(2);
});

test("another agent does the work with those of the given tools that it has itself", async () => {
  using disk = createTestDisk();
  const Main = inTurn(["delegate", { task: "look", agent: "@scout" }]);
  const Scout: Cast[string] = (request) => ({ text: request.tools.map(({ name }) => name).join() });
  await using house = await openTestHouse({ disk, script: play({ Main, Scout }), config: CONFIG });
  await addBot(house, "Scout", { tools: ["read", "shell"] });
  await house.post("go");
  expect((await house.until(2)).at(-1)?.body.text).toBe("read");
  expect((await activationsOf(house, "scout"))[0]).toMatchObject({ state: "replied", depth: 1 });
});

test("an agent cannot pass on a tool that it does not have", async () => {
  using disk = createTestDisk();
  const Main = inTurn(["delegate", { task: "look", tools: ["list", "shell"] }]);
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG });
  await house.post("go");
  expect((await house.until(2)).at(-1)?.body.text).toBe(
    "failed: You can give away no more than you have, so not shell. Yours: delegate, list, read.",
  );
  expect(await disk.store.select({ table: "activations" })).toHaveLength(1);
});

test("a task that was delegated twice cannot be delegated further", async () => {
  using disk = createTestDisk();
  const Main = inTurn(["delegate", { task: "deeper" }]);
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG });
  await house.post("go");
  expect((await house.until(2)).at(-1)?.body.text).toBe(
    "failed: This work was delegated twice already: do it yourself.",
  );
  const rows = await disk.store.select({ table: "activations", order: [{ column: "depth" }] });
  expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 2]);
});

test("a child has its granted number of calls, which count as its parent's", async () => {
  using disk = createTestDisk();
  const list = (path: string) => ["list", { path }];
  const Main = twoWays(
    inTurn(["delegate", { task: "a", maxToolCalls: 2 }], list("a"), list("b")),
    (request): ReturnType<Cast[string]> =>
      resultsIn(request).length > 0
        ? { text: "done" }
        : { toolCalls: ["1", "2", "3"].map((path) => ({ id: path, name: "list", input: { path } })) },
  );
  const sections = "[turns]\nmax_tool_calls = 5\n";
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG, sections });
  await house.post("go");
  await house.until(2);
  const [parent, child] = await activationsOf(house, "main");
  const refusals = async ({ id }: Json): Promise<Json[]> =>
    (await house.ask("GET", `/api/activations/${id}`)).json.parts
      .filter(({ kind }: Json) => kind === "tool")
      .map(({ output }: Json) => /^All (\d) tool calls/u.exec(output)?.[1]);
  expect(await refusals(child)).toEqual([undefined, undefined, "2"]);
  // Five in total: the delegation, three requested by the child, and one more.
  expect(await refusals(parent)).toEqual([undefined, undefined, "5"]);
});

test("a child's calls still count as its parent's after a restart", async () => {
  using disk = createTestDisk();
  const asked = Promise.withResolvers<void>();
  const list = (path: string) => ["list", { path }];
  let isBroken = true;
  const parent = inTurn(["delegate", { task: "a" }], list("a"), list("b"));
  const Main = twoWays(
    (request) => {
      if (resultsIn(request).length !== 1 || !isBroken) return parent(request);
      asked.resolve();
      return { hang: true };
    },
    inTurn(list("1"), list("2")),
  );
  const sections = "[turns]\nmax_tool_calls = 4\n";
  const first = await openTestHouse({ disk, script: play({ Main }), config: CONFIG, sections });
  await first.post("go");
  await asked.promise;
  await first[Symbol.asyncDispose]();
  isBroken = false;
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG, sections });
  const said = (await house.until(2)).at(-1)?.body.text.split(" | ") ?? [];
  expect(said.slice(-2)).toEqual([expect.not.stringContaining("All"), expect.stringContaining("All 4 tool calls")]);
});

test("a child gets at most its parent's remaining calls, and with none it still answers", async () => {
  using disk = createTestDisk();
  const Main = twoWays(inTurn(["list", {}], ["delegate", { task: "a", maxToolCalls: 50 }]), (request) => ({
    text: request.toolUse,
  }));
  const sections = "[turns]\nmax_tool_calls = 2\n";
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG, sections });
  await house.post("go");
  expect((await house.until(2)).at(-1)?.body.text).toEndWith("forbidden");
});

test("calls of one child are not available to the next one", async () => {
  using disk = createTestDisk();
  const lists = ["1", "2"].map((path) => ({ id: path, name: "list", input: { path } }));
  const Main = twoWays(inTurn(["delegate", { task: "a" }], ["delegate", { task: "b" }]), (request) => {
    const results = resultsIn(request);
    return results.length === 0 ? { toolCalls: lists } : { text: results.at(-1)?.text ?? "" };
  });
  const sections = "[turns]\nmax_tool_calls = 5\n";
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG, sections });
  await house.post("go");
  // Five in total: two delegations and two calls of the first child.
  const said = (await house.until(2)).at(-1)?.body.text.split(" | ") ?? [];
  expect(said).toEqual([expect.not.stringContaining("All"), expect.stringContaining("All 1 tool calls")]);
});

test("a task that takes too long is stopped, and its calls are counted", async () => {
  using disk = createTestDisk();
  const world = createBunWorld();
  const timeIsUp = Promise.withResolvers<void>();
  const clock = {
    ...world.clock,
    sleep: (ms: number, signal?: AbortSignal) => (ms === 600_000 ? timeIsUp.promise : world.clock.sleep(ms, signal)),
  };
  const Main = twoWays(inTurn(["delegate", { task: "wait" }]), (request) => {
    if (resultsIn(request).length === 0) return call("list", {});
    timeIsUp.resolve();
    return { hang: true };
  });
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG, world: { ...world, clock } });
  await house.post("go");
  expect((await house.until(2)).at(-1)?.body.text).toBe("failed: It was not done within 600 s and has been stopped.");
  const [parent, child] = await activationsOf(house, "main");
  expect(child).toMatchObject({ state: "stopped", reason: "The delegating turn no longer waits for it." });
  const [step] = await disk.store.select({ table: "steps", where: { activation: parent.id, name: "delegate" } });
  expect(JSON.parse(step?.output ?? "")).toMatchObject({ failed: true, toolCalls: 1 });
});

test("a failing child does not fail its parent, which reads the reason", async () => {
  using disk = createTestDisk();
  const error = { code: "provider.auth", message: "The key is wrong." } as const;
  const Main = twoWays(inTurn(["delegate", { task: "a" }]), () => ({ error }));
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG });
  await house.post("go");
  expect((await house.until(2)).at(-1)?.body.text).toBe("failed: Main (@main) did not finish it: The key is wrong.");
});

test("stopping the parent stops its children and their children", async () => {
  using disk = createTestDisk();
  const deepest = Promise.withResolvers<void>();
  const Main: Cast[string] = (request) => {
    if (lastIn(request) !== "go 2") return call("delegate", { task: isChild(request) ? "go 2" : "go 1" });
    deepest.resolve();
    return { hang: true };
  };
  await using house = await openTestHouse({ disk, script: play({ Main }), config: CONFIG });
  await house.post("go");
  await deepest.promise;
  const [parent] = await activationsOf(house, "main");
  await house.ask("POST", `/api/activations/${parent.id}/stop`, {});
  const rows = await disk.store.select({ table: "activations" });
  expect(rows.map(({ state }) => state)).toEqual(["stopped", "stopped", "stopped"]);
});
