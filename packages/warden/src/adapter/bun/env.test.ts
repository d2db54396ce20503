import { expect, test } from "bun:test";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Evaluates an expression in a separate process with this environment. */
const ask = async (expression: string, env: Record<string, string>): Promise<unknown> => {
  const script = `import * as env from ${JSON.stringify(join(import.meta.dir, "env.ts"))}; console.log(JSON.stringify(${expression} ?? null))`;
  const child = Bun.spawn([process.execPath, "--no-install", "-e", script], { env, stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await child.stdout.text());
};

test("HEARTH_HOME is the home folder, as an absolute path", async () => {
  expect(await ask("env.home()", { HEARTH_HOME: "/srv/hearth" })).toBe("/srv/hearth");
  expect(await ask("env.home()", { HEARTH_HOME: "here" })).toBe(resolve("here"));
});

test("without HEARTH_HOME, or with an empty one, home is .hearth in the user's home folder", async () => {
  expect(await ask("env.home()", { HOME: homedir() })).toBe(join(homedir(), ".hearth"));
  expect(await ask("env.home()", { HOME: homedir(), HEARTH_HOME: "" })).toBe(join(homedir(), ".hearth"));
});

test("a variable has its text, and an empty one counts as unset", async () => {
  expect(await ask("env.environment('KEY')", { KEY: "value" })).toBe("value");
  expect(await ask("env.environment('KEY')", { KEY: "" })).toBeNull();
  expect(await ask("env.environment('KEY')", {})).toBeNull();
});
