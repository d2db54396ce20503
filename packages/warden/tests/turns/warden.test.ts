import { expect, test } from "bun:test";
import { spend, until } from "@hearth/protocol/until";
import { createFakeIds } from "../../src/fixtures/ids.ts";
import { createTestDisk, openTestHouse, type TestDisk } from "../../src/fixtures/house.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";
import type { Change, Store } from "../../src/kernel/store/store.ts";

const tool = (name: string, input: Record<string, string>, id = "call-1") => ({ toolCalls: [{ id, name, input }] });

test("the first start creates a house, its owner, a bot and their direct room", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [] });
  const [houses, agents, rooms] = await Promise.all(
    ["houses", "agents", "rooms"].map(async (type) => (await house.ask("GET", `/api/${type}`)).json),
  );
  expect(houses).toMatchObject([{ handle: "home", version: 1 }]);
  expect(agents).toMatchObject([
    { handle: "owner", content: { kind: "human" } },
    { handle: "main", content: { kind: "bot" } },
  ]);
  expect(rooms).toMatchObject([{ handle: "main", content: { kind: "direct", members: [agents[0].id, agents[1].id] } }]);
});

test("a second start creates no further records", async () => {
  using disk = createTestDisk();
  await (await openTestHouse({ disk, script: [] }))[Symbol.asyncDispose]();
  await using house = await openTestHouse({ disk, script: [] });
  expect((await house.ask("GET", "/api/agents")).json).toHaveLength(2);
  expect((await house.ask("GET", "/api/rooms")).json).toHaveLength(1);
});

test("a direct message is answered by a message that names it as its cause", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "hello Ana" }] });
  const posted = await house.post("hi");
  const [message, reply] = await house.until(2);
  expect(message).toMatchObject({ id: posted.id, offset: 1, body: { text: "hi" } });
  expect(reply).toMatchObject({ offset: 2, body: { format: "markdown", text: "hello Ana" }, causes: [posted.id] });
  expect(house.model.requests[0]).toMatchObject({ model: "model", messages: [{ role: "user", text: "hi" }] });
});

test("the prompt begins with the brain's files and the message says who wrote it, in a note", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "ok" }] });
  await house.post("hi");
  await house.until(2);
  const [request] = house.model.requests;
  expect(request?.system[0]).toMatchObject({ stable: true });
  expect(request?.system[0]?.text).toStartWith("You are kind.\n\nAna.");
  expect(request?.messages[0]).toMatchObject({
    note: expect.stringMatching(/^Owner, \w{3} \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  });
});

test("the stable part of the prompt is byte-identical across turns, and earlier turns are unchanged", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "one" }, { text: "two" }] });
  await house.post("first");
  await house.until(2);
  await house.post("second");
  await house.until(4);
  const [one, two] = house.model.requests;
  expect(two?.system).toEqual(one?.system as never);
  expect(two?.messages.slice(0, 1)).toEqual(one?.messages as never);
  expect(two?.messages[1]).toEqual({ role: "assistant", text: "one", toolCalls: [] });
});

test("tools run in the workspace, their calls are journaled, and the model reads their results", async () => {
  using disk = createTestDisk();
  const script: Script = [
    tool("write", { path: "a.txt", content: "kept" }),
    tool("read", { path: "a.txt" }, "call-2"),
    { text: "done" },
  ];
  await using house = await openTestHouse({ disk, script });
  const posted = await house.post("write and read");
  await house.until(2);
  expect(await Bun.file(`${disk.workspace}/a.txt`).text()).toBe("kept");
  expect(house.model.requests[2]?.messages.at(-1)).toMatchObject({
    role: "tool",
    call: "call-2",
    name: "read",
    failed: false,
  });
  expect(JSON.stringify(house.model.requests[2]?.messages.at(-1))).toContain("kept");
  const [activation] = (await house.ask("GET", `/api/agents/main/activations?cause=${posted.id}`)).json;
  const { steps } = (await house.ask("GET", `/api/activations/${activation.id}`)).json;
  expect(
    steps.map(({ kind, name, state }: { kind: string; name: string; state: string }) => `${kind} ${name} ${state}`),
  ).toEqual(["model main done", "tool write done", "model main done", "tool read done", "model main done"]);
});

const logOf = async (store: Store): Promise<readonly string[]> =>
  (await store.select({ table: "events", order: [{ column: "offset" }] }))
    .filter(({ stream, type }) => stream.startsWith("agent:") && type.startsWith("activation-"))
    .map(({ type }) => type);

test("the agent's log says once that a turn began, and then that it ended", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "hello" }] });
  await house.post("hi");
  await house.until(2);
  expect(await logOf(disk.store)).toEqual(["activation-started", "activation-ended"]);
});

test("deltas show text and tool calls as they happen and end with the outcome", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [tool("list", {}), { text: "all there is" }] });
  await house.post("list");
  await house.until(2);
  const [activation] = (await house.ask("GET", "/api/agents/main/activations")).json;
  const deltas = await house.deltas(activation.id);
  expect(deltas.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
    "round-start",
    "tool-start",
    "tool-end",
    "round-start",
    "text-delta",
    "end",
  ]);
  expect(deltas.flatMap((delta) => (delta.type === "text-delta" ? [delta.text] : [])).join("")).toBe("all there is");
  expect(deltas.at(-1)).toMatchObject({ type: "end", state: "replied" });
});

test("a tool that is not enabled is refused with a reason, and the model continues", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    script: [tool("shell", { command: "touch x" }), { text: "I may not" }],
  });
  await house.post("run it");
  await house.until(2);
  expect(house.model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", failed: true });
  expect(JSON.stringify(house.model.requests[1])).toContain("hearth agent edit main --tools +shell");
  expect(house.model.requests[0]?.tools.map(({ name }) => name)).not.toContain("shell");
  expect(await Bun.file(`${disk.workspace}/x`).exists()).toBe(false);
});

test("a call with invalid arguments does not run; the model reads why and calls again", async () => {
  using disk = createTestDisk();
  const broken = { id: "call-1", name: "shell", input: {}, unreadable: "{command: touch x}" };
  const script: Script = [{ toolCalls: [broken] }, tool("shell", { command: "touch y" }, "call-2"), { text: "done" }];
  await using house = await openTestHouse({ disk, script, config: 'tools = ["shell"]\n' });
  await house.post("run it");
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "done" } });
  expect(house.model.requests[1]?.messages.at(-1)).toMatchObject({
    role: "tool",
    call: "call-1",
    name: "shell",
    failed: true,
    text: "The arguments of this call were not a JSON object, so it was not made: {command: touch x}\nCall it again with arguments that fit its schema.",
  });
  expect(await Bun.file(`${disk.workspace}/y`).exists()).toBe(true);
  const [activation] = (await house.ask("GET", "/api/agents/main/activations")).json;
  const steps = await disk.store.select({ table: "steps", where: { activation: activation.id, step: 1 } });
  // No command ran, so the call may be repeated after a crash.
  expect(steps).toMatchObject([{ kind: "tool", name: "shell", state: "done", effect: "pure" }]);
});

test("a call with 5 MB of arguments gets a failed result in the same cell, and the turn continues", async () => {
  using disk = createTestDisk();
  const script: Script = [
    tool("shell", { command: `touch x # ${"a".repeat(5_000_000)}` }, "call-1"),
    tool("shell", { command: "touch y" }, "call-2"),
    { text: "done" },
  ];
  await using house = await openTestHouse({ disk, script, config: 'tools = ["shell"]\n' });
  await house.post("run it");
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "done" } });
  expect(house.model.requests).toHaveLength(3);
  expect(house.model.requests[1]?.messages.at(-1)).toMatchObject({
    ...{ role: "tool", call: "call-1", failed: true },
    text: expect.stringMatching(/^The arguments of this call have 50000\d\d bytes as JSON; shell takes 262144/),
  });
  expect(JSON.stringify(house.model.requests).length).toBeLessThan(1_000_000);
  expect(await Bun.file(`${disk.workspace}/x`).exists()).toBe(false);
  expect(await Bun.file(`${disk.workspace}/y`).exists()).toBe(true);
});

test("a tool that a person enabled runs", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    script: [tool("shell", { command: "echo hi > x" }), { text: "done" }],
  });
  expect((await house.ask("PATCH", "/api/agents/main", { content: { tools: ["shell"] } })).status).toBe(200);
  await house.post("run it");
  await house.until(2);
  expect(await Bun.file(`${disk.workspace}/x`).text()).toBe("hi\n");
});

test("messages of one room are answered one at a time, each once, in order", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    config: 'queue = "followup"\n',
    script: ({ messages }) => ({ text: `re ${messages.findLast(({ role }) => role === "user")?.text}` }),
  });
  for (const text of ["one", "two", "three"]) await house.post(text);
  const all = await house.until(6);
  const replies = all.filter(({ causes }) => causes.length > 0);
  expect(replies.map(({ body }) => body.text)).toEqual(["re one", "re two", "re three"]);
  expect(new Set(replies.flatMap(({ causes }) => causes)).size).toBe(3);
});

test("the same idempotency key is the same message, answered once", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "once" }) });
  const [one, two] = await Promise.all([house.post("hi", "k"), house.post("hi", "k")]);
  expect(one.id).toBe(two.id);
  await house.until(2);
  await house.post("again");
  expect((await house.until(4)).filter(({ body }) => body.text === "once")).toHaveLength(2);
});

test("in a group a mention wakes a bot, other messages wake none", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "here" }) });
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } })).json;
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "a message to no agent" });
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main are you there? `@owner`" });
  const { json } = await house.ask("GET", `/api/rooms/${room.id}/events?after=2&wait=5000`);
  expect(json.events).toMatchObject([{ body: { text: "here" } }]);
  expect((await house.ask("GET", "/api/agents/main/activations")).json).toMatchObject([
    { trigger: "mention", state: "replied" },
  ]);
});

test("a model's failure ends the activation with the reason, and the next message is answered", async () => {
  using disk = createTestDisk();
  const script: Script = [{ error: { code: "provider.auth", message: "The key was refused." } }, { text: "back" }];
  await using house = await openTestHouse({ disk, script });
  const answer = await house.ask("POST", "/api/chat", { agentName: "main", message: "hi" });
  expect(answer).toMatchObject({
    status: 502,
    json: { error: { code: "provider.auth", message: "The key was refused." } },
  });
  expect((await house.ask("GET", "/api/agents/main/activations")).json).toMatchObject([
    { state: "failed", error: { code: "provider.auth" } },
  ]);
  expect((await house.ask("POST", "/api/chat", { agentName: "main", message: "hi" })).json).toMatchObject({
    result: "back",
  });
});

test("stopping ends a running activation, and the next message is answered", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ hang: true, text: "I am thinking" }, { text: "back" }] });
  const posted = await house.post("hi");
  const live = await house.ask("GET", "/api/rooms/main/live?after=1&wait=5000");
  expect(live.json.events[0]).toMatchObject({ type: "activation-running", cause: posted.id });
  const { activation } = live.json.events[0];
  await until(() => house.model.requests.length > 0);
  expect((await house.ask("POST", `/api/activations/${activation}/stop`)).json).toMatchObject({ state: "stopped" });
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "I am thinking" }, stopped: true });
  await house.post("again");
  expect((await house.until(3)).at(-1)).toMatchObject({ body: { text: "again" } });
  expect((await house.until(4)).at(-1)).toMatchObject({ body: { text: "back" } });
});

/** A store whose process dies at its n-th commit: that commit and all later ones never happen. */
const dyingAt = (disk: TestDisk, count: number): TestDisk & { readonly died: Promise<void> } => {
  let commits = 0;
  const died = Promise.withResolvers<void>();
  const store: Store = {
    ...disk.store,
    commit(change: Change) {
      commits += 1;
      if (commits < count) return disk.store.commit(change);
      died.resolve();
      return new Promise(() => {});
    },
  };
  return { ...disk, store, died: died.promise };
};

test("R1: wherever it dies, the next start answers the message once and repeats no completed step", async () => {
  const script: Script = ({ messages }) => {
    const results = messages.filter(({ role }) => role === "tool").length;
    return results === 0 ? tool("shell", { command: "echo once >> log" }) : { text: "done" };
  };
  const config = 'tools = ["shell"]\n';
  for (let count = 1; count <= 10; count += 1) {
    using disk = createTestDisk();
    await (await openTestHouse({ disk, script, config }))[Symbol.asyncDispose]();
    const dying = dyingAt(disk, count);
    const finished = openTestHouse({ disk: dying, script, config }).then(async (before) => {
      await before.post("run it", "key");
      await before.until(2);
    });
    await Promise.race([dying.died, finished]);
    // A tool that was already running continues for a moment, like a real process.
    await spend(20);

    const after = await openTestHouse({ disk, script, config });
    await after.post("run it", "key");
    const messages = await after.until(2);
    expect(messages.map(({ body }) => body.text)).toEqual(["run it", "done"]);
    expect(messages.map(({ toolCalls }) => toolCalls)).toEqual([undefined, 1]);
    const log = await Bun.file(`${disk.workspace}/log`)
      .text()
      .catch(() => "");
    const [activation] = (await after.ask("GET", "/api/agents/main/activations")).json;
    const { steps } = (await after.ask("GET", `/api/activations/${activation.id}`)).json;
    const state = steps.find(({ kind }: { kind: string }) => kind === "tool")?.state;
    expect({ count, log, state }).toEqual({
      count,
      log: state === "unknown" ? expect.any(String) : "once\n",
      state: expect.any(String),
    });
    expect(log.length).toBeLessThanOrEqual("once\n".length);
    await after[Symbol.asyncDispose]();
  }
}, 180_000);

test("a record in the config is applied at the start, and edits elsewhere are refused with its line", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [] });
  expect((await house.ask("GET", "/api/agents/main")).json.content.model).toBe("fake/model");
  const { status, json } = await house.ask("PATCH", "/api/agents/main", { content: { model: "other/model" } });
  expect(status).toBe(409);
  expect(json.error).toMatchObject({ code: "record.pinned", message: expect.stringContaining("hearth.toml line 5") });
});

test("an activation of a removed agent ends with a reason", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [] });
  expect((await house.ask("GET", `/api/activations/${createFakeIds()("act")}`)).json.error).toMatchObject({
    code: "activation.not-found",
  });
});
