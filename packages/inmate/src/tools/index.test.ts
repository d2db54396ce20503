import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { compileFakeGlob } from "./fake-glob.ts";
import { createFakeSpawn } from "./fake-spawn.ts";
import type { Files } from "./files.ts";
import { createTools } from "./index.ts";
import { createMemoryFiles } from "./memory-files.ts";
import { createFakeTools, FAKE_ATTEMPT, fakeMachine } from "./tools-fake.ts";

test("an input that violates the schema fails with the name of the field", async () => {
  const { run } = createFakeTools();
  const textOf = async (name: string, input: unknown) => (await run(name, input)).text;
  expect(await textOf("read", {})).toBe('Invalid input for read: "path" is missing. Its fields: path, offset, limit.');
  expect(await textOf("read", { path: 7 })).toContain('"path": Invalid input: expected string');
  expect(await textOf("read", { path: "a", offset: 0 })).toContain('"offset": Too small');
  expect(await textOf("write", { path: "a", content: "x", mode: "append" })).toBe(
    'Invalid input for write: unknown field "mode". Its fields: path, content.',
  );
  for (const input of [undefined, null, "a", 7, [], [{ path: "a" }]])
    expect((await run("read", input)).failed).toBe(true);
});

test("a null field counts as omitted", async () => {
  const { put, run } = createFakeTools();
  await put("a", "x");
  expect(await run("read", { path: "a", offset: null, limit: null })).toEqual({ text: "x", failed: false });
  expect((await run("read", { path: null })).text).toContain('"path" is missing');
});

test("an unknown tool fails, also for inherited property names", async () => {
  const { run } = createFakeTools();
  for (const name of ["fetch", "constructor", "__proto__", ""]) {
    expect(await run(name, {})).toEqual({ text: `There is no tool ${JSON.stringify(name)}.`, failed: true });
  }
});

test("a host tool does not exist in the cell", async () => {
  const { run } = createFakeTools();
  expect(await run("send_to_agent", { agent: "a", text: "b" })).toEqual({
    text: 'There is no tool "send_to_agent".',
    failed: true,
  });
});

test("a call that is stopped before it starts does nothing", async () => {
  const { run, files } = createFakeTools();
  expect(await run("write", { path: "a", content: "x" }, { signal: AbortSignal.abort() })).toEqual({
    text: "Stopped.",
    failed: true,
  });
  expect((await files.list(".", 1)).total).toBe(0);
});

/** Tools whose `read` is defined by the test. */
const withRead = (read: Files["read"]) => {
  const world = createFakeWorld({ hash: () => "" });
  const files = { ...createMemoryFiles({ now: world.clock.now }), read };
  return {
    world,
    tools: createTools({
      compileGlob: compileFakeGlob,
      files,
      spawn: createFakeSpawn(() => ({ output: "", code: 0 })),
      machine: fakeMachine,
      clock: world.clock,
      workspace: "/w",
    }),
  };
};

test("a tool that does not finish in time is abandoned", async () => {
  const { world, tools } = withRead(() => new Promise(() => undefined));
  const running = tools.run(
    "read",
    { path: "a" },
    { signal: new AbortController().signal, timeoutMs: 10_000, ...FAKE_ATTEMPT },
  );
  await world.advance(15_000);
  expect(await running).toEqual({ text: "read took longer than 10 s.", failed: true });
});

test("a tool that ignores a stop is abandoned", async () => {
  const { world, tools } = withRead(() => new Promise(() => undefined));
  const stopper = new AbortController();
  const running = tools.run("read", { path: "a" }, { signal: stopper.signal, timeoutMs: 10_000, ...FAKE_ATTEMPT });
  stopper.abort();
  await world.clock.turn();
  await world.advance(5_000);
  expect(await running).toEqual({ text: "Stopped.", failed: true });
});

test("an unexpected error reveals nothing about the machine to the model", async () => {
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
    compileGlob: compileFakeGlob,
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
