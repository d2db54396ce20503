/** What every cell backend promises, played from the warden's side against a real inmate. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ActivationInput,
  type AgentId,
  type FrameScope,
  InmateFrame,
  LINK_VERSION,
  type ModelMessage,
  type WardenFrameBody,
} from "@hearth/protocol";
import { createFakeIds } from "../fixtures/ids.ts";
import { appears, isAlive } from "../fixtures/processes.ts";
import type { Cell, CellBackend } from "./backend.ts";

interface Opened {
  readonly cell: Cell;
  readonly workspace: string;
  readonly scope: FrameScope;
  send(body: WardenFrameBody): void;
  /** The next frame. Rejects when there is none any more. */
  next(): Promise<InmateFrame>;
}

export const backendConformance = (name: string, create: () => CellBackend): void => {
  const ids = createFakeIds();

  const within = async (work: (opened: Opened) => Promise<void>): Promise<void> => {
    const workspace = mkdtempSync(join(tmpdir(), "hearth-cell-"));
    const scope: FrameScope = {
      agent: ids("agent") as AgentId,
      room: ids("room"),
      person: ids("agent"),
      session: ids("ses"),
      activation: ids("act"),
    };
    const cell = await create().open({ agent: scope.agent, workspace });
    const frames = cell.link.frames[Symbol.asyncIterator]();
    let count = 0;
    try {
      await work({
        cell,
        workspace,
        scope,
        send(body) {
          count += 1;
          cell.link.send({ ...body, id: count, at: 0 });
        },
        async next() {
          const { value, done } = await frames.next();
          if (done === true) throw new Error("the link ended");
          return InmateFrame.parse(value);
        },
      });
    } finally {
      await cell.close();
      rmSync(workspace, { recursive: true, force: true });
    }
  };

  /** Brings an activation as far as a tool that runs. */
  const beginTool = async (
    { next, send, scope }: Opened,
    name: string,
    toolInput: Record<string, string>,
  ): Promise<void> => {
    await next();
    send({ type: "activate", ...scope, input: input("use it", [name]) });
    await next();
    const call = { id: "1", name, input: toolInput };
    const message = { role: "assistant" as const, text: "", toolCalls: [call] };
    send({ type: "model-result", ...scope, step: 0, result: { message } });
    expect(await next()).toMatchObject({ type: "step-request", step: 1, call });
    send({ type: "step-result", ...scope, step: 1, result: { verdict: "run", timeoutMs: 60_000 } });
  };

  const input = (text: string, tools: readonly string[] = []): ActivationInput => ({
    agent: { name: "Main", handle: "main" },
    room: { name: "main", kind: "direct" },
    house: { name: "home" },
    parts: [],
    history: [{ role: "user", text }],
    tools: [...tools],
    maxRounds: 5,
  });

  test(`${name}: its probe runs and says that it works`, async () => {
    expect(await create().probe()).toEqual({ ok: true });
  });

  test(`${name}: the inmate says hello in the link's version`, () =>
    within(async ({ next }) => {
      expect(await next()).toMatchObject({ type: "hello", version: LINK_VERSION, id: 1 });
    }));

  test(`${name}: an activation asks the model and ends with its words`, () =>
    within(async ({ next, send, scope }) => {
      await next();
      send({ type: "activate", ...scope, input: input("hi") });
      const request = await next();
      expect(request).toMatchObject({
        type: "model-request",
        step: 0,
        ...scope,
        messages: [{ role: "user", text: "hi" }],
      });
      send({
        type: "model-result",
        ...scope,
        step: 0,
        result: { message: { role: "assistant", text: "hello", toolCalls: [] } },
      });
      expect(await next()).toMatchObject({ type: "finish", ...scope, outcome: { kind: "reply", text: "hello" } });
    }));

  test(`${name}: messages of a megabyte pass whole in both directions`, () =>
    within(async ({ next, send, scope }) => {
      await next();
      const text = "ü€😀".repeat(100_000);
      send({ type: "activate", ...scope, input: input(text) });
      const request = await next();
      expect((request as { messages: ModelMessage[] }).messages).toEqual([{ role: "user", text }]);
      send({
        type: "model-result",
        ...scope,
        step: 0,
        result: { message: { role: "assistant", text, toolCalls: [] } },
      });
      expect(await next()).toMatchObject({ outcome: { kind: "reply", text } });
    }));

  test(`${name}: tools run in the workspace and nowhere else`, () =>
    within(async (opened) => {
      const { next, workspace } = opened;
      await beginTool(opened, "write", { path: "note.txt", content: "kept" });
      expect(await next()).toMatchObject({ type: "step-done", step: 1, failed: false });
      expect(await Bun.file(join(workspace, "note.txt")).text()).toBe("kept");
    }));

  test(`${name}: many activations share a cell, each with its own frames in order`, () =>
    within(async ({ next, send, scope }) => {
      await next();
      const scopes = Array.from({ length: 20 }, () => ({ ...scope, activation: ids("act") }));
      for (const each of scopes) send({ type: "activate", ...each, input: input(each.activation) });
      const asked = new Set<string>();
      for (const _ of scopes) {
        const frame = await next();
        if (frame.type !== "model-request") throw new Error(`a ${frame.type} came`);
        expect(frame.messages).toEqual([{ role: "user", text: frame.activation }]);
        asked.add(frame.activation);
      }
      expect(asked).toEqual(new Set(scopes.map(({ activation }) => activation)));
    }));

  test(`${name}: a stop ends an activation that waits for its model`, () =>
    within(async ({ next, send, scope }) => {
      await next();
      send({ type: "activate", ...scope, input: input("hi") });
      await next();
      send({ type: "stop", ...scope });
      expect(await next()).toMatchObject({ type: "finish", outcome: { kind: "stopped" } });
    }));

  test(`${name}: a stop ends a command that runs, with all that it started`, () =>
    within(async (opened) => {
      const { next, send, scope, workspace } = opened;
      const command = `sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done' & wait`;
      await beginTool(opened, "shell", { command });
      const pid = await appears(join(workspace, "pid"));
      send({ type: "stop", ...scope });
      expect(await next()).toMatchObject({ type: "finish", outcome: { kind: "stopped" } });
      expect(isAlive(pid)).toBe(false);
    }));

  test(`${name}: closing ends it, and nothing that it started is left`, () =>
    within(async (opened) => {
      const { cell, workspace } = opened;
      await beginTool(opened, "shell", { command: "echo $$ > pid; sleep 600" });
      const pid = await appears(join(workspace, "pid"));
      await cell.close();
      expect(await cell.gone).toBeUndefined();
      expect(isAlive(pid)).toBe(false);
      if (cell.pid !== undefined) expect(isAlive(cell.pid)).toBe(false);
    }));

  test(`${name}: nothing of the warden's environment is in a command's`, () =>
    within(async (opened) => {
      process.env["HEARTH_CANARY"] = "canary-in-the-environment";
      try {
        const { next } = opened;
        await beginTool(opened, "shell", { command: "env; cat /proc/$PPID/environ | tr '\\0' '\\n'" });
        const done = await next();
        expect(done).toMatchObject({ type: "step-done" });
        if (create().traits.isolation !== "none")
          expect(JSON.stringify(done)).not.toContain("canary-in-the-environment");
      } finally {
        delete process.env["HEARTH_CANARY"];
      }
    }));
};
