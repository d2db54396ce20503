import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeSpawn } from "./fake-spawn.ts";
import type { Files } from "./files.ts";
import { createTools } from "./index.ts";
import { createMemoryFiles } from "./memory-files.ts";
import { createFakeTools, FAKE_ATTEMPT, fakeMachine } from "./tools-fake.ts";

test("a call that does not fit the schema is told which field, in words", async () => {
  const { run } = createFakeTools();
  const said = async (name: string, input: unknown) => (await run(name, input)).text;
  expect(await said("read", {})).toBe('read cannot be called so: "path" is missing. Its fields: path, offset, limit.');
  expect(await said("read", { path: 7 })).toContain('"path": Invalid input: expected string');
  expect(await said("read", { path: "a", offset: 0 })).toContain('"offset": Too small');
  expect(await said("write", { path: "a", content: "x", mode: "append" })).toBe(
    'write cannot be called so: there is no field "mode". Its fields: path, content.',
  );
  for (const input of [undefined, null, "a", 7, [], [{ path: "a" }]])
    expect((await run("read", input)).failed).toBe(true);
});

test("a field that is null is a field left out", async () => {
  const { put, run } = createFakeTools();
  await put("a", "x");
  expect(await run("read", { path: "a", offset: null, limit: null })).toEqual({ text: "x", failed: false });
  expect((await run("read", { path: null })).text).toContain('"path" is missing');
});

test("a tool that does not exist is said, also if every object has one of that name", async () => {
  const { run } = createFakeTools();
  for (const name of ["fetch", "constructor", "__proto__", ""]) {
    expect(await run(name, {})).toEqual({ text: `There is no tool ${JSON.stringify(name)}.`, failed: true });
  }
});

test("a tool of the host is none of the cell's", async () => {
  const { run } = createFakeTools();
  expect(await run("send_to_agent", { agent: "a", text: "b" })).toEqual({
    text: 'There is no tool "send_to_agent".',
    failed: true,
  });
});

test("a call that is stopped before it begins does nothing", async () => {
  const { run, files } = createFakeTools();
  expect(await run("write", { path: "a", content: "x" }, { signal: AbortSignal.abort() })).toEqual({
    text: "Stopped.",
    failed: true,
  });
  expect((await files.list(".", 1)).total).toBe(0);
});

/** Tools whose disk answers as the test says. */
const withRead = (read: Files["read"]) => {
  const world = createFakeWorld({ hash: () => "" });
  const files = { ...createMemoryFiles({ now: world.clock.now }), read };
  return {
    world,
    tools: createTools({
      files,
      spawn: createFakeSpawn(() => ({ output: "", code: 0 })),
      machine: fakeMachine,
      clock: world.clock,
      workspace: "/w",
    }),
  };
};

test("a tool that does not answer in time is given up", async () => {
  const { world, tools } = withRead(() => new Promise(() => undefined));
  const running = tools.run(
    "read",
    { path: "a" },
    { signal: new AbortController().signal, timeoutMs: 10_000, ...FAKE_ATTEMPT },
  );
  await world.advance(15_000);
  expect(await running).toEqual({ text: "read took longer than 10 s.", failed: true });
});

test("a tool that does not answer to a stop is given up", async () => {
  const { world, tools } = withRead(() => new Promise(() => undefined));
  const stopper = new AbortController();
  const running = tools.run("read", { path: "a" }, { signal: stopper.signal, timeoutMs: 10_000, ...FAKE_ATTEMPT });
  stopper.abort();
  await world.clock.turn();
  await world.advance(5_000);
  expect(await running).toEqual({ text: "Stopped.", failed: true });
});

test("an error that nobody named tells the model nothing of the machine", async () => {
  const { tools } = withRead(() => Promise.reject(new Error("EIO: /home/someone/secret")));
  const outcome = await tools.run(
    "read",
    { path: "a" },
    { signal: new AbortController().signal, timeoutMs: 10_000, ...FAKE_ATTEMPT },
  );
  expect(outcome.failed).toBe(true);
  expect(outcome.text).not.toContain("secret");
});

test("a call leaves no timer behind", async () => {
  const world = createFakeWorld({ hash: () => "" });
  let sleeping = 0;
  const clock = {
    ...world.clock,
    sleep: (ms: number, signal?: AbortSignal) => {
      sleeping += 1;
      return world.clock.sleep(ms, signal).finally(() => (sleeping -= 1));
    },
  };
  const tools = createTools({
    files: createMemoryFiles({ now: clock.now }),
    spawn: createFakeSpawn(() => ({ output: "", code: 0 })),
    machine: fakeMachine,
    clock,
    workspace: "/w",
  });
  for (const [name, input] of [
    ["time", {}],
    ["shell", { command: "x" }],
    ["read", { path: "none" }],
  ] as const) {
    await tools.run(name, input, { signal: new AbortController().signal, timeoutMs: 10_000, ...FAKE_ATTEMPT });
  }
  await clock.turn();
  expect(sleeping).toBe(0);
});
