import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunClock } from "@hearth/inmate/bun/clock";
import type { ActivationInput } from "@hearth/protocol";
import { backendConformance } from "../../cells/backend.conformance.ts";
import { appears, isAlive } from "../../fixtures/processes.ts";
import { createFakeIds } from "../../fixtures/ids.ts";
import { createProcessBackend } from "./process-cell.ts";

const create = () => createProcessBackend({ clock: createBunClock(), randomText: () => crypto.randomUUID() });

backendConformance("process", create);

test("an inmate that is killed is gone with words for why", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "hearth-cell-"));
  try {
    const cell = await create().open({ agent: createFakeIds()("agent"), workspace });
    process.kill(cell.pid ?? 0, "SIGKILL");
    expect(await cell.gone).toContain("SIGKILL");
    for await (const _ of cell.link.frames) {
      // What it said before its end; then the link ends without an error.
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
});

test("settings that lie in the workspace do not reach the inmate's process", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "hearth-cell-"));
  try {
    writeFileSync(join(workspace, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(workspace, "evil.ts"), 'require("node:fs").writeFileSync(__dirname + "/preloaded", "");\n');
    writeFileSync(join(workspace, ".env"), "EVIL=1\n");
    const cell = await create().open({ agent: createFakeIds()("agent"), workspace });
    await cell.link.frames[Symbol.asyncIterator]().next();
    await cell.close();
    expect(await Bun.file(join(workspace, "preloaded")).exists()).toBe(false);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
});

test("when an inmate is killed in the middle of a command, the command goes with it", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "hearth-cell-"));
  const ids = createFakeIds();
  try {
    const cell = await create().open({ agent: ids("agent"), workspace });
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
      result: { verdict: "run", timeoutMs: 60_000 },
    });
    const pid = await appears(join(workspace, "pid"));
    process.kill(cell.pid ?? 0, "SIGKILL");
    await cell.gone;
    expect(isAlive(pid)).toBe(false);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
});
