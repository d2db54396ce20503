/**
 * Compaction of long conversations: the oldest part becomes notes and a summary, and no message is
 * lost, whatever fails.
 */
import { describe, expect, test } from "bun:test";
import type { ModelRequest, World } from "@hearth/protocol";
import { found, until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { createScanParts } from "../../src/fixtures/memory.ts";
import { activationsOf, call, lastIn, readIn, resultsIn } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";
import { declareExternal, type ExternalDeclaration } from "../../src/agents/tools/external-tools.ts";

type Json = ReturnType<typeof JSON.parse>;

/** A third-party tool. */
const FAR: ExternalDeclaration = {
  ...{ name: "far", description: "Does something with a thing.", effect: "plain", level: "r", needs: "person" },
  schema: { type: "object", properties: { thing: { type: "string" } }, required: ["thing"] },
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  ...{ sinks: [], timeoutMs: 1000 },
};

const isKeeping = ({ tools }: ModelRequest): boolean => tools.length === 1 && tools[0]?.name === "remember";
const isSummary = ({ system }: ModelRequest): boolean => (system[0]?.text ?? "").startsWith("You keep the memory of");
/** A request of the agent's own turn. */
const isTurn = (request: ModelRequest): boolean => !isKeeping(request) && !isSummary(request);

const textOf = ({ messages }: ModelRequest): string => JSON.stringify(messages);

/** The conversation part of the last turn's prompt, without the agent's daily log. */
const given = (house: TestHouse): ReturnType<typeof readIn> => {
  const last = house.model.requests.findLast(isTurn);
  return last === undefined ? [] : readIn(last).filter(({ note }) => !note.startsWith("your own log"));
};
const saidIn = (house: TestHouse): readonly string[] => given(house).map(({ text }) => text);

/**
 * Notes every planted fact of the conversation, and writes a summary that contains none of them.
 */
const forgetful = (request: ModelRequest): ScriptedReply => {
  if (!isKeeping(request)) return isSummary(request) ? { text: "They talked." } : { text: "ok" };
  const facts = new Set(textOf(request).match(/fact-\d+ is \w+/g));
  return { toolCalls: [...facts].map((text, index) => ({ id: `k${index}`, name: "remember", input: { text } })) };
};

const say = async (house: TestHouse, text: string): Promise<void> => {
  const before = (await answered(house)).length;
  await house.post(text);
  await until(async () => (await answered(house)).length > before);
};

const main = async (house: TestHouse): Promise<Json> => (await house.ask("GET", "/api/agents/main")).json;
const answered = async (house: TestHouse): Promise<Json[]> =>
  (await activationsOf(house, (await main(house)).id)).filter(({ endedAt }) => endedAt !== undefined);
const compactions = async (house: TestHouse): Promise<Json[]> =>
  (await house.ask("GET", "/api/agents/main/compactions")).json;
const compact = (house: TestHouse, keep = 0) => house.ask("POST", "/api/agents/main/compact", { room: "main", keep });
const logOf = async (house: TestHouse): Promise<Json[]> =>
  (await house.ask("GET", "/api/agents/main/log?limit=1000")).json.events;

/** The text of all files in the agent's memory. */
const memoryOf = async (house: TestHouse): Promise<string> => {
  const { files } = (await house.ask("GET", "/api/agents/main/brain")).json;
  const paths = files.flatMap(({ path }: Json) => (path.startsWith("memory/") ? [path] : []));
  const texts = paths.map(
    async (path: string) => (await house.ask("GET", `/api/agents/main/brain/file?path=${path}`)).json,
  );
  return JSON.stringify(await Promise.all(texts));
};

describe("a compacted conversation", () => {
  test("keeps every planted fact in memory, in recall and in the room after ten compactions, though no summary has one", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: forgetful, memory: createScanParts() });
    for (let round = 0; round < 10; round += 1) {
      await say(house, `fact-${round} is v${round}`);
      await say(house, "go on");
      await compact(house);
    }
    await say(house, "and now");
    const all = await compactions(house);
    expect(all.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => "done"));
    expect(given(house)).toMatchObject([
      { text: "They talked.", note: expect.stringMatching(/summary/) },
      { text: "and now" },
    ]);
    const memory = await memoryOf(house);
    const room = JSON.stringify(await house.messages());
    for (let round = 0; round < 10; round += 1) {
      expect(memory).toContain(`fact-${round} is v${round}`);
      expect(room).toContain(`fact-${round} is v${round}`);
      const asked = { query: `what is fact-${round}`, limit: 50 };
      const { json } = await house.ask("POST", "/api/agents/main/memory/recall", asked);
      expect(json.found.map(({ text }: Json) => text).join("\n")).toContain(`fact-${round} is v${round}`);
    }
  });

  test("can be inspected: its ranges are contiguous and hold the original messages", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: forgetful });
    for (const text of ["fact-1 is a", "fact-2 is b"]) {
      await say(house, text);
      await compact(house);
    }
    await say(house, "done?");
    const [second, first] = await compactions(house);
    expect(second.range.after).toBe(first.range.through);
    const { after, through } = first.range;
    const { json } = await house.ask("GET", `/api/rooms/main/events?after=${after}&limit=${through - after}`);
    expect(JSON.stringify(json.events)).toContain("fact-1 is a");
    expect(first.summary.text).toBe("They talked.");
    expect(first.files).toMatchObject([{ path: expect.stringMatching(/^memory\/\d{4}-\d\d-\d\d\.md$/) }]);
  });

  test("is found by recall in its original words even if nothing was noted, and no longer once a message is deleted", async () => {
    using disk = createTestDisk();
    /** Writes empty notes and summaries; `recall QUERY` searches and replies with the result. */
    const dropping = (request: ModelRequest): ScriptedReply => {
      if (isKeeping(request)) return { text: "" };
      if (isSummary(request)) return { text: "They talked." };
      const [, query] = /^recall (.*)$/.exec(lastIn(request)) ?? [];
      if (query === undefined) return { text: "ok" };
      const [result] = resultsIn(request);
      return result === undefined ? call("recall", { query }) : { text: result.text };
    };
    const config = 'tools = ["recall", "remember", "time"]\n';
    await using house = await openTestHouse({ disk, script: dropping, memory: createScanParts(), config });
    const recalled = async (query: string): Promise<string> => {
      await say(house, `recall ${query}`);
      return (await house.messages()).findLast(({ type }) => type === "message")?.body.text ?? "";
    };
    for (const where of ["door", "stove", "bed", "well"]) {
      await say(house, `The lamp by the ${where} is called ${where}-lamp.`);
      await say(house, "go on");
      await compact(house);
    }
    expect((await compactions(house)).map(({ state }) => state)).toEqual(["asked", "done", "done", "done"]);
    for (const where of ["door", "bed", "well"]) {
      const text = await recalled(`which lamp is by the ${where}?`);
      expect(text).toMatch(new RegExp(`said here before: evt_\\w+ \\(.+\\)\nThe lamp by the ${where} is called`));
    }
    expect(await recalled("what of the violin?")).not.toContain("said here before");
    const stove = (await house.messages()).find(({ body }) => body?.text.includes("by the stove"));
    expect((await house.ask("DELETE", `/api/rooms/main/messages/${stove?.id}`)).status).toBeLessThan(300);
    expect(await recalled("which lamp is by the stove?")).not.toContain("stove-lamp");
  });

  test("is recorded in the agent's log and in the turn that caused it", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: forgetful });
    await say(house, "fact-1 is a");
    expect((await compact(house)).json).toMatchObject({ state: "asked" });
    await say(house, "next");
    const [event] = (await logOf(house)).filter(({ type }) => type === "compacted");
    expect(event).toMatchObject({ range: { after: 0, through: 2 }, messages: 2, files: [{}] });
    const turn = (await house.ask("GET", `/api/activations/${event.activation}`)).json;
    expect(turn.compaction).toMatchObject({ state: "done", summary: { hash: event.summary } });
    expect(turn.steps.map(({ index, step }: Json) => index ?? step)).toEqual(expect.arrayContaining([-3, -2, 0]));
    expect(turn.parts).toEqual([{ kind: "text", text: "ok" }]);
  });

  test("starts over with /new", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: forgetful });
    await say(house, "fact-1 is a");
    await compact(house);
    await say(house, "next");
    await house.post("/new");
    await say(house, "hello");
    expect(saidIn(house)).toEqual(["hello"]);
    expect((await compactions(house))[0]).toMatchObject({ state: "over", reason: "A new session began." });
  });

  test("is read in its original words when a message in it is deleted, without that message", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: forgetful });
    const secret = await house.post("the secret");
    await until(async () => (await answered(house)).length >= 1);
    await say(house, "fact-1 is a");
    await compact(house);
    await say(house, "next");
    await house.ask("DELETE", `/api/rooms/main/messages/${secret.id}`);
    await say(house, "and now");
    const said = saidIn(house);
    expect(said).toContain("fact-1 is a");
    expect(said).not.toContain("They talked.");
    expect(said).not.toContain("the secret");
    expect((await compactions(house))[0]).toMatchObject({ state: "over" });
  });

  test("is the same after a restart", async () => {
    using disk = createTestDisk();
    {
      await using house = await openTestHouse({ disk, script: forgetful });
      await say(house, "fact-1 is a");
      await compact(house);
      await say(house, "next");
    }
    await using house = await openTestHouse({ disk, script: forgetful });
    await say(house, "still there?");
    expect(saidIn(house)).toEqual(["They talked.", "next", "still there?"]);
  });
});

describe("a conversation near its model's context limit", () => {
  const LIMITED = '[compaction]\nreserve = 1000\n[compaction.limits]\n"fake/" = 3000\n';

  test("is compacted before its next turn, and never exceeds that length", async () => {
    using disk = createTestDisk();
    const script = (request: ModelRequest): ScriptedReply => {
      const inputTokens = Math.ceil(textOf(request).length / 4);
      return {
        ...forgetful(request),
        usage: { inputTokens, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 },
      };
    };
    await using house = await openTestHouse({ disk, script, sections: LIMITED });
    for (let round = 0; round < 12; round += 1) await say(house, `fact-${round} is v${round} ${"word ".repeat(200)}`);
    const done = (await compactions(house)).filter(({ state }) => state === "done");
    expect(done.length).toBeGreaterThan(0);
    const sizes = house.model.requests.filter(isTurn).map((request) => textOf(request).length / 4);
    expect(Math.max(...sizes)).toBeLessThan(3000);
    const memory = await memoryOf(house);
    for (const fact of ["fact-0 is v0", "fact-1 is v1"]) expect(memory).toContain(fact);
  });

  test("is compacted in the middle of a turn when its model refuses it as too long, and the turn continues", async () => {
    using disk = createTestDisk();
    let isFull = false;
    const script = (request: ModelRequest): ScriptedReply => {
      if (!isTurn(request)) return forgetful(request);
      const isLong = textOf(request).includes("fact-1");
      return isFull && isLong
        ? { error: { code: "provider.context-overflow", message: "too long" } }
        : forgetful(request);
    };
    await using house = await openTestHouse({ disk, script });
    await say(house, "fact-1 is a");
    await say(house, "fact-2 is b");
    isFull = true;
    await say(house, "go on");
    expect((await answered(house)).at(-1)).toMatchObject({ state: "replied" });
    expect((await compactions(house))[0]).toMatchObject({ state: "done" });
    expect(saidIn(house)).toEqual(["They talked.", "fact-2 is b", "go on"]);
  });
});

describe("a compaction whose model", () => {
  const fails: Readonly<Record<string, ScriptedReply>> = {
    fails: { error: { code: "provider.failed", message: "It is down." } },
    "says nothing": { text: "" },
    "takes no request as long either": { error: { code: "provider.context-overflow", message: "too long" } },
  };
  for (const [how, reply] of Object.entries(fails)) {
    test(`R22: ${how} leaves the conversation unchanged and is reported`, async () => {
      using disk = createTestDisk();
      const script = (request: ModelRequest): ScriptedReply => (isTurn(request) ? { text: "ok" } : reply);
      await using house = await openTestHouse({ disk, script });
      await say(house, "fact-1 is a");
      await compact(house);
      await say(house, "next");
      expect((await compactions(house))[0]).toMatchObject({ state: "failed", reason: expect.stringMatching(/\w/) });
      expect((await logOf(house)).filter(({ type }) => type === "compaction-failed")).toHaveLength(1);
      expect(saidIn(house)).toEqual(["fact-1 is a", "next"]);
      expect(house.logLines.join("\n")).toContain("could not compact a session");
    });
  }

  test("fails for a conversation that is too long anyway leaves out the oldest part, and the turn is answered", async () => {
    using disk = createTestDisk();
    const script = (request: ModelRequest): ScriptedReply => {
      if (isTurn(request) && (!textOf(request).includes("fact-1") || resultsIn(request).length > 0))
        return { text: "ok" };
      return isTurn(request) && lastIn(request) !== "next"
        ? { text: "ok" }
        : { error: { code: "provider.context-overflow", message: "too long" } };
    };
    await using house = await openTestHouse({ disk, script });
    await say(house, "fact-1 is a");
    await say(house, "next");
    expect((await answered(house)).at(-1)).toMatchObject({ state: "replied" });
    expect((await compactions(house))[0]).toMatchObject({ state: "failed" });
  });

  test("hangs is cancelled, and the conversation is unchanged", async () => {
    using disk = createTestDisk();
    const world = createBunWorld();
    // The timeout of the compaction's model calls ends as soon as it begins.
    const sleep: World["clock"]["sleep"] = (ms, signal) => world.clock.sleep(ms === 120_000 ? 0 : ms, signal);
    const script = (request: ModelRequest): ScriptedReply => (isTurn(request) ? { text: "ok" } : { hang: true });
    await using house = await openTestHouse({ disk, script, world: { ...world, clock: { ...world.clock, sleep } } });
    await say(house, "fact-1 is a");
    await compact(house);
    await say(house, "next");
    expect((await compactions(house))[0]).toMatchObject({
      state: "failed",
      reason: "The model did not answer in time.",
    });
    expect(saidIn(house)).toEqual(["fact-1 is a", "next"]);
  });

  test("R22: is interrupted by a restart is asked only for the missing parts, and stores nothing twice", async () => {
    using disk = createTestDisk();
    {
      const reached = Promise.withResolvers<void>();
      const script = (request: ModelRequest): ScriptedReply => {
        if (!isSummary(request) || isKeeping(request)) return forgetful(request);
        reached.resolve();
        return { hang: true };
      };
      await using house = await openTestHouse({ disk, script });
      await say(house, "fact-1 is a");
      await compact(house);
      await house.post("next");
      await reached.promise;
    }
    await using house = await openTestHouse({ disk, script: forgetful });
    await until(async () => (await answered(house)).length >= 2);
    expect(house.model.requests.filter(isKeeping)).toEqual([]);
    expect((await compactions(house)).map(({ state }) => state)).toEqual(["done"]);
    expect((await memoryOf(house)).split("- fact-1 is a")).toHaveLength(2);
    expect(saidIn(house)).toEqual(["They talked.", "next"]);
  });

  test("writes too much is truncated, and so is the prompt", async () => {
    using disk = createTestDisk();
    const script = (request: ModelRequest): ScriptedReply =>
      isTurn(request) || isKeeping(request) ? { text: "ok" } : { text: "long ".repeat(30_000) };
    await using house = await openTestHouse({ disk, script });
    await say(house, "fact-1 is a");
    await compact(house);
    await say(house, "next");
    const [{ summary }] = await compactions(house);
    expect(summary.text.length).toBeLessThan(16_100);
    expect(summary.text).toEndWith("[cut: the summary was too long]");
  });
});

test("C5: after a compaction to nothing, a destructive call still needs approval, though the remaining text never forbade it", async () => {
  using disk = createTestDisk();
  const runs: unknown[] = [];
  const further = {
    wipe: {
      declaration: declareExternal({ ...FAR, name: "wipe", traits: { ...FAR.traits, acts: true, destroys: true } }),
      run: async (input: unknown) => {
        runs.push(input);
        return { text: "wiped", failed: false };
      },
    },
  };
  const script = (request: ModelRequest): ScriptedReply => {
    if (!isTurn(request)) return forgetful(request);
    const isFirst = lastIn(request) === "wipe disk1" && resultsIn(request).length === 0;
    return isFirst ? call("wipe", { thing: "disk1" }) : { text: "ok" };
  };
  await using house = await openTestHouse({ disk, script, further });
  await house.ask("PATCH", "/api/agents/main", { content: { tools: ["wipe"] } });
  await say(house, "never wipe a disk");
  await compact(house);
  await say(house, "hello");
  await house.post("wipe disk1");
  const asked = await found(async () => {
    const all: Json[] = (await house.ask("GET", "/api/approvals?state=pending")).json;
    return all.length > 0 ? all : undefined;
  });
  expect(asked).toMatchObject([{ what: { name: "wipe" } }]);
  expect((await compactions(house))[0]).toMatchObject({ state: "done" });
  expect(runs).toEqual([]);
});

test("after a compaction in the middle of a turn, a call that only a compacted message names needs approval", async () => {
  using disk = createTestDisk();
  let isFull = false;
  const traits = { ...FAR.traits, acts: true };
  const further = {
    look: {
      declaration: declareExternal({ ...FAR, name: "look" }),
      run: async () => ({ text: "seen", failed: false }),
    },
    send: {
      declaration: declareExternal({ ...FAR, name: "send", traits, sinks: ["thing"] }),
      run: async () => ({ text: "sent", failed: false }),
    },
  };
  const script = (request: ModelRequest): ScriptedReply => {
    if (!isTurn(request)) return forgetful(request);
    if (isFull && textOf(request).includes("is the code"))
      return { error: { code: "provider.context-overflow", message: "too long" } };
    if (resultsIn(request).length > 0) return { text: "ok" };
    if (lastIn(request) === "look around") return call("look", { thing: "afar" });
    return isFull ? call("send", { thing: "Zurich-7" }) : { text: "ok" };
  };
  await using house = await openTestHouse({ disk, script, further });
  await house.ask("PATCH", "/api/agents/main", { content: { tools: ["look", "send"] } });
  await say(house, "Zurich-7 is the code");
  await say(house, "look around");
  isFull = true;
  await house.post("continue this work");
  const asked = await found(async () => {
    const all: Json[] = (await house.ask("GET", "/api/approvals?state=pending")).json;
    return all.length > 0 ? all : undefined;
  });
  expect(asked).toMatchObject([{ what: { name: "send" } }]);
  expect((await compactions(house))[0]).toMatchObject({ state: "done" });
});

test("a summary has the label of its messages, and everything written with it inherits that label", async () => {
  using disk = createTestDisk();
  const further = {
    look: {
      declaration: declareExternal({ ...FAR, name: "look" }),
      run: async () => ({ text: "seen", failed: false }),
    },
  };
  const script = (request: ModelRequest): ScriptedReply => {
    if (!isTurn(request) || lastIn(request) !== "look" || resultsIn(request).length > 0) return forgetful(request);
    return call("look", { thing: "afar" });
  };
  await using house = await openTestHouse({ disk, script, further });
  await house.ask("PATCH", "/api/agents/main", { content: { tools: ["look"] } });
  await say(house, "fact-1 is planted");
  await say(house, "look");
  await compact(house);
  await say(house, "go on");
  const untrusted = { integrity: "untrusted", sources: ["the tool look"] };
  const [compaction] = await compactions(house);
  expect(compaction).toMatchObject({ state: "done", label: untrusted });
  expect((await logOf(house)).find(({ type }) => type === "compacted")).toMatchObject({ label: untrusted });
  // Noted but in no prompt: notes of untrusted origin are only found by search.
  expect(await memoryOf(house)).toContain("fact-1 is planted");
  expect((await house.ask("GET", "/api/agents/main/prompt")).json.parts.at(-1)?.text ?? "").not.toContain("- fact-1");
  for (const text of ["and now", "and then"]) await say(house, text);
  expect((await house.messages()).at(-1)).toMatchObject({ label: untrusted });
});
