/**
 * Cells of a whole house: opened ahead of time, limited, one per audience, and managed by people.
 */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunClock } from "@hearth/inmate/bun/clock";
import type { CellInfo, InmateFrameBody, ModelRequest, WardenFrame } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunBrainDisk } from "../../src/adapter/bun/brain-disk.ts";
import { createInmateProgram } from "../../src/adapter/bun/cells/inmate-program.ts";
import { createProcessBackend } from "../../src/adapter/bun/cells/process.ts";
import type { CellBackend } from "../../src/cells/backend.ts";
import { createFakeBackend, type FakeInmate, sayHello } from "../../src/cells/fake.ts";
import { startPump } from "../fixtures/hostile-house.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, call, lastIn, play, resultsIn, waitForEnd } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";
import type { Store } from "../../src/kernel/store/store.ts";
import { createFakeLog } from "../../src/kernel/log/log.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const cellsOf = async (house: TestHouse): Promise<readonly CellInfo[]> => (await house.ask("GET", "/api/cells")).json;

/**
 * A backend whose inmates the test plays: `answer` gets each frame and sends the replies. `cell`
 * counts the opened cells, from 1.
 */
const createPlayed = (answer: (frame: WardenFrame, say: (body: object) => void, cell: number) => void): CellBackend => {
  let cells = 0;
  return createFakeBackend((inmate: FakeInmate) => {
    cells += 1;
    const cell = cells;
    sayHello(inmate);
    let count = 1;
    void (async () => {
      for await (const frame of inmate.link.frames) {
        const { agent, room, person, session, activation } = frame;
        answer(
          frame,
          (body) => {
            count += 1;
            const said = { ...body, agent, room, person, session, activation } as InmateFrameBody;
            inmate.link.send({ ...said, id: count, at: 0 });
          },
          cell,
        );
      }
    })();
  });
};

test("a cell opens as soon as the house knows which agent wakes, before that is stored", async () => {
  using disk = createTestDisk();
  const opened = Promise.withResolvers<void>();
  const fake = createFakeBackend();
  const backend: CellBackend = {
    ...fake,
    open(spec) {
      opened.resolve();
      return fake.open(spec);
    },
  };
  let isFirst = true;
  const store: Store = {
    ...disk.store,
    async commit(change) {
      if (isFirst && JSON.stringify(change).includes('"dispatch"')) {
        isFirst = false;
        await opened.promise;
      }
      return disk.store.commit(change);
    },
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, backend, script: [] });
  await house.post("hi");
  await opened.promise;
  expect(fake.inmates.length).toBeLessThan(2);
});

test("no cell is opened ahead of time for a stopped agent", async () => {
  using disk = createTestDisk();
  const backend = createFakeBackend();
  await using house = await openTestHouse({ disk, backend, script: [] });
  await house.ask("POST", "/api/agents/main/stop");
  await house.post("hi");
  await until(async () => (await house.ask("GET", "/api/agents/main/activations")).json.length > 0);
  expect(backend.inmates).toHaveLength(0);
});

describe("an inmate that is silent when it should act", () => {
  const QUIET = "[cells]\nsilence_seconds = 5\n";
  const read = { id: "1", name: "read", input: { path: "a" } };
  const callFrame = { type: "step-request", step: 1, call: read };
  const doneFrame = { type: "step-done", step: 1, text: "done", failed: false };
  const ask = { type: "model-request", step: 2, system: [], kept: 0, messages: [], tools: [], toolUse: "allowed" };
  const reply = { type: "finish", outcome: { kind: "reply", text: "at last" } };

  const within = async (
    backend: (world: ReturnType<typeof createFakeWorld>) => CellBackend,
    script: (world: ReturnType<typeof createFakeWorld>) => (request: ModelRequest) => Promise<ScriptedReply>,
  ) => {
    using disk = createTestDisk();
    const world = createFakeWorld({ hash });
    await using house = await openTestHouse({
      ...{ disk, world, backend: backend(world), script: script(world), sections: QUIET },
      config: 'tools = ["read"]\n',
    });
    const pump = startPump(world);
    try {
      await house.post("hi");
      for (let step = 0; step < 5000; step += 1) {
        const [activation] = (await house.ask("GET", "/api/agents/main/activations")).json;
        if (activation?.endedAt !== undefined) return { activation, cells: await cellsOf(house) };
        await pump.next();
      }
      throw new Error("it never ended");
    } finally {
      await pump.stop();
    }
  };
  const instantly = () => async () => ({ toolCalls: [read] });

  test("ends the activation with an error, and its cell", async () => {
    const { activation, cells } = await within(() => createPlayed(() => {}), instantly);
    expect(activation).toMatchObject({
      state: "failed",
      error: { code: "cell.silent", message: "The agent's cell failed: it stopped responding." },
    });
    expect(cells).toEqual([]);
  });

  test("after a model's answer too", async () => {
    const { activation } = await within(
      () =>
        createPlayed((frame, say) => {
          if (frame.type === "activate") say(callFrame);
          if (frame.type === "step-result") for (const body of [doneFrame, ask]) say(body);
        }),
      instantly,
    );
    expect(activation).toMatchObject({ state: "failed", error: { code: "cell.silent" } });
  });

  test("is not blamed for a slow model", async () => {
    const { activation } = await within(
      () =>
        createPlayed((frame, say) => {
          if (frame.type === "activate") say(callFrame);
          if (frame.type === "step-result") for (const body of [doneFrame, ask]) say(body);
          if (frame.type === "model-result") say(reply);
        }),
      (world) => async (request) => {
        if (resultsIn(request).length === 0) return { toolCalls: [read] };
        await world.clock.sleep(60_000);
        return { text: "hm" };
      },
    );
    expect(activation).toMatchObject({ state: "replied" });
  });

  test("has as much time for a tool as the tool's own timeout", async () => {
    const { activation } = await within(
      (world) =>
        createPlayed((frame, say) => {
          if (frame.type === "activate") say(callFrame);
          if (frame.type !== "step-result") return;
          // Longer than the silence limit, and shorter than the tool's timeout.
          void world.clock.sleep(9000).then(() => {
            say(doneFrame);
            say(reply);
          });
        }),
      instantly,
    );
    expect(activation).toMatchObject({ state: "replied" });
  });
});

test("a tool call that its inmate never ends costs the cell, and the activation continues with an unknown outcome", async () => {
  using disk = createTestDisk();
  const world = createFakeWorld({ hash });
  const shell = { id: "1", name: "shell", input: { command: "kill -STOP $PPID", timeoutSeconds: 1 } };
  const given: string[] = [];
  const backend = createPlayed((frame, say, cell) => {
    if (frame.type === "activate") say({ type: "step-request", step: 1, call: shell });
    if (frame.type !== "step-result" || cell === 1) return;
    given.push(JSON.stringify(frame.result));
    say({ type: "finish", outcome: { kind: "reply", text: "I do not know whether it ran." } });
  });
  await using house = await openTestHouse({
    ...{ disk, world, backend, script: () => ({ toolCalls: [shell] }) },
    config: 'tools = ["shell"]\n',
  });
  const pump = startPump(world);
  try {
    const startedAt = world.clock.monotonic();
    await house.post("hi");
    const ended = async () => (await house.ask("GET", "/api/agents/main/activations")).json[0]?.endedAt !== undefined;
    while (!(await ended())) await pump.next();
    // Its second, the grace period and one polling interval. The tool itself could take ten
    // minutes.
    expect(world.clock.monotonic() - startedAt).toBeLessThan(60_000);
    expect((await house.until(2)).at(-1)?.body.text).toBe("I do not know whether it ran.");
    expect(given.join()).toContain("so its outcome is unknown");
  } finally {
    await pump.stop();
  }
});

test("agents that wait for each other never need extra cells", async () => {
  using disk = createTestDisk();
  const Main = (request: Parameters<typeof resultsIn>[0]) => {
    const [result] = resultsIn(request);
    return result === undefined ? call("ask_agent", { agent: "aide", question: "who?" }) : { text: result.text };
  };
  await using house = await openTestHouse({
    disk,
    script: play({ Main, Aide: () => ({ text: "me" }) }),
    sections: "[cells]\nmax_open = 1\n",
  });
  await addBot(house, "Aide");
  await house.post("who is there?");
  expect((await house.until(2)).at(-1)?.body.text).toContain("me");
  expect(await cellsOf(house)).toHaveLength(1);
  const [asked] = await waitForEnd(house, "main", 1);
  expect(asked).toMatchObject({ state: "replied" });
  // Its cell was released, which is not a crash: the call was made once.
  expect(house.model.requests.filter((request) => lastIn(request) === "who is there?")).toHaveLength(2);
});

test("a cell matches its agent's record from the next activation on", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "ok" }) });
  await house.post("one");
  await house.until(2);
  const [before] = await cellsOf(house);
  const { status } = await house.ask("PATCH", "/api/agents/main", { content: { limits: { processes: 32 } } });
  expect(status).toBe(200);
  await house.post("two");
  await house.until(4);
  expect(before?.limits.processes).toBe(256);
  expect((await cellsOf(house)).map(({ limits }) => limits.processes)).toEqual([32]);
});

test("once a guest may read a room, its next activation uses the room's own cell, and the private cell is unused", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "ok" }) });
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Hall" } })).json;
  const say = async (): Promise<void> => {
    const { offset } = (await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main hello" })).json;
    await house.ask("GET", `/api/rooms/${room.id}/events?after=${offset}&wait=10000`);
  };
  await say();
  expect((await cellsOf(house)).map(({ audience }) => audience)).toEqual(["private"]);
  const stranger = await addBot(house, "Stranger", { runs: "elsewhere" });
  await house.ask("PUT", `/api/rooms/${room.id}/grants/${stranger.id}`, { level: "r" });
  await say();
  const cells = await cellsOf(house);
  expect(cells.map(({ audience }) => audience)).toEqual(["private", `room:${room.id}`]);
  expect(cells.map(({ activations }) => activations.length)).toEqual([0, 0]);
});

test("a person opens a cell and closes it; the agent continues in a new one", async () => {
  using disk = createTestDisk();
  const later: { house?: TestHouse } = {};
  let closed: unknown;
  await using house = await openTestHouse({
    disk,
    async script() {
      closed ??= (await later.house?.ask("DELETE", "/api/agents/main/cells?audience=private"))?.json;
      return { text: "still here" };
    },
  });
  later.house = house;
  const cell = (await house.ask("POST", "/api/agents/main/cells", { room: "main" })).json;
  expect(cell).toMatchObject({ audience: "private", isolation: "none", activations: [] });
  expect(await cellsOf(house)).toEqual([cell]);
  await house.post("are you there?");
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "still here" } });
  expect(closed).toEqual({ closed: 1 });
  expect(house.model.requests).toHaveLength(1);
  await house.ask("DELETE", "/api/agents/main/cells");
  expect(await cellsOf(house)).toEqual([]);
});

test("B7: files that an agent writes for one audience are invisible to every other audience", async () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-audiences-"));
  using disk = createTestDisk();
  /** Every path by which its tools could reach another audience's files. */
  const searches = [
    ["read", { path: "note.txt" }],
    ["read", { path: "../../note.txt" }],
    ["read", { path: `${root}/main/workspace/note.txt` }],
    ["list", { path: "." }],
    ["list", { path: "../.." }],
    ["glob", { pattern: "**/*" }],
    ["grep", { pattern: "canary" }],
    ["read", { path: "link/note.txt" }],
  ] as const;
  const Main = (request: Parameters<typeof resultsIn>[0]): ScriptedReply => {
    const told = lastIn(request).replace(/^@main /, "");
    const results = resultsIn(request);
    if (told.startsWith("write "))
      return results.length === 0
        ? call("write", { path: "note.txt", content: told })
        : { text: results[0]?.text ?? "" };
    const next = searches[results.length];
    return next === undefined
      ? { text: results.map(({ text }) => text).join("\n") }
      : call(next[0], next[1], `c${results.length}`);
  };
  const backend = createProcessBackend({
    program: createInmateProgram("/nowhere"),
    clock: createBunClock(),
    log: createFakeLog(),
    randomText: () => crypto.randomUUID(),
  });
  try {
    await using house = await openTestHouse({
      disk: { ...disk, brains: createBunBrainDisk(root) },
      backend,
      script: play({ Main }),
    });
    const stranger = await addBot(house, "Stranger", { runs: "elsewhere" });
    const halls = await Promise.all(
      ["Hall", "Yard"].map(async (name) => {
        const room = (await house.ask("POST", "/api/rooms", { content: { name } })).json;
        await house.ask("PUT", `/api/rooms/${room.id}/grants/${stranger.id}`, { level: "r" });
        return room;
      }),
    );
    const say = async (text: string, room?: { readonly id: string }): Promise<string> => {
      const path = `/api/rooms/${room?.id ?? "main"}`;
      const { offset } = (
        await house.ask("POST", `${path}/messages`, { text: room === undefined ? text : `@main ${text}` })
      ).json;
      const page = (await house.ask("GET", `${path}/events?after=${offset}&wait=10000`)).json;
      return page.events[0]?.body.text ?? "";
    };
    await say("write canary-of-the-owner");
    expect(await say("look around")).toContain("canary-of-the-owner");
    const [hall, yard] = halls;
    for (const room of halls) {
      const found = await say("look around", room);
      expect(found).not.toContain("canary");
    }
    await say("write canary-of-the-hall", hall);
    expect(await say("look around", yard)).not.toContain("canary");
    const own = await say("look around", hall);
    expect(own).toContain("canary-of-the-hall");
    expect(own).not.toContain("canary-of-the-owner");
    const cells = await cellsOf(house);
    expect(cells.map(({ audience }) => audience).sort()).toEqual(
      ["private", ...halls.map(({ id }) => `room:${id}`)].sort(),
    );
    expect(new Set(cells.map(({ pid }) => pid)).size).toBe(3);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}, 180_000);
