/** Conformance tests of cell backends, from the warden's side and with a real inmate. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  type ActivationInput,
  type FrameScope,
  InmateFrame,
  isHearthError,
  LINK_VERSION,
  type SystemPart,
  type WardenFrameBody,
} from "@hearth/protocol";
import { createCellBrain } from "../fixtures/cell-brain.ts";
import { createFakeIds } from "../fixtures/ids.ts";
import { appears, findRunning, isAlive } from "../fixtures/processes.ts";
import type { Cell, CellBackend } from "./backend.ts";

interface OpenedCell {
  readonly cell: Cell;
  readonly workspace: string;
  readonly scope: FrameScope;
  send(body: WardenFrameBody): void;
  /** Returns the next frame. Rejects when there are no further frames. */
  next(): Promise<InmateFrame>;
}

export const backendConformance = (name: string, create: () => CellBackend): void => {
  const ids = createFakeIds();

  const withCell = async (work: (opened: OpenedCell) => Promise<void>): Promise<void> => {
    using home = createCellBrain();
    const { workspace } = home;
    const scope: FrameScope = {
      agent: home.spec.agent,
      room: ids("room"),
      person: ids("agent"),
      session: ids("ses"),
      activation: ids("act"),
    };
    const cell = await create().open(home.spec);
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
    }
  };

  /** Starts an activation and runs it up to a running tool. */
  const beginTool = async (
    { next, send, scope }: OpenedCell,
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
    send({
      type: "step-result",
      ...scope,
      step: 1,
      result: { verdict: "run", timeoutMs: 60_000, key: "k", again: false },
    });
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

  test(`${name}: its probe reports that it works`, async () => {
    expect(await create().probe()).toMatchObject({ ok: true });
  });

  test(`${name}: with walls, a symbolic link in the path of the workspace is not followed`, async () => {
    const { walls } = await create().probe();
    if (!walls.has("fs")) return;
    using home = createCellBrain();
    const indexFolder = join(home.brain, "db");
    const [linkToIndex, linkToBrain] = [join(home.workspace, "room"), join(home.workspace, "rooms")];
    symlinkSync(indexFolder, linkToIndex);
    symlinkSync(home.brain, linkToBrain);
    for (const workspace of [linkToIndex, join(linkToBrain, "db")])
      expect(
        await create()
          .open({ ...home.spec, workspace })
          .catch(codeOf),
      ).toBe("cell.unavailable");
    expect(readdirSync(indexFolder)).toEqual(["index"]);
  });

  test(`${name}: the inmate says hello in the link's version`, () =>
    withCell(async ({ next }) => {
      expect(await next()).toMatchObject({ type: "hello", version: LINK_VERSION, id: 1 });
    }));

  test(`${name}: an activation calls the model and ends with its answer`, () =>
    withCell(async ({ next, send, scope }) => {
      await next();
      send({ type: "activate", ...scope, input: input("hi") });
      const request = await next();
      expect(request).toMatchObject({
        type: "model-request",
        step: 0,
        ...scope,
        ...{ kept: 1, messages: [] },
      });
      send({
        type: "model-result",
        ...scope,
        step: 0,
        result: { message: { role: "assistant", text: "hello", toolCalls: [] } },
      });
      expect(await next()).toMatchObject({ type: "finish", ...scope, outcome: { kind: "reply", text: "hello" } });
    }));

  test(`${name}: messages of a megabyte arrive whole in both directions`, () =>
    withCell(async ({ next, send, scope }) => {
      await next();
      const text = "ü€😀".repeat(100_000);
      send({ type: "activate", ...scope, input: { ...input("hi"), parts: [{ name: "SOUL.md", text }] } });
      const request = await next();
      expect((request as { system: SystemPart[] }).system[0]?.text).toStartWith(text);
      send({
        type: "model-result",
        ...scope,
        step: 0,
        result: { message: { role: "assistant", text, toolCalls: [] } },
      });
      expect(await next()).toMatchObject({ outcome: { kind: "reply", text } });
    }));

  test(`${name}: tools run in the workspace and nowhere else`, () =>
    withCell(async (opened) => {
      const { next, workspace } = opened;
      await beginTool(opened, "write", { path: "note.txt", content: "kept" });
      expect(await next()).toMatchObject({ type: "step-done", step: 1, failed: false });
      expect(await Bun.file(join(workspace, "note.txt")).text()).toBe("kept");
    }));

  test(`${name}: a model request contains only what is new since the last one`, () =>
    withCell(async (opened) => {
      const { next, send, scope } = opened;
      const newMessage = { role: "user", text: "and more" } as const;
      await beginTool(opened, "write", { path: "note.txt", content: "kept" });
      await next();
      expect(await next()).toMatchObject({ step: 2, kept: 1, messages: [{ role: "assistant" }, { role: "tool" }] });
      send({ type: "model-result", ...scope, step: 2, result: { intake: [newMessage] } });
      expect(await next()).toMatchObject({ type: "model-request", step: 3, kept: 3, messages: [newMessage] });
    }));

  test(`${name}: many activations share a cell, each with its own frames in order`, () =>
    withCell(async ({ next, send, scope }) => {
      await next();
      const scopes = Array.from({ length: 20 }, () => ({ ...scope, activation: ids("act") }));
      for (const activationScope of scopes)
        send({
          type: "activate",
          ...activationScope,
          input: { ...input("hi"), parts: [{ name: "SOUL.md", text: activationScope.activation }] },
        });
      const requestingActivations = new Set<string>();
      for (const _ of scopes) {
        const frame = await next();
        if (frame.type !== "model-request") throw new Error(`a ${frame.type} came`);
        expect(frame.system[0]?.text).toStartWith(frame.activation);
        requestingActivations.add(frame.activation);
      }
      expect(requestingActivations).toEqual(new Set(scopes.map(({ activation }) => activation)));
    }));

  test(`${name}: a cell has exactly the walls that its probe reported`, async () => {
    const { walls } = await create().probe();
    await withCell(async ({ cell }) => expect([...cell.walls].sort()).toEqual([...walls].sort()));
  });

  test(`${name}: a stop ends an activation that waits for its model`, () =>
    withCell(async ({ next, send, scope }) => {
      await next();
      send({ type: "activate", ...scope, input: input("hi") });
      await next();
      send({ type: "stop", ...scope });
      expect(await next()).toMatchObject({ type: "finish", outcome: { kind: "stopped" } });
    }));

  test(`${name}: a stop ends a running command and all its processes`, () =>
    withCell(async (opened) => {
      const { next, send, scope, workspace } = opened;
      const mark = crypto.randomUUID();
      const command = `sh -c 'trap "" TERM; echo > begun; while :; do sleep 1; done' ${mark} & wait`;
      await beginTool(opened, "shell", { command });
      await appears(join(workspace, "begun"));
      send({ type: "stop", ...scope });
      expect(await next()).toMatchObject({ type: "finish", outcome: { kind: "stopped" } });
      expect(findRunning(mark)).toEqual([]);
    }));

  test(`${name}: closing ends it and all its processes`, () =>
    withCell(async (opened) => {
      const { cell, workspace } = opened;
      const mark = crypto.randomUUID();
      const command = `env -i setsid tail -qF ${mark} & echo > begun; wait`;
      await beginTool(opened, "shell", { command });
      await appears(join(workspace, "begun"));
      await cell.close();
      expect(await cell.exited).toBeUndefined();
      // Without a kernel wall, a process that left its group and cleared its environment cannot be
      // found.
      if (cell.walls.has("kernel")) expect(findRunning(mark)).toEqual([]);
      else for (const pid of findRunning(mark)) process.kill(pid, "SIGKILL");
      if (cell.pid !== undefined) expect(isAlive(cell.pid)).toBe(false);
    }));

  test(`${name}: with walls, a command that stops and limits every process it sees does not affect the inmate`, async () => {
    const { traits, probe } = create();
    const { walls } = await probe();
    // Without walls it would stop the host's processes. In a virtual machine, pings detect a
    // stopped inmate instead.
    if (!walls.has("kernel") || traits.isolation === "vm") return;
    await withCell(async (opened) => {
      const { next, send, scope } = opened;
      // Runs in the shell itself, because a separate process would be stopped as well.
      const stop = `for pid in $PPID $(ls /proc | grep '^[0-9]*$'); do
        [ "$pid" = $$ ] || { kill -STOP "$pid"; prlimit --pid "$pid" --nproc=1 --as=1000; }
      done`;
      await beginTool(opened, "shell", { command: `exec 2>/dev/null; kill -STOP -1; ${stop}; echo tried` });
      const done = await next();
      expect(done).toMatchObject({ type: "step-done", text: expect.stringContaining("tried") as never });
      expect(await next()).toMatchObject({ type: "model-request", step: 2 });
      const call = { id: "2", name: "shell", input: { command: "echo well" } };
      send({ type: "model-result", ...scope, step: 2, result: { message: { ...NO_TEXT, toolCalls: [call] } } });
      expect(await next()).toMatchObject({ type: "step-request" });
      const run = { verdict: "run", timeoutMs: 60_000, key: "k", again: false } as const;
      send({ type: "step-result", ...scope, step: 3, result: run });
      expect(await next()).toMatchObject({ type: "step-done", step: 3, text: "well" });
    });
  });

  test(`${name}: a command's folders with mode 0 are removed with the cell, which closes without an error`, () =>
    withCell(async (opened) => {
      const { cell, next } = opened;
      // Only a cell whose temporary folder is on the host can leave it behind.
      const command = `case "$TMPDIR" in */hearth-temporary-*) (umask 0777; mkdir "$TMPDIR/a"); echo "at $TMPDIR" ;; esac`;
      await beginTool(opened, "shell", { command });
      const done = await next();
      expect(done).toMatchObject({ type: "step-done", failed: false });
      await cell.close();
      expect(await cell.exited).toBeUndefined();
      const temporary = done.type === "step-done" ? /^at (.*)$/m.exec(done.text)?.[1] : undefined;
      if (temporary !== undefined) expect(existsSync(temporary)).toBe(false);
    }));

  test(`${name}: a command inherits nothing of the warden's environment`, () =>
    withCell(async (opened) => {
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

const NO_TEXT = { role: "assistant", text: "" } as const;

const codeOf = (error: unknown): string => (isHearthError(error) ? error.code : String(error));
