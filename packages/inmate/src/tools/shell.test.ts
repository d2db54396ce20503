import { expect, test } from "bun:test";
import { HearthError, type SessionId } from "@hearth/protocol";
import { plainText } from "./terminal.ts";
import { createFakeTools } from "./tools-fake.ts";

test("the command is passed to /bin/sh unchanged, in the workspace, with a minimal environment", async () => {
  const { run, spawn } = createFakeTools(() => ({ output: "hi\n", code: 0 }));
  expect(await run("shell", { command: "echo 'hi' | cat" })).toEqual({ text: "hi", failed: false });
  expect(spawn.requests).toMatchObject([
    { argv: ["/bin/sh", "-c", "trap 'pwd -P >&3' EXIT; echo 'hi' | cat"], cwd: "/workspace" },
  ]);
  expect(Object.keys(spawn.requests[0]?.env ?? {}).sort()).toEqual([
    "HOME",
    "LANG",
    "NO_COLOR",
    "PATH",
    "PWD",
    "TERM",
    "TMPDIR",
  ]);
  expect(spawn.requests[0]?.env).toMatchObject({ HOME: "/workspace", TERM: "dumb" });
});

test("a nonzero exit code is a failure with its output", async () => {
  const { run } = createFakeTools(() => ({ output: "no such thing\n", code: 2 }));
  expect(await run("shell", { command: "x" })).toEqual({ text: "no such thing\n[exit 2]", failed: true });
});

test("an empty output and an end by a signal are described", async () => {
  expect(await createFakeTools().run("shell", { command: "true" })).toEqual({ text: "[no output]", failed: false });
  const killed = createFakeTools(() => ({ output: "", signal: "SIGSEGV" }));
  expect(await killed.run("shell", { command: "x" })).toEqual({ text: "[ended by SIGSEGV]", failed: true });
});

test.each([
  [{ signal: "SIGKILL" }, "memory was used up"],
  [{ code: 137 }, "memory was used up"],
  [{ signal: "SIGXFSZ" }, "larger than the cell may write"],
  [{ code: 153 }, "larger than the cell may write"],
])("a command that was ended by a limit, %p, is described with the limit", async (end, words) => {
  const { run } = createFakeTools(() => ({ output: "", ...end }));
  expect((await run("shell", { command: "x" })).text).toContain(words);
});

test("a command is stopped after a minute or its `timeoutSeconds`, and its output is kept", async () => {
  const { run, world } = createFakeTools(() => ({ output: "working\n", hangs: true }));
  const running = run("shell", { command: "x" }, { timeoutMs: 600_000 });
  await world.advance(59_999);
  await world.advance(1);
  expect(await running).toEqual({
    text: "working\n[stopped after 60 s. For longer runs set `timeoutSeconds`, at most 600]",
    failed: true,
  });
  const longer = run("shell", { command: "x", timeoutSeconds: 90 }, { timeoutMs: 600_000 });
  await world.advance(90_000);
  expect((await longer).text).toContain("[stopped after 90 s.");
});

test("the limit of the call applies even if `timeoutSeconds` is longer", async () => {
  const { run, world } = createFakeTools(() => ({ output: "", hangs: true }));
  const running = run("shell", { command: "x", timeoutSeconds: 600 }, { timeoutMs: 5_000 });
  await world.advance(5_000);
  expect((await running).text).toContain("[stopped after 5 s.");
});

test("an abort ends the command", async () => {
  const { run } = createFakeTools(() => ({ output: "so far", hangs: true }));
  const stopper = new AbortController();
  const running = run("shell", { command: "x" }, { signal: stopper.signal });
  stopper.abort();
  expect(await running).toMatchObject({ text: expect.stringContaining("so far\n[stopped"), failed: true });
});

test("a long output keeps its beginning and its end", async () => {
  const { run } = createFakeTools(() => ({ output: `first\n${"ä".repeat(100_000)}\nlast`, code: 1 }));
  const { text } = await run("shell", { command: "x" });
  expect(text.length).toBeLessThanOrEqual(30_000);
  expect(text).toStartWith("first\n");
  expect(text).toEndWith("last\n[exit 1]");
  expect(text).not.toContain("\ufffd");
});

test("too many seconds, zero seconds, an empty command and a NUL are refused before anything runs", async () => {
  const { run, spawn } = createFakeTools();
  for (const input of [
    { command: "x", timeoutSeconds: 601 },
    { command: "x", timeoutSeconds: 0 },
    { command: "" },
    { command: "a\0b" },
  ]) {
    expect((await run("shell", input)).failed).toBe(true);
  }
  expect(spawn.requests).toEqual([]);
});

test("a command starts in the folder where the session's last one ended", async () => {
  const places = ["/workspace/a", "", "not a path", "/x\ny\n"];
  const { run, spawn } = createFakeTools(() => ({ output: "", code: 0, fd3: places.shift() ?? "" }));
  expect((await run("shell", { command: "cd a" })).text).toBe("[now in /workspace/a]");
  for (let count = 0; count < 3; count += 1) await run("shell", { command: "x" });
  const other = "ses_00000000000000000000000002" as SessionId;
  await run("shell", { command: "x" }, { session: other });
  expect(spawn.requests.map(({ cwd }) => cwd)).toEqual([
    "/workspace",
    "/workspace/a",
    "/workspace/a",
    "/workspace/a",
    "/workspace",
  ]);
  expect(spawn.requests[1]?.env["PWD"]).toBe("/workspace/a");
});

test("a working folder that no longer exists is forgotten", async () => {
  const { run, spawn } = createFakeTools(({ cwd, argv }) => {
    if (cwd === "/gone") throw new HearthError("tool.failed", "not there");
    return { output: "", code: 0, fd3: argv.at(-1)?.endsWith("cd") === true ? "/gone" : "/workspace" };
  });
  await run("shell", { command: "cd" });
  expect(await run("shell", { command: "x" })).toEqual({ text: "[no output]", failed: false });
  expect(spawn.requests.map(({ cwd }) => cwd)).toEqual(["/workspace", "/gone", "/workspace"]);
});

test("the output is the text that a terminal would show at the end", () => {
  expect(plainText("\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\u001b]8;;http://a\u001b\\link\u001b(B")).toBe(
    "red xlink(B",
  );
  expect(plainText("10%\r50%\r100%\nnext\r\nlast\r")).toBe("100%\nnext\nlast");
  expect(plainText("a\tb\u0000\u0007\u0008\u007f\u009bc")).toBe("a\tbc");
  expect(plainText("\r".repeat(100_000))).toBe("");
});

test("the step's network variables are added to the environment", async () => {
  const { run, spawn } = createFakeTools();
  const environment = { https_proxy: "http://127.0.0.1:1", HOME: "/workspace" };
  await run("shell", { command: "x" }, { environment });
  await run("shell", { command: "x", background: true }, { environment });
  await run("git", { args: ["status"] }, { environment });
  expect(spawn.requests.map(({ env }) => env["https_proxy"])).toEqual(Array(3).fill("http://127.0.0.1:1"));
  expect(spawn.requests[0]?.env["TERM"]).toBe("dumb");
});

test("D3: toctou: an approved command starts in the workspace, not in the session's folder, and the result says so", async () => {
  const { run, spawn } = createFakeTools(() => ({ output: "", code: 0, fd3: "/workspace/sub\n" }));
  expect((await run("shell", { command: "cd sub" })).text).not.toContain("allowed");
  const { text } = await run("shell", { command: "rm -r *" }, { atRoot: true });
  expect(text).toContain("it began in /workspace, not where the last one left off");
  await run("git", { args: ["clean", "-fdx"] }, { atRoot: true });
  await run("shell", { command: "sleep 1", background: true }, { atRoot: true });
  await run("shell", { command: "ls" });
  expect(spawn.requests.map(({ cwd }) => cwd)).toEqual([
    ...["/workspace", "/workspace", "/workspace", "/workspace", "/workspace/sub"],
  ]);
});
