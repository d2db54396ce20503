import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBunClock } from "@hearth/inmate/bun/clock";
import type { ActivationInput } from "@hearth/protocol";
import { backendConformance } from "../../../cells/backend.conformance.ts";
import { appears, isAlive } from "../../../fixtures/processes.ts";
import { createCellBrain } from "../../../fixtures/cell-brain.ts";
import { createCellShell } from "../../../fixtures/cell-shell.ts";
import { createFakeIds } from "../../../fixtures/ids.ts";
import { createInmateProgram } from "./inmate-program.ts";
import { createProcessBackend } from "./process.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";

const create = () =>
  createProcessBackend({
    program: createInmateProgram("/nowhere"),
    clock: createBunClock(),
    log: createFakeLog(),
    randomText: () => crypto.randomUUID(),
  });

backendConformance("process", create);

test("a killed inmate ends with the reason", async () => {
  using home = createCellBrain();
  const cell = await create().open(home.spec);
  process.kill(cell.pid ?? 0, "SIGKILL");
  expect(await cell.exited).toContain("SIGKILL");
  for await (const _ of cell.link.frames) {
    // Frames from before its end arrive; then the link ends without an error.
  }
});

test("temporary files of an inmate are removed at its end, also when it is killed", async () => {
  using home = createCellBrain();
  const cell = await create().open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  const egress = { token: "token", certificate: "certificate\n" };
  const { text } = await shell.run("echo $SSL_CERT_FILE; cat $SSL_CERT_FILE", { egress });
  const [path = "", certificate] = text.split("\n");
  expect({ certificate, there: existsSync(path) }).toEqual({ certificate: "certificate", there: true });
  process.kill(cell.pid ?? 0, "SIGKILL");
  await cell.exited;
  for (const folder of [dirname(path), dirname(dirname(path))]) expect(existsSync(folder)).toBe(false);
});

test("settings files in the workspace do not affect the inmate's process", async () => {
  using home = createCellBrain();
  writeFileSync(join(home.workspace, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  writeFileSync(join(home.workspace, "evil.ts"), 'require("node:fs").writeFileSync(__dirname + "/preloaded", "");\n');
  writeFileSync(join(home.workspace, ".env"), "EVIL=1\n");
  const cell = await create().open(home.spec);
  await cell.link.frames[Symbol.asyncIterator]().next();
  await cell.close();
  expect(await Bun.file(join(home.workspace, "preloaded")).exists()).toBe(false);
});

test("R17: when an inmate is killed during a command, the command ends too", async () => {
  using home = createCellBrain();
  const ids = createFakeIds();
  const cell = await create().open(home.spec);
  const frames = cell.link.frames[Symbol.asyncIterator]();
  await frames.next();
  const scope = {
    agent: ids("agent"),
    room: ids("room"),
    person: ids("agent"),
    session: ids("ses"),
    activation: ids("act"),
  };
  const input: ActivationInput = {
    agent: { name: "Main", handle: "main" },
    room: { name: "main", kind: "direct" },
    house: { name: "home" },
    parts: [],
    history: [{ role: "user", text: "run" }],
    tools: ["shell"],
    maxRounds: 5,
  };
  cell.link.send({ type: "activate", ...scope, id: 1, at: 0, input });
  await frames.next();
  const call = { id: "1", name: "shell", input: { command: "echo $$ > pid; exec sleep 600" } };
  const message = { role: "assistant", text: "", toolCalls: [call] } as const;
  cell.link.send({
    type: "model-result",
    ...scope,
    id: 2,
    at: 0,
    step: 0,
    result: { message: { ...message, toolCalls: [call] } },
  });
  await frames.next();
  cell.link.send({
    type: "step-result",
    ...scope,
    id: 3,
    at: 0,
    step: 1,
    result: { verdict: "run", timeoutMs: 60_000, key: "k", again: false },
  });
  const pid = await appears(join(home.workspace, "pid"));
  process.kill(cell.pid ?? 0, "SIGKILL");
  await cell.exited;
  expect(isAlive(pid)).toBe(false);
});

test("a stopped inmate answers no ping, and closing the cell ends it", async () => {
  using home = createCellBrain();
  const cell = await create().open(home.spec);
  const frames = cell.link.frames[Symbol.asyncIterator]();
  await frames.next();
  const ended = frames.next();
  await cell.link.ping();
  process.kill(cell.pid ?? 0, "SIGSTOP");
  const answered = cell.link.ping().then(() => true);
  await cell.close();
  expect(await Promise.race([answered, ended.then(({ done }) => !done)])).toBe(false);
  expect(isAlive(cell.pid ?? 0)).toBe(false);
});
