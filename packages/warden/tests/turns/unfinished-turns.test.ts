/** The report to a turn about earlier turns in its room that failed or were stopped. */
import { expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { found, until } from "@hearth/protocol/until";
import { MAX_CALLS, MAX_LENGTH } from "../../src/turns/recovery/unfinished-turns.ts";
import { UNFINISHED_NOTE } from "../../src/agents/context/volatile-parts.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { call, resultsIn } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";
import { declareExternal } from "../../src/agents/tools/external-tools.ts";

type Json = ReturnType<typeof JSON.parse>;
const DENIED = { error: { code: "provider.auth", message: "The key is wrong." } } as const;

const activations = async (house: TestHouse, agent = "main"): Promise<Json[]> =>
  (await house.ask("GET", `/api/agents/${agent}/activations`)).json.toReversed();
const waitForEnd = (house: TestHouse, count: number): Promise<Json[]> =>
  found(async () => {
    const all = await activations(house);
    return all.filter(({ endedAt }) => endedAt !== undefined).length >= count ? all : undefined;
  });
const toldIn = ({ messages }: ModelRequest): string | undefined =>
  messages.flatMap((message) => (message.role === "user" && message.note === UNFINISHED_NOTE ? [message.text] : []))[0];
const lastOf = ({ messages }: ModelRequest): string =>
  messages.flatMap((message) => (message.role === "user" ? [message.text] : [])).at(-1) ?? "";
const write = (path: string): ScriptedReply => call("write", { path, content: "x" });

/** The ways in which a turn may end without an answer, after its tool calls. */
const ends: Readonly<Record<string, ScriptedReply>> = {
  "a failure": DENIED,
  "the round limit": call("write", { path: "again.txt", content: "x" }),
  STOP: { hang: true },
};

test.each(Object.entries(ends))("after %s the next turn reads which tools were called, at once", async (how, end) => {
  using disk = createTestDisk();
  const hanging = Promise.withResolvers<void>();
  await using house = await openTestHouse({
    disk,
    script(request) {
      if (lastOf(request) === "what did you do?") return { text: "that" };
      if (resultsIn(request).length === 0) return write("made.txt");
      hanging.resolve();
      return end;
    },
  });
  await house.post("make it");
  if (how === "STOP") {
    await hanging.promise;
    const [{ id }] = (await activations(house)) as [Json];
    await house.ask("POST", `/api/activations/${id}/stop`);
  }
  await waitForEnd(house, 1);
  await house.post("what did you do?");
  await waitForEnd(house, 2);
  const told = toldIn(house.model.requests.at(-1) as ModelRequest);
  expect(told).toContain(how === "STOP" ? "stopped" : "failed");
  expect(told).toMatch(/- write \{"path":"made\.txt","content":"x"\} → done: /);
  // The next turn after a reply no longer reads it.
  await house.post("what did you do?");
  await waitForEnd(house, 3);
  expect(toldIn(house.model.requests.at(-1) as ModelRequest)).toBeUndefined();
});

test("a call with an unknown outcome is marked as such", async () => {
  using disk = createTestDisk();
  const declaration = declareExternal({
    ...{
      name: "far",
      description: "Far.",
      effect: "plain",
      sinks: [],
      level: "r",
      needs: "nothing",
      timeoutMs: 60_000,
    },
    traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
    schema: { type: "object", properties: {} },
  });
  const called = Promise.withResolvers<void>();
  const run = async (): Promise<never> => {
    called.resolve();
    return new Promise(() => {});
  };
  const script = (request: ModelRequest): ScriptedReply =>
    lastOf(request) === "well?" ? { text: "ok" } : resultsIn(request).length === 0 ? call("far", {}) : DENIED;
  // The daemon is left as if killed.
  const first = await openTestHouse({ disk, script, further: { far: { declaration, run } } });
  await first.post("go");
  await called.promise;
  await using house = await openTestHouse({ disk, script, further: { far: { declaration, run } } });
  await waitForEnd(house, 1);
  await house.post("well?");
  await waitForEnd(house, 2);
  expect(toldIn(house.model.requests.at(-1) as ModelRequest)).toMatch(
    /- far \{\} → (failed: Hearth was interrupted|outcome unknown)/,
  );
});

test("the report is limited in length, and has the label of the turn that made the calls", async () => {
  using disk = createTestDisk();
  const declaration = declareExternal({
    ...{ name: "far", description: "Far.", effect: "pure", sinks: [], level: "r", needs: "nothing", timeoutMs: 1000 },
    traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
    schema: { type: "object", properties: { q: { type: "string" } } },
  });
  const many = Array.from({ length: MAX_CALLS + 5 }, (_, index) => ({
    ...{ id: `c${index}`, name: "far", input: { q: `${index} ${"q".repeat(500)}` } },
  }));
  await using house = await openTestHouse({
    ...{ disk, sections: "[turns]\nmax_tool_calls = 40\n" },
    further: { far: { declaration, run: async () => ({ text: "from afar ".repeat(100), failed: false }) } },
    script: (request) =>
      lastOf(request) === "well?" ? { text: "ok" } : resultsIn(request).length === 0 ? { toolCalls: many } : DENIED,
  });
  await house.post("go");
  await waitForEnd(house, 1);
  await house.post("well?");
  await waitForEnd(house, 2);
  const told = toldIn(house.model.requests.at(-1) as ModelRequest) ?? "";
  expect(told.length).toBeLessThanOrEqual(MAX_LENGTH + 200);
  expect(told).toContain("earlier calls not shown");
  expect(told).toContain(`${many.length - 1} qqq`);
  const reply = (await house.messages()).at(-1);
  expect(reply?.label).toMatchObject({ integrity: "untrusted" });
});

test("a room's turns read nothing of the agent's calls in another room, and a new session reads nothing of the one before", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    script: (request) =>
      lastOf(request) === "go" ? (resultsIn(request).length === 0 ? write("a.txt") : DENIED) : { text: "ok" },
  });
  await house.post("go");
  await waitForEnd(house, 1);
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main hello" });
  await waitForEnd(house, 2);
  expect(toldIn(house.model.requests.at(-1) as ModelRequest)).toBeUndefined();
  await house.post("/new");
  await house.post("hello again");
  await until(() => house.model.requests.some((request) => lastOf(request) === "hello again"));
  expect(house.model.requests.map(toldIn).filter((told) => told !== undefined)).toEqual([]);
});
