/** Tests the states of agents as the port reports them. */
import type { ActivationId, AgentId, AgentRecord } from "@hearth/protocol";
import { plainRow } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import { createTestDisk } from "../../fixtures/house.ts";
import { openTalkingHouse } from "../../fixtures/talking-house.ts";
import { newInboxRow } from "../../agents/inbox/rows.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { insertActivation } from "../../kernel/store/conformance/rows.conformance.ts";
import { createAgentStates } from "./agent-states.ts";

test("an agent's state follows its activations", async () => {
  using disk = createTestDisk();
  const gate = Promise.withResolvers<void>();
  const bots = [{ name: "Ben" }, { name: "Cleo" }];
  await using talk = await openTalkingHouse({
    disk,
    bots,
    reply: async () => {
      await gate.promise;
      return { text: "done" };
    },
  });
  // Releases the model even when an assertion fails.
  using _open = { [Symbol.dispose]: () => gate.resolve() };
  const { house, room, world } = talk;
  const stateOf = async (name: string) => (await house.ask("GET", `/api/agents/${name}/state`)).json;
  expect(await stateOf("ben")).toEqual({ agent: talk.bots[0]?.id, agentName: "Ben", status: "idle" });
  await talk.say("@ben look");
  expect(await stateOf("ben")).toMatchObject({ status: "running", lastActivity: world.clock.now() });
  await house.ask("POST", "/api/agents/cleo/stop");
  await talk.say("@cleo look");
  const all = (await house.ask("GET", `/api/houses/${room.house}/agent-states`)).json as {
    agentName: string;
    status: string;
  }[];
  expect(all.map(({ agentName, status }) => [agentName, status])).toEqual([
    ["Main", "idle"],
    ["Ben", "running"],
    ["Cleo", "held"],
  ]);
  gate.resolve();
  await talk.settle();
  await talk.pass(5000);
  expect(await stateOf("ben")).toMatchObject({ status: "idle", lastActivity: world.clock.now() - 5000 });
  await house.ask("POST", "/api/agents/cleo/resume");
  await talk.settle();
  expect((await stateOf("cleo")).status).toBe("idle");
});

test("the state of one agent is read without the activations of other agents", async () => {
  const store = createMemoryStore();
  await store.commit({
    writes: ["a", "b", "c", "d"].map((id) => {
      const insert = insertActivation(id);
      if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
      const agent = id === "a" ? "agent_ben" : "agent_cleo";
      return { ...insert, row: plainRow("activations", { ...insert.row, agent, created_at: 7 }) };
    }),
  });
  const read: string[] = [];
  const states = createAgentStates({
    isIsolated: async () => false,
    hasPart: () => false,
    store: {
      async select(query) {
        const rows = await store.select(query);
        read.push(...rows.map((row) => ("agent" in row ? String(row.agent) : query.table)));
        return rows;
      },
    },
    streams: { heads: async () => new Map() },
    records: { find: async () => undefined, get: () => Promise.reject(new Error("unasked")), list: async () => [] },
    holds: { isHeld: () => false },
    reader: "dispatch",
    ambientOf: () => ({ debounceMs: 0, cooldown: true, relevance: "off" }),
  });
  const ben = { id: "agent_ben", content: { name: "Ben", kind: "bot" } } as AgentRecord;
  expect(await states.of(ben)).toEqual({ agent: ben.id, agentName: "Ben", status: "queued", lastActivity: 7 });
  expect(read).toEqual(["agent_ben", "agent_ben"]);
});

test("a manager of an agent sees its next input, its queue and its latest activations", async () => {
  using disk = createTestDisk();
  await using talk = await openTalkingHouse({
    disk,
    bots: [{ name: "Ben", prompt: "Be brief.", triggerMode: "ambient", ambient: { model: "fake/small" } }],
    reply: () => ({ text: "here" }),
  });
  const { house, room, world } = talk;
  const first = await talk.say("@ben hello");
  await house.ask("POST", "/api/agents/ben/stop");
  const second = await talk.say("@ben again");
  const third = await talk.say("by the way");
  const seen = (await house.ask("GET", "/api/agents/ben/introspection")).json;
  expect(seen).toMatchObject({
    state: { status: "held" },
    config: {
      ...{ model: "fake/model", fallback: [], cell: "auto", queue: "steer", triggerMode: "ambient", timezone: "UTC" },
      ambient: { debounceMs: 3000, cooldown: true, relevance: "model", model: "fake/small" },
      promptLength: 9,
    },
    rooms: [
      {
        ...{ room: room.id, queued: 2, running: 0, waiting: 0, read: third.offset, head: third.offset },
        ambient: { cause: third.id, readyAt: world.clock.now() + 3000 },
      },
    ],
    last: [{ cause: third.id, trigger: "ambient" }, { cause: second.id }, { cause: first.id, state: "replied" }],
  });
  expect(seen.config.tools).toContain("read");
  await house.ask("POST", "/api/agents/ben/resume");
  await talk.pass(5000);
  expect((await house.ask("GET", "/api/agents/ben/introspection")).json.rooms).toEqual([]);
});

test("the config sets how long the activation log and read inbox messages are kept, and room messages stay", async () => {
  using disk = createTestDisk();
  const sections = "[turns]\nlog_days = 2\n";
  await using talk = await openTalkingHouse({
    disk,
    bots: [{ name: "Ben" }],
    reply: () => ({ text: "here" }),
    sections,
  });
  const { house, room } = talk;
  await talk.say("@ben hello");
  const [ben] = talk.bots;
  const id = talk.world.ids.derive("note", "one");
  const note = newInboxRow({
    ...{ id, sender: ben?.id as AgentId, recipient: ben?.id as AgentId, type: "note", text: "later" },
    ...{ room: room.id, activation: "act_1" as ActivationId, labels: null, at: 0 },
  });
  await disk.store.commit({ writes: [{ kind: "insert", table: "inbox", row: note }] });
  await house.ask("PATCH", `/api/inbox/${id}`, { status: "archived" });
  const inbox = async () => disk.store.select({ table: "inbox" });
  const log = async () => (await house.ask("GET", "/api/agents/ben/activations")).json;
  for (let hours = 0; hours < 47; hours += 1) await talk.world.advance(3_600_000);
  expect(await log()).toHaveLength(1);
  expect(await inbox()).toHaveLength(1);
  // A sweep that yields to other work continues when the clock advances.
  for (let hours = 0; hours < 16; hours += 1) await talk.world.advance(3_600_000);
  expect(await log()).toEqual([]);
  expect(await inbox()).toEqual([]);
  expect(await talk.messages()).toHaveLength(2);
  const { fates } = (await house.ask("GET", `/api/rooms/${room.id}/fates`)).json;
  expect(fates).toMatchObject([{ fate: { kind: "forgotten" } }]);
});

test("the log can be filtered by room, message, trigger, skip reason and time", async () => {
  using disk = createTestDisk();
  await using talk = await openTalkingHouse({
    disk,
    bots: [{ name: "Ben", triggerMode: "ambient", ambient: { relevance: "words" } }],
    reply: () => ({ text: "here" }),
  });
  const { house, room, world } = talk;
  const first = await talk.say("@ben hello");
  await talk.pass(10_000);
  const since = world.clock.now();
  const second = await talk.say("@ben again");
  const third = await talk.say("talk");
  await talk.pass(10_000);
  const ask = async (query: string): Promise<string[]> =>
    ((await house.ask("GET", `/api/agents/ben/activations?${query}`)).json as { cause: string }[]).map(
      ({ cause }) => cause,
    );
  const all = [third.id, second.id, first.id];
  expect(await ask("")).toEqual(all);
  expect(await ask(`roomId=${room.id}&limit=2`)).toEqual(all.slice(0, 2));
  expect(await ask(`room=${room.id}`)).toEqual(all);
  expect(await ask(`roomId=room_${"0".repeat(26)}`)).toEqual([]);
  expect(await ask(`triggerId=${second.id}`)).toEqual([second.id]);
  expect(await ask("trigger=mention")).toEqual(all.slice(1));
  expect(await ask("skip=cooldown")).toEqual([third.id]);
  expect(await ask("state=replied")).toEqual(all.slice(1));
  expect(await ask(`since=${since}`)).toEqual(all.slice(0, 2));
});
