/** Messages that arrive while an agent works, STOP, and decisions that take long. */
import { describe, expect, test } from "bun:test";
import { MAX_INTAKE_MESSAGES, MAX_INTAKE_LENGTH } from "../../src/agents/context/history.ts";
import { deathPauseMs, MAX_DAEMON_DEATHS } from "../../src/turns/recovery/retry-policy.ts";
import type { ModelRequest, World } from "@hearth/protocol";
import { found, until } from "@hearth/protocol/until";
import { declareExternal } from "../../src/agents/tools/external-tools.ts";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, nameIn, sayTo, waitForEnd as untilOverOf } from "../../src/fixtures/talk.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";

type Json = ReturnType<typeof JSON.parse>;
const call = (id: string, name = "list", input: Record<string, string> = {}) => ({ toolCalls: [{ id, name, input }] });
const SPENT = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 };
const said = ({ messages }: ModelRequest): string[] =>
  messages.flatMap((message) => (message.role === "user" ? [message.text] : []));

/** Answers with the last message; the first request waits until the gate opens. */
const createGate = () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  return { asked: asked.promise, arrive: asked.resolve, wait: go.promise, open: go.resolve };
};

const activations = async (house: TestHouse): Promise<Json[]> =>
  (await house.ask("GET", "/api/agents/main/activations")).json.toReversed();
const waitForEnd = (house: TestHouse, count: number): Promise<Json[]> =>
  found(async () => {
    const all = await activations(house);
    return all.filter(({ endedAt }) => endedAt !== undefined).length >= count ? all : undefined;
  });

/**
 * Waits until the queue has processed all earlier messages: another bot, which is never stopped,
 * has answered.
 */
const untilQueueHasLooked = async (house: TestHouse): Promise<void> => {
  const scout = await addBot(house, "Scout");
  await sayTo(house, scout, "hello");
  await untilOverOf(house, "scout", 1);
};

describe("a message that arrives while an agent works", () => {
  test("is included at the next step in the mode `steer`, and answered by the same reply", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const script: Script = async (request) => {
      if (request.messages.at(-1)?.role === "user" && said(request).length === 1) {
        gate.arrive();
        await gate.wait;
        return call("c1");
      }
      return { text: said(request).join(" + ") };
    };
    await using house = await openTestHouse({ disk, script });
    const first = await house.post("one");
    await gate.asked;
    const more = [await house.post("two"), await house.post("three")];
    await until(async () => (await activations(house)).length >= 3);
    gate.open();
    const reply = (await house.until(4)).at(-1);
    expect(reply).toMatchObject({ causes: [first.id, ...more.map(({ id }) => id)], toolCalls: 1 });
    expect(reply?.body.text).toBe("one + two + three");
    const all = await activations(house);
    expect(all.map(({ state, mergedInto }) => [state, mergedInto])).toEqual([
      ["replied", undefined],
      ["skipped", all[0].id],
      ["skipped", all[0].id],
    ]);
    const { steps } = (await house.ask("GET", `/api/activations/${all[0].id}`)).json;
    expect(steps.map(({ kind }: Json) => kind)).toEqual(["model", "tool", "intake", "model"]);
    // The tool's result precedes the message that came after it, so the history stays well formed.
    const last = house.model.requests.at(-1)?.messages.map(({ role }) => role);
    expect(last).toEqual(["user", "assistant", "tool", "user", "user"]);
  });

  test.each([
    ["followup", ["one", "two", "three"]],
    ["collect", ["one", "three"]],
    ["steer", ["one", "three"]],
  ])("in the mode %p, with an agent that calls no tools, has the answers %p", async (queue, answers) => {
    using disk = createTestDisk();
    const gate = createGate();
    const script: Script = async (request) => {
      if (said(request).at(-1) === "one") {
        gate.arrive();
        await gate.wait;
      }
      return { text: said(request).at(-1) ?? "" };
    };
    await using house = await openTestHouse({ disk, script, config: `queue = "${queue}"\n` });
    const posted = [await house.post("one")];
    await gate.asked;
    posted.push(await house.post("two"), await house.post("three"));
    await until(async () => (await activations(house)).length >= 3);
    gate.open();
    const replies = (await house.until(3 + answers.length)).filter(({ causes }) => causes.length > 0);
    expect(replies.map(({ body }) => body.text)).toEqual(answers);
    expect(replies.flatMap(({ causes }) => causes)).toEqual(posted.map(({ id }) => id));
  });

  test("makes the agent start over in the mode `interrupt`, and one reply answers both", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const script: Script = (request) => {
      if (said(request).length > 1) return { text: said(request).join(" + ") };
      gate.arrive();
      return { hang: true };
    };
    await using house = await openTestHouse({ disk, script, config: 'queue = "interrupt"\n' });
    const one = await house.post("one");
    await gate.asked;
    const two = await house.post("two");
    const reply = (await house.until(3)).at(-1);
    expect(reply).toMatchObject({ body: { text: "one + two" }, causes: [one.id, two.id] });
    expect((await activations(house)).map(({ state }) => state)).toEqual(["skipped", "replied"]);
  });

  test("is answered to a client that waits for its reply alone, although another activation included it", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const script: Script = async (request) => {
      if (said(request).length > 1) return { text: said(request).join(" + ") };
      gate.arrive();
      await gate.wait;
      return call("c1");
    };
    await using house = await openTestHouse({ disk, script });
    const ask = async (message: string): Promise<string> =>
      (await house.ask("POST", "/api/chat", { agentName: "main", message })).json.result;
    const first = ask("one");
    await gate.asked;
    const others = [ask("two"), ask("three")];
    await until(async () => (await activations(house)).length >= 3);
    gate.open();
    const results = await Promise.all([first, ...others]);
    expect(new Set(results).size).toBe(1);
    expect(results[0]?.split(" + ").toSorted()).toEqual(["one", "three", "two"]);
  });

  test("of another person is not included and gets its own answer", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const script: Script = async (request) => {
      if (said(request).length === 1 && request.messages.at(-1)?.role === "user") {
        gate.arrive();
        await gate.wait;
        return call("c1");
      }
      return { text: said(request).at(-1) ?? "" };
    };
    await using house = await openTestHouse({ disk, script });
    const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
    const ben = (await house.ask("POST", "/api/agents", { content: { name: "Ben", kind: "human" } })).json;
    const { key } = (await house.ask("POST", "/api/keys", { name: "ben", agent: ben.id })).json;
    await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main one" });
    await gate.asked;
    await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main two" }, key);
    await until(async () => (await activations(house)).length >= 2);
    gate.open();
    expect((await waitForEnd(house, 2)).map(({ state }) => state)).toEqual(["replied", "replied"]);
  });

  test("and is deleted before it is included is never read, and ends as deleted", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const script: Script = async (request) => {
      if (request.messages.at(-1)?.role === "user") {
        gate.arrive();
        await gate.wait;
        return call("c1");
      }
      return { text: said(request).join(" + ") };
    };
    await using house = await openTestHouse({ disk, script });
    await house.post("one");
    await gate.asked;
    const two = await house.post("two");
    await until(async () => (await activations(house)).length >= 2);
    await house.ask("DELETE", `/api/rooms/main/messages/${two.id}`);
    gate.open();
    const all = await waitForEnd(house, 2);
    expect(all.map(({ state, reason }) => [state, reason])).toEqual([
      ["replied", undefined],
      ["stopped", "Its message was deleted."],
    ]);
    expect(JSON.stringify(house.model.requests)).not.toContain("two");
  });

  test("and is edited before it is included is read in its edited form", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const script: Script = async (request) => {
      if (said(request).length === 1 && request.messages.at(-1)?.role === "user") {
        gate.arrive();
        await gate.wait;
        return call("c1");
      }
      return { text: said(request).join(" + ") };
    };
    await using house = await openTestHouse({ disk, script });
    await house.post("one");
    await gate.asked;
    const two = await house.post("teh");
    await until(async () => (await activations(house)).length >= 2);
    await house.ask("PATCH", `/api/rooms/main/messages/${two.id}`, { text: "the" });
    gate.open();
    expect((await waitForEnd(house, 2)).map(({ state }) => state)).toEqual(["replied", "skipped"]);
    expect((await house.messages()).at(-1)?.body.text).toBe("one + the");
  });
});

describe("STOP", () => {
  test("R21: ends running work and holds waiting work across a restart; resume continues it", async () => {
    using disk = createTestDisk();
    const script: Script = (request) => (said(request).at(-1) === "one" ? { hang: true } : { text: "went on" });
    const config = 'queue = "followup"\n';
    {
      await using house = await openTestHouse({ disk, script, config });
      await house.post("one");
      await until(() => house.model.requests.length > 0);
      await house.post("two");
      await until(async () => (await activations(house)).length >= 2);
      const { status, json } = await house.ask("POST", "/api/agents/main/stop");
      expect([status, json.scope]).toEqual([200, (await house.ask("GET", "/api/agents/main")).json.id]);
      expect((await activations(house)).map(({ state }) => state)).toEqual(["stopped", "queued"]);
      expect((await house.ask("POST", "/api/agents/main/stop")).json).toEqual(json);
      await house.post("three");
      await until(async () => (await activations(house)).length >= 3);
      expect((await house.ask("GET", "/api/status")).json.activations).toEqual({ queued: 2, running: 0 });
    }
    await using house = await openTestHouse({ disk, script, config });
    await untilQueueHasLooked(house);
    expect(house.model.requests.map(nameIn)).toEqual(["Scout"]);
    expect((await house.ask("GET", "/api/stops")).json).toHaveLength(1);
    expect((await house.ask("POST", "/api/agents/main/resume")).json).toEqual({ resumed: true });
    expect((await house.ask("POST", "/api/agents/main/resume")).json).toEqual({ resumed: false });
    expect((await waitForEnd(house, 3)).map(({ state }) => state)).toEqual(["stopped", "replied", "replied"]);
    expect((await house.ask("GET", "/api/stops")).json).toEqual([]);
  });

  test("of the whole house stops every agent; agents stopped individually stay stopped when it ends", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: () => ({ text: "here" }) });
    await house.ask("POST", "/api/stop-all");
    await house.ask("POST", "/api/agents/main/stop");
    await house.post("hi");
    await until(async () => (await activations(house)).length >= 1);
    await house.ask("POST", "/api/resume-all");
    await untilQueueHasLooked(house);
    expect((await activations(house))[0]).toMatchObject({ state: "queued" });
    await house.ask("POST", "/api/agents/main/resume");
    expect((await house.until(2)).at(-1)?.body.text).toBe("here");
  });

  test("written in a room ends the work there and wakes no agent, and the next message is answered", async () => {
    using disk = createTestDisk();
    const script: Script = (request) => (said(request).at(-1) === "after" ? { text: "yes" } : { hang: true });
    await using house = await openTestHouse({ disk, script, config: 'queue = "followup"\n' });
    await house.post("one");
    await house.post("two");
    await until(() => house.model.requests.length > 0);
    await house.post(" Stop! ");
    expect((await waitForEnd(house, 2)).map(({ state }) => state)).toEqual(["stopped", "stopped"]);
    await house.post("after");
    expect((await waitForEnd(house, 3)).map(({ state }) => state)).toEqual(["stopped", "stopped", "replied"]);
  });

  test.each(["stop it please", "do not stop", "stopped"])(
    "is not triggered by %p, which goes to the agent",
    async (text) => {
      using disk = createTestDisk();
      await using house = await openTestHouse({ disk, script: () => ({ text: "fine" }) });
      await house.post(text);
      expect((await house.until(2)).at(-1)?.body.text).toBe("fine");
    },
  );
});

describe("the intake of one turn is limited", () => {
  const busyUntil = async (disk: TestDisk, postAll: (house: TestHouse) => Promise<void>) => {
    const gate = createGate();
    let asked = 0;
    const script: Script = async (request) => {
      asked += 1;
      if (asked === 1) {
        gate.arrive();
        await gate.wait;
        return call("c1", "time", {});
      }
      return asked === 2 ? call("c2", "time", {}) : { text: `answers ${said(request).length}` };
    };
    const house = await openTestHouse({ disk, script });
    await house.post("first");
    await gate.asked;
    await postAll(house);
    gate.open();
    return house;
  };
  const takenIn = (house: TestHouse): number[] => house.model.requests.map((request) => said(request).length);

  test("by the number of messages: the rest is included after the next model call, and all are answered", async () => {
    using disk = createTestDisk();
    const count = MAX_INTAKE_MESSAGES + 10;
    await using house = await busyUntil(disk, async (own) => {
      for (let index = 0; index < count; index += 1) await own.post(`m${index}`);
      await until(async () => (await own.ask("GET", "/api/status")).json.activations.queued >= count);
    });
    const [reply] = (await house.until(count + 2)).slice(-1);
    expect(takenIn(house)).toEqual([1, 1 + MAX_INTAKE_MESSAGES, 1 + count]);
    expect(reply?.causes).toHaveLength(count + 1);
  });

  test("by their length: a message that does not fit waits, and one that is too long alone is included alone", async () => {
    using disk = createTestDisk();
    await using house = await busyUntil(disk, async (own) => {
      for (const size of [MAX_INTAKE_LENGTH + 1, 10]) await own.post("x".repeat(size));
      await until(async () => (await own.ask("GET", "/api/status")).json.activations.queued >= 2);
    });
    const [reply] = (await house.until(4)).slice(-1);
    expect(takenIn(house)).toEqual([1, 2, 3]);
    expect(reply?.causes).toHaveLength(3);
  });

  test("also after a decision: the latest messages are shown, with a note about the omitted ones", async () => {
    using disk = createTestDisk();
    let isAllowed = false;
    const approval = (effect: { kind: string }) =>
      effect.kind === "tool" && !isAllowed
        ? ({ verdict: "waiting", text: "May it?" } as const)
        : ({ verdict: "allowed" } as const);
    const script: Script = (request) => {
      if (said(request).at(-1)?.startsWith("m") === true && !isAllowed) return { text: "heard" };
      return request.messages.some(({ role }) => role === "tool") ? { text: "done" } : call("c1", "time", {});
    };
    await using house = await openTestHouse({ disk, script, stages: { approval } });
    await house.post("do it");
    await until(async () => (await activations(house))[0]?.state === "waiting");
    const [waiting] = await activations(house);
    for (let index = 0; index < MAX_INTAKE_MESSAGES; index += 1) {
      await house.post(`m${index}`);
      await waitForEnd(house, index + 1);
    }
    isAllowed = true;
    await house.resume(waiting.id);
    await until(async () => (await house.ask("GET", `/api/activations/${waiting.id}`)).json.endedAt !== undefined);
    const shown = house.model.requests
      .at(-1)
      ?.messages.filter((message) => message.role === "user" && message.note?.includes("while you waited") === true);
    expect(shown).toHaveLength(MAX_INTAKE_MESSAGES);
    expect(shown?.[0]).toMatchObject({ note: expect.stringContaining("after others that are not shown") });
    expect(shown?.at(-1)).toMatchObject({ text: "heard" });
  });
});

describe("an activation that waits for a decision", () => {
  test("R20: does not block others, survives a restart, and makes its call once, after the decision", async () => {
    using disk = createTestDisk();
    let isAllowed = false;
    const stages = {
      approval: (effect: { kind: string }) =>
        effect.kind === "tool" && !isAllowed
          ? ({ verdict: "waiting", text: "May it?" } as const)
          : ({ verdict: "allowed" } as const),
    };
    const script: Script = (request) => {
      if (said(request).at(-1) === "hello") return { text: "meanwhile" };
      return request.messages.some(({ role }) => role === "tool")
        ? { text: "written" }
        : call("c1", "write", { path: "a.txt", content: "x" });
    };
    {
      await using house = await openTestHouse({ disk, script, stages });
      await house.post("write it");
      await until(async () => (await activations(house))[0]?.state === "waiting");
      expect(await Bun.file(`${disk.workspace}/a.txt`).exists()).toBe(false);
      await house.post("hello");
      expect((await house.until(3)).at(-1)?.body.text).toBe("meanwhile");
    }
    await using house = await openTestHouse({ disk, script, stages });
    const [waiting] = await activations(house);
    expect(waiting.state).toBe("waiting");
    isAllowed = true;
    expect(await house.resume(waiting.id)).toBe(true);
    expect(await house.resume(waiting.id)).toBe(false);
    expect((await house.until(4)).at(-1)).toMatchObject({ body: { text: "written" }, toolCalls: 1 });
    // The model sees the messages from the waiting time after the result of its call.
    expect(house.model.requests.at(-1)?.messages.slice(-3)).toMatchObject([
      { role: "tool", call: "c1", failed: false },
      { role: "user", text: "hello", note: expect.stringMatching(/^Owner, .*, while you waited$/) },
      { role: "user", text: "meanwhile", note: expect.stringMatching(/^you, to them, .*, while you waited$/) },
    ]);
    expect(await Bun.file(`${disk.workspace}/a.txt`).text()).toBe("x");
  });

  test("R20: is stopped by a user, and has then ended", async () => {
    using disk = createTestDisk();
    const stages = {
      approval: ({ kind }: { kind: string }) =>
        kind === "tool" ? ({ verdict: "waiting", text: "?" } as const) : ({ verdict: "allowed" } as const),
    };
    await using house = await openTestHouse({ disk, script: () => ({ ...call("c1"), usage: SPENT }), stages });
    await house.post("go");
    await until(async () => (await activations(house))[0]?.state === "waiting");
    const [{ id }] = await activations(house);
    const { json } = await house.ask("POST", `/api/activations/${id}/stop`);
    expect(json).toMatchObject({ state: "stopped", usage: SPENT });
    expect(await house.resume(id)).toBe(false);
  });
});

describe("repeated tool calls", () => {
  test("are refused after the third identical call, with an explanation for the model", async () => {
    using disk = createTestDisk();
    const script: Script = ({ messages }) => {
      const results = messages.filter(({ role }) => role === "tool").length;
      return results < 5 ? call(`c${results}`, "read", { path: "a" }) : { text: "enough" };
    };
    await using house = await openTestHouse({ disk, script });
    await house.post("go");
    await house.until(2);
    const results = house.model.requests.at(-1)?.messages.flatMap((m) => (m.role === "tool" ? [m.text] : [])) ?? [];
    expect(results.map((text) => text.includes("this exact call"))).toEqual([false, false, false, true, true]);
  });

  test("beyond a turn's limit are refused, and the turn ends", async () => {
    using disk = createTestDisk();
    let count = 0;
    await using house = await openTestHouse({
      disk,
      script: () => call(`c${(count += 1)}`, "read", { path: `file-${count}` }),
      sections: "[turns]\nmax_tool_calls = 3\n",
    });
    await house.post("go");
    const [activation] = await waitForEnd(house, 1);
    expect(activation).toMatchObject({ state: "failed", error: { code: "activation.limit" } });
    const { steps } = (await house.ask("GET", `/api/activations/${activation.id}`)).json;
    expect(steps.filter(({ kind }: Json) => kind === "tool")).toHaveLength(3);
  });

  test("beyond a changed limit are refused without a restart", async () => {
    using disk = createTestDisk();
    let count = 0;
    await using house = await openTestHouse({
      disk,
      script: () => call(`c${(count += 1)}`, "read", { path: `file-${count}` }),
    });
    expect((await house.ask("PATCH", "/api/settings", { values: { "turns.max_tool_calls": 2 } })).status).toBe(200);
    await house.post("go");
    const [activation] = await waitForEnd(house, 1);
    const { steps } = (await house.ask("GET", `/api/activations/${activation.id}`)).json;
    expect(steps.filter(({ kind }: Json) => kind === "tool")).toHaveLength(2);
  });

  test("in one round count one by one", async () => {
    using disk = createTestDisk();
    const script: Script = ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "done" }
        : { toolCalls: ["a", "b", "c", "d"].map((path) => ({ id: path, name: "read", input: { path } })) };
    await using house = await openTestHouse({ disk, script, sections: "[turns]\nmax_tool_calls = 3\n" });
    await house.post("go");
    await house.until(2);
    const results = house.model.requests.at(-1)?.messages.flatMap((m) => (m.role === "tool" ? [m.text] : [])) ?? [];
    expect(results.map((text) => text.includes("used up"))).toEqual([false, false, false, true]);
  });

  test("R26: agents that wake each other stop after a few rounds, until a person sends a message", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      disk,
      script: ({ messages }) => ({ text: JSON.stringify(messages).includes("You are") ? "" : "@ben @main continue" }),
    });
    // The limit applies without a restart.
    await house.ask("PATCH", "/api/settings", { values: { "turns.max_chain": 2 } });
    await house.ask("POST", "/api/agents", { content: { name: "Ben", kind: "bot", model: "fake/model" } });
    const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
    await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main begin" });
    const list = async (): Promise<Json[]> => (await house.ask("GET", `/api/rooms/${room.id}/activations`)).json;
    await until(async () => (await list()).some(({ state }) => state === "skipped"));
    await until(async () => (await house.ask("GET", "/api/status")).json.activations.running === 0);
    const all = (await list()).toReversed();
    expect(all.map(({ state }) => state)).toEqual(["replied", "replied", "replied", "skipped"]);
    expect(all.at(-1).reason).toContain("3 agents have woken each other");
  });
});

test("a message at which the daemon dies repeatedly is given up with a reason, and the house keeps running", async () => {
  using disk = createTestDisk();
  const script: Script = (request) => (said(request).at(-1) === "poison" ? { hang: true } : { text: "alive" });
  const posted: string[] = [];
  const pauses = new Set(Array.from({ length: MAX_DAEMON_DEATHS }, (_, deaths) => deathPauseMs(deaths)));
  const real = createBunWorld();
  const sleep: World["clock"]["sleep"] = (ms, signal) => real.clock.sleep(ms > 0 && pauses.has(ms) ? 1 : ms, signal);
  const world = { ...real, clock: { ...real.clock, sleep } };
  for (let life = 0; life < MAX_DAEMON_DEATHS; life += 1) {
    // The daemon is left as if killed: no shutdown runs.
    const house = await openTestHouse({ disk, script, world });
    if (life === 0) posted.push((await house.post("poison")).id);
    await until(() => house.model.requests.length > 0);
  }
  await using house = await openTestHouse({ disk, script });
  const [activation] = await waitForEnd(house, 1);
  expect(activation).toMatchObject({
    state: "failed",
    reason: expect.stringContaining(`died ${MAX_DAEMON_DEATHS} times`),
  });
  await house.post("hello");
  // The room also has an event that says that the first message failed.
  expect((await house.until(4)).at(-1)?.body.text).toBe("alive");
});

test("an orderly shutdown does not count as a death: the turn continues as often as necessary", async () => {
  using disk = createTestDisk();
  let lives = 0;
  const script: Script = () => (lives < 5 ? { hang: true } : { text: "at last" });
  for (; lives < 5; lives += 1) {
    await using house = await openTestHouse({ disk, script });
    if (lives === 0) await house.post("hi");
    await until(() => house.model.requests.length > 0);
  }
  await using house = await openTestHouse({ disk, script });
  expect((await house.until(2)).at(-1)?.body.text).toBe("at last");
});

test("a daemon that closes waits until its turns have stopped, however long their tools take", async () => {
  using disk = createTestDisk();
  const gate = createGate();
  const order: string[] = [];
  const declaration = declareExternal({
    ...{ name: "far", description: "x", schema: { type: "object", properties: {} }, effect: "pure", sinks: [] },
    traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
    ...{ level: "w", needs: "nothing", timeoutMs: 600_000 },
  });
  const house = await openTestHouse({
    disk,
    script: () => call("far", "far"),
    further: {
      far: {
        declaration,
        async run(_input, { signal }) {
          signal.addEventListener("abort", () => order.push("asked to stop"));
          gate.arrive();
          await gate.wait;
          order.push("stopped");
          return { text: "", failed: true };
        },
      },
    },
  });
  await house.post("hi");
  await gate.asked;
  const closed = house[Symbol.asyncDispose]().then(() => order.push("closed"));
  await until(() => order.includes("asked to stop"));
  // A second house that opens, answers and closes takes longer than closing a house at rest.
  using other = createTestDisk();
  const quick = await openTestHouse({ disk: other, script: () => ({ text: "hello" }) });
  await quick.post("hi");
  await quick.until(2);
  await quick[Symbol.asyncDispose]();
  gate.open();
  await closed;
  expect(order).toEqual(["asked to stop", "stopped", "closed"]);
});

test("R18: a daemon that was replaced by another one writes nothing, and no message is answered twice", async () => {
  using disk = createTestDisk();
  const gate = createGate();
  const slow: Script = async () => {
    gate.arrive();
    await gate.wait;
    return call("from the old one");
  };
  // Both daemons believe that they are alone, as after a failed lock.
  const old = await openTestHouse({ disk, script: slow });
  await old.post("hi");
  await gate.asked;
  await using fresh = await openTestHouse({ disk, script: () => ({ text: "from the new one" }) });
  const [, reply] = await fresh.until(2);
  expect(reply?.body.text).toBe("from the new one");
  gate.open();
  await until(() => old.logLines.some((line) => line.includes("another daemon continues an activation")));
  expect(await fresh.messages()).toHaveLength(2);
  await old[Symbol.asyncDispose]();
});
