import { expect, test } from "bun:test";
import type { ActivationId } from "@hearth/protocol";
import { createFakeTools } from "./tools-fake.ts";

const open = () =>
  createFakeTools(({ argv }) => {
    const command = argv.at(-1) ?? "";
    return command.startsWith("end")
      ? { output: "bye\n", code: Number(command.slice(3)) }
      : { output: "up\n", hangs: true };
  });

test("a background command keeps running, shows new output, and can be stopped", async () => {
  const { run, world } = open();
  expect(await run("shell", { command: "serve", background: true })).toEqual({
    text: "[runs in the background as 1; `processes` shows its output]",
    failed: false,
  });
  await world.advance(5000);
  expect((await run("processes", {})).text).toBe("1: runs, 5 s: serve");
  expect((await run("processes", { id: 1 })).text).toBe("up\n[runs, 5 s]");
  expect((await run("processes", { id: 1 })).text).toBe("[no new output]\n[runs, 5 s]");
  expect((await run("processes", { id: 1, stop: true })).text).toBe("[no new output]\n[stopped]");
  expect((await run("processes", {})).text).toBe("Nothing runs in the background.");
});

test("an ended command shows its exit code once", async () => {
  const { run } = open();
  await run("shell", { command: "end3", background: true });
  await run("shell", { command: "end0", background: true });
  expect((await run("processes", {})).text).toBe("1: [exit 3]: end3\n2: [exit 0]: end0");
  expect((await run("processes", { id: 1 })).text).toBe("bye\n[exit 3]");
  expect(await run("processes", { id: 1 })).toEqual({
    text: "There is no background command 1. Omit `id` to list them.",
    failed: true,
  });
  expect((await run("processes", { id: 2 })).text).toBe("bye\n[exit 0]");
});

test("at most eight commands run at once, and the latest ended ones are kept", async () => {
  const { run } = open();
  for (let count = 0; count < 8; count += 1) await run("shell", { command: `serve ${count}`, background: true });
  expect(await run("shell", { command: "one more", background: true })).toEqual({
    text: "8 commands run in the background already. Stop one with `processes`.",
    failed: true,
  });
  await run("processes", { id: 1, stop: true });
  for (let count = 0; count < 30; count += 1) await run("shell", { command: `end${count}`, background: true });
  const lines = (await run("processes", {})).text.split("\n");
  expect(lines.filter((line) => line.includes("end")).length).toBe(16);
  expect(lines.at(-1)).toContain("end29");
});

test("`stop` ends background commands", async () => {
  const { run, stop } = open();
  await run("shell", { command: "serve", background: true });
  await stop();
  expect((await run("processes", { id: 1 })).text).toContain("[stopped");
});

test("`stop` of an activation ends its background commands and no others", async () => {
  const { run, stop } = open();
  const [first, second] = ["act_1", "act_2"] as ActivationId[] as [ActivationId, ActivationId];
  for (const activation of [first, second, first])
    await run("shell", { command: `serve ${activation}`, background: true }, { activation });
  await stop(first);
  const lines = (await run("processes", {})).text.split("\n");
  expect(lines.map((line) => line.slice(0, 8))).toEqual(["1: [stop", "2: runs,", "3: [stop"]);
});

test("`stop` requires `id`, and a command with a NUL does not start", async () => {
  const { run, spawn } = open();
  expect((await run("processes", { stop: true })).failed).toBe(true);
  expect((await run("shell", { command: "a\0b", background: true })).failed).toBe(true);
  expect(spawn.requests).toEqual([]);
});
