import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { createHome, type Json, startDaemon, until } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { configFor } from "./model.ts";

/** A third-party server of the vendors' wires. */
describe.each(["anthropic", "openai"] as const)("a house whose agent uses the %s wire", (kind) => {
  const mock = new LLMock({ port: 0 });
  mock.on({ userMessage: "look into the list", hasToolResult: true }, { content: "There is **milk** on it." });
  mock.onMessage("look into the list", { toolCalls: [{ name: "read", arguments: '{"path":"list.txt"}' }] });
  mock.onMessage("hello", { content: "Grüß dich! 🌍" });
  mock.onMessage("Reply with the word: ready", { content: "ready" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());
  const baseUrl = (): string => (kind === "openai" ? `${mock.url}/v1` : mock.url);

  test("answers in the terminal, uses a tool, and stores both", async () => {
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), configFor(baseUrl(), kind));
    await using house = await startDaemon(home.folder, { TEST_KEY: "sk-canary-0123456789" });

    const hello = await house.hearth("chat", "-m", "hello");
    expect(hello).toMatchObject({ code: 0, stdout: expect.stringContaining("Grüß dich! 🌍") });

    writeFileSync(join(home.folder, "brains/main/workspace/list.txt"), "milk\n");
    const { stdout, code } = await house.hearth("chat", "-m", "look into the list", "--json");
    expect(code).toBe(0);
    const { reply, activation } = JSON.parse(stdout);
    expect(JSON.stringify(reply)).toContain("There is **milk** on it.");
    const { json } = await house.ask("GET", `/api/activations/${activation?.id ?? activation}`);
    expect(json).toMatchObject({
      state: "replied",
      steps: [{ kind: "model" }, { kind: "tool", name: "read", state: "done" }, { kind: "model" }],
    });
    expect((await house.ask("GET", "/api/rooms/main/events")).json.events).toHaveLength(4);

    expect((await house.hearth("provider", "test", "test", "--model", "model")).code).toBe(0);
    const { stdout: listed } = await house.hearth("provider", "list", "--json");
    expect(JSON.parse(listed)).toContainEqual(expect.objectContaining({ name: "test", kind, ready: true }));
    for (const [path, bytes] of await readHome(home.folder))
      expect([path, bytes.includes("sk-canary-0123456789")]).toEqual([path, false]);
  });

  test("reports a missing key, and works once it is set", async () => {
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), configFor(baseUrl(), kind));
    {
      await using house = await startDaemon(home.folder);
      const { code, stderr } = await house.hearth("chat", "-m", "hello");
      expect(code).toBe(1);
      expect(stderr).toContain("TEST_KEY");
    }
    await using house = await startDaemon(home.folder, { TEST_KEY: "k" });
    expect((await house.hearth("chat", "-m", "hello")).code).toBe(0);
  });
});

test("a message whose provider is unreachable waits for a retry, shows the reason and the time, and can be stopped", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor("http://127.0.0.1:9/v1"));
  await using house = await startDaemon(home.folder, { TEST_KEY: "k" });
  const room = (await house.ask("GET", "/api/rooms/main")).json.id;
  await house.ask("POST", `/api/rooms/${room}/messages`, { text: "hello" });
  let activations: Json[] = [];
  await until(async () => {
    activations = (await house.ask("GET", "/api/agents/main/activations")).json;
    return activations[0]?.retryAt !== undefined;
  });
  expect(activations).toMatchObject([
    { error: { code: "provider.unreachable", message: expect.stringContaining("127.0.0.1:9") } },
  ]);
  const { code } = await house.hearth("activation", "stop", activations[0].id);
  expect(code).toBe(0);
  expect((await house.ask("GET", "/api/agents/main/activations")).json).toMatchObject([{ state: "stopped" }]);
});

test("the CLI adds, uses and removes a provider, and leaves the rest of the config unchanged", async () => {
  await using stack = new AsyncDisposableStack();
  const mock = new LLMock({ port: 0 });
  mock.onMessage("hello", { content: "I am here." });
  await mock.start();
  stack.defer(async () => {
    await mock.stop();
  });
  using home = createHome();
  const before = "version = 1\n# a comment of mine\n";
  writeFileSync(join(home.folder, "hearth.toml"), before);
  await using house = await startDaemon(home.folder, { TEST_KEY: "k" });
  const added = await house.hearth(
    "provider",
    "add",
    "mine",
    "--kind",
    "openai",
    "--base-url",
    `${mock.url}/v1`,
    "--api-key",
    "env:TEST_KEY",
  );
  expect(added).toMatchObject({ code: 0 });
  expect((await house.hearth("agent", "edit", "main", "--model", "mine/some-model")).code).toBe(0);
  expect((await house.hearth("chat", "-m", "hello")).stdout).toContain("I am here.");
  expect((await house.hearth("provider", "remove", "mine")).code).toBe(0);
  expect(await Bun.file(join(home.folder, "hearth.toml")).text()).toBe(before);
  expect((await house.hearth("chat", "-m", "hello")).code).toBe(1);
});

test("a model on this machine is reached without the proxy of the environment", async () => {
  const seen: string[] = [];
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request.url);
      return new Response("", { status: 502 });
    },
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => proxy.stop(true));
  const mock = new LLMock({ port: 0 });
  mock.onMessage("hello", { content: "I am here." });
  await mock.start();
  stack.defer(async () => {
    await mock.stop();
  });
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(`${mock.url}/v1`));
  const url = `http://127.0.0.1:${proxy.port}`;
  await using house = await startDaemon(home.folder, { TEST_KEY: "k", HTTP_PROXY: url, http_proxy: url });
  expect((await house.hearth("chat", "-m", "hello")).stdout).toContain("I am here.");
  expect(seen).toEqual([]);
});
