import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("git runs with literal arguments in the shell's folder, without hooks, pager or prompt", async () => {
  const { run, spawn } = createFakeTools(({ argv }) => ({
    output: "ok\n",
    code: 0,
    fd3: argv[0] === "git" ? "" : "/workspace/repo",
  }));
  await run("shell", { command: "cd repo" });
  expect(await run("git", { args: ["commit", "-m", "a; rm -rf $HOME"] })).toEqual({ text: "ok", failed: false });
  const request = spawn.requests.at(-1);
  expect(request?.argv.slice(-3)).toEqual(["commit", "-m", "a; rm -rf $HOME"]);
  expect(request?.argv).toContain("core.hooksPath=/dev/null");
  expect(request).toMatchObject({
    cwd: "/workspace/repo",
    env: { GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1" },
  });
});

test("a failure shows git's output, and a missing git is reported", async () => {
  const failing = createFakeTools(() => ({ output: "fatal: not a git repository\n", code: 128 }));
  expect(await failing.run("git", { args: ["status"] })).toEqual({
    text: "fatal: not a git repository\n[exit 128]",
    failed: true,
  });
  const without = createFakeTools(() => ({ output: "sh: 1: exec: git: not found\n", code: 127 }));
  expect((await without.run("git", { args: ["status"] })).text).toBe("git is not installed in this cell.");
  expect((await without.run("git", { args: ["a\0b"] })).failed).toBe(true);
});
