import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import type { Store } from "../../src/kernel/store/store.ts";

/** Any JSON value; the tests check its shape. */
type Json = ReturnType<typeof JSON.parse>;

test("an agent that is removed stops at once, everywhere, and its cell is closed", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ hang: true, text: "thinking" }) });
  const bot = (
    await house.ask("POST", "/api/agents", {
      content: { name: "Ben", kind: "bot", model: "fake/m", queue: "followup" },
    })
  ).json;
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
  for (const text of ["@ben one", "@ben two"]) await house.ask("POST", `/api/rooms/${room.id}/messages`, { text });
  await house.ask("GET", `/api/rooms/${room.id}/live?after=2&wait=5000`);
  expect((await house.ask("GET", "/api/status")).json).toMatchObject({
    activations: { queued: 1, running: 1 },
    cells: [{ agent: bot.id }],
  });
  await house.ask("DELETE", `/api/agents/${bot.id}`);
  const over: Json[] = [];
  for (let after = 3; over.length < 2;) {
    const { events, next } = (await house.ask("GET", `/api/rooms/${room.id}/live?after=${after}&wait=5000`)).json;
    over.push(...events.filter((event: Json) => event.type === "activation-over"));
    after = next;
  }
  expect(over.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
  await until(async () => (await house.ask("GET", "/api/status")).json.cells.length === 0);
  expect((await house.ask("GET", "/api/status")).json.activations).toEqual({ queued: 0, running: 0 });
});

test("a room that is removed stops the activations in it", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ hang: true }, { text: "elsewhere" }] });
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main think" });
  await until(() => house.model.requests.length > 0);
  await house.ask("DELETE", `/api/rooms/${room.id}`);
  await house.post("and here?");
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "elsewhere" } });
  const rows = () => disk.store.select({ table: "activations" });
  await until(async () => (await rows()).every(({ ended_at }) => ended_at !== null));
  expect((await rows()).map(({ state }) => state).toSorted()).toEqual(["replied", "skipped"]);
  // No list shows the turn of a removed room.
  const { json } = await house.ask("GET", "/api/agents/main/activations");
  expect(json.map(({ state }: Json) => state)).toEqual(["replied"]);
});

test("a temporarily full disk delays an answer and loses none", async () => {
  using disk = createTestDisk();
  let full = false;
  const store: Store = {
    ...disk.store,
    commit: (change) =>
      full && JSON.stringify(change).includes("replied")
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full."))
        : disk.store.commit(change),
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, script: () => ({ text: "answer" }) });
  full = true;
  await house.post("hi");
  await until(() =>
    house.logLines.some((line) => line.includes("could not store the end of an activation; will retry")),
  );
  expect(await house.messages()).toHaveLength(1);
  full = false;
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "answer" } });
});

test("a disk that is full while a message is read wakes the agent once there is space", async () => {
  using disk = createTestDisk();
  let full = false;
  const store: Store = {
    ...disk.store,
    commit: (change) =>
      full && JSON.stringify(change).includes('"dispatch"')
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full."))
        : disk.store.commit(change),
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, script: () => ({ text: "answer" }) });
  full = true;
  await house.post("hi");
  await until(() => house.logLines.some((line) => line.includes("will try again")));
  full = false;
  expect(await house.until(2)).toHaveLength(2);
});

test("a model that only calls tools ends the turn with an error that names the limit", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    script: () => ({ toolCalls: [{ id: "call-1", name: "list", input: {} }] }),
  });
  const { json } = await house.ask("POST", "/api/chat", { agentName: "main", message: "loop" });
  expect(json.error).toMatchObject({ code: "activation.limit", message: expect.stringContaining("11 rounds") });
});

test("a model that does not stop is cut off with an error", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "x".repeat(300_000) }] });
  const { json } = await house.ask("POST", "/api/chat", { agentName: "main", message: "endless" });
  expect(json.error).toMatchObject({ code: "provider.failed", message: expect.stringContaining("200000 characters") });
});

test("conflicting commits never run an activation twice: the events are read again", async () => {
  using disk = createTestDisk();
  let met = false;
  const store: Store = {
    ...disk.store,
    commit(change) {
      if (met || !JSON.stringify(change).includes('"dispatch"')) return disk.store.commit(change);
      met = true;
      return Promise.resolve({ kind: "conflict", table: "activations" });
    },
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, script: () => ({ text: "once" }) });
  await house.post("hi");
  expect(await house.until(2)).toHaveLength(2);
  expect(house.model.requests).toHaveLength(1);
});

test("R6: an activation whose start cannot be stored waits for the disk: no model is asked, then it continues", async () => {
  using disk = createTestDisk();
  let isFull = true;
  const store: Store = {
    ...disk.store,
    commit: (change) =>
      isFull && JSON.stringify(change).includes('"running"')
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full."))
        : disk.store.commit(change),
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, script: [{ text: "late" }] });
  await house.post("hi");
  await until(() => house.logLines.some((line) => line.includes("the disk refuses writes; an activation waits")));
  expect(house.model.requests).toHaveLength(0);
  isFull = false;
  expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "late" } });
  expect(house.model.requests).toHaveLength(1);
});

test("an activation that waits for the disk can be stopped", async () => {
  using disk = createTestDisk();
  let isFull = true;
  const store: Store = {
    ...disk.store,
    commit: (change) =>
      isFull && JSON.stringify(change).includes('"running"')
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full."))
        : disk.store.commit(change),
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, script: () => ({ text: "answer" }) });
  await house.post("hi");
  await until(() => house.logLines.some((line) => line.includes("the disk refuses writes; an activation waits")));
  const [{ id }] = (await house.ask("GET", "/api/agents/main/activations")).json;
  expect((await house.ask("POST", `/api/activations/${id}/stop`)).json.state).toBe("stopped");
  isFull = false;
  // Turns of one room run one at a time, so this one runs after the stopped one.
  await house.post("and now?");
  expect((await house.until(3)).at(-1)).toMatchObject({ body: { text: "answer" } });
  expect(house.model.requests).toHaveLength(1);
  expect((await house.ask("GET", `/api/activations/${id}`)).json.state).toBe("stopped");
});
