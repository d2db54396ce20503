/**
 * Which bots wake on a message in a room with several bots, and what the log records when none
 * wakes.
 */
import { describe, expect, test } from "bun:test";
import { createTestDisk } from "../../src/fixtures/house.ts";
import { isGate, openTalkingHouse, type TalkingHouse } from "../../src/fixtures/talking-house.ts";

type Json = ReturnType<typeof JSON.parse>;

const echo = (handle: string) => ({ text: `${handle} here` });
const ambient = (name: string, more: object = {}) =>
  ({ name, triggerMode: "ambient", ambient: { relevance: "off", ...more } }) as const;

const summary = async (talk: TalkingHouse): Promise<readonly unknown[]> =>
  (await talk.rows()).map(({ agent, trigger, state, skip }) => [
    talk.bots.find(({ id }) => id === agent)?.handle ?? "main",
    trigger,
    state,
    ...(skip === null ? [] : [skip]),
  ]);

const person = async (talk: TalkingHouse, name: string): Promise<{ id: string; key: string }> => {
  const { id } = (await talk.house.ask("POST", "/api/agents", { content: { name, kind: "human" } })).json;
  return { id, key: (await talk.house.ask("POST", "/api/keys", { name, agent: id })).json.key };
};

describe("a message in a group", () => {
  test("wakes the agents that it mentions, whatever their mode, and no other agent that waits for a mention", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [{ name: "Ben" }, { name: "Cleo" }], reply: echo });
    await talk.say("@ben are you there?");
    expect(await summary(talk)).toEqual([["ben", "mention", "replied"]]);
    await talk.say("a message without a mention");
    expect(await talk.rows()).toHaveLength(1);
  });

  test("wakes no bot that may not write there, and leaves no row", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [{ name: "Ben" }, { name: "Cleo" }], reply: echo });
    const { house, bots } = talk;
    const [me] = ((await house.ask("GET", "/api/agents")).json as Json[]).filter(
      ({ content }) => content.kind === "human",
    );
    const members = [me.id, bots[0]?.id];
    await house.ask("PATCH", `/api/rooms/${talk.room.id}`, { content: { members } });
    await talk.say("@ben @cleo hello");
    expect(await summary(talk)).toEqual([["ben", "mention", "replied"]]);
  });

  test("is answered according to the agent's current record", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({
      disk,
      bots: [{ name: "Ben", prompt: "Be brief." }],
      reply: (_handle, { system }) => ({ text: system[0]?.text.includes("Be long.") === true ? "long" : "brief" }),
    });
    await talk.say("@ben one");
    await talk.house.ask("PATCH", "/api/agents/ben", {
      content: { prompt: "Be long.", triggerMode: "ambient", ambient: { relevance: "off", cooldown: false } },
    });
    await talk.say("two, without a name");
    await talk.pass(3000);
    expect((await talk.messages()).map(({ body }) => body.text)).toEqual([
      "@ben one",
      "brief",
      "two, without a name",
      "long",
    ]);
  });
});

describe("admission to a room", () => {
  const open = (
    disk: Parameters<typeof openTalkingHouse>[0]["disk"],
    admission: object,
    kind: "group" | "direct" = "group",
  ) => openTalkingHouse({ disk, bots: [{ name: "Ben" }], reply: echo, room: { admission, kind } as never });

  test("with an empty list lets no message wake an agent, and a mention gets a reason", async () => {
    using disk = createTestDisk();
    await using talk = await open(disk, { mode: "allow", allow: [] });
    await talk.say("@ben hello");
    await talk.say("hello");
    const [row, ...more] = await talk.rows();
    expect(row).toMatchObject({ state: "skipped", skip: "admission", trigger: "mention", started_at: null });
    expect(row?.reason).toBe("The author is not on the list of those who may wake agents in this room.");
    expect(more).toEqual([]);
    expect(talk.house.model.requests).toEqual([]);
    const { fates } = (await talk.house.ask("GET", `/api/rooms/${talk.room.id}/fates`)).json;
    expect(fates.map(({ fate }: Json) => fate.kind)).toEqual(["skipped", "ignored"]);
  });

  test("can admit one person and not another, and let every message of one person wake the agent", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [{ name: "Ben" }, { name: "Cleo" }], reply: echo });
    const ana = await person(talk, "Ana");
    const admission = { mode: "allow", allow: [ana.id], wake: [ana.id] };
    await talk.house.ask("PATCH", `/api/rooms/${talk.room.id}`, { content: { admission } });
    await talk.say("@ben hello");
    await talk.say("hello", ana.key);
    expect(await summary(talk)).toEqual([
      ["ben", "mention", "skipped", "admission"],
      ["main", "wake", "replied"],
      ["ben", "wake", "replied"],
      ["cleo", "wake", "replied"],
    ]);
  });

  test("that blocks a person overrides a list that allows them", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [{ name: "Ben" }], reply: echo });
    const ana = await person(talk, "Ana");
    const admission = { mode: "allow", allow: [ana.id], wake: [ana.id], block: [ana.id] };
    await talk.house.ask("PATCH", `/api/rooms/${talk.room.id}`, { content: { admission } });
    await talk.say("@ben hello", ana.key);
    await talk.say("hello", ana.key);
    expect(await summary(talk)).toEqual([["ben", "mention", "skipped", "admission"]]);
  });

  test("that requires a mention keeps ambient agents quiet", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({
      disk,
      bots: [ambient("Ben")],
      reply: echo,
      room: { admission: { mentionRequired: true } },
    });
    await talk.say("hello");
    await talk.pass(10_000);
    expect(await talk.rows()).toEqual([]);
    await talk.say("@ben hello");
    expect(await summary(talk)).toEqual([["ben", "mention", "replied"]]);
  });

  test("can require a mention in a room of two", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [{ name: "Ben" }], reply: echo });
    const { house, bots, settle } = talk;
    const [me] = ((await house.ask("GET", "/api/agents")).json as Json[]).filter(
      ({ content }) => content.kind === "human",
    );
    const content = { name: "Two", kind: "direct", members: [me.id, bots[0]?.id] };
    const two = (await house.ask("POST", "/api/rooms", { content })).json;
    const say = async (text: string): Promise<void> => {
      await house.ask("POST", `/api/rooms/${two.id}/messages`, { text });
      await settle();
    };
    await say("hello");
    await house.ask("PATCH", `/api/rooms/${two.id}`, { content: { admission: { mentionRequired: true } } });
    await say("hello again");
    await say("@ben hello");
    const rows = await disk.store.select({
      table: "activations",
      where: { room: two.id },
      order: [{ column: "cause_offset" }],
    });
    expect(rows.map(({ trigger, state, cause_offset }) => [trigger, state, cause_offset])).toEqual([
      ["direct", "replied", 1],
      ["direct", "replied", 4],
    ]);
  });
});

describe("an ambient agent", () => {
  test("waits for a silence, and the messages meanwhile form one activation that points to the last one", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [ambient("Ben")], reply: echo });
    for (const text of ["one", "two", "three", "four"]) {
      await talk.say(text);
      await talk.pass(1000);
    }
    const five = await talk.say("five");
    expect(await talk.rows()).toMatchObject([{ cause: five.id, state: "queued", trigger: "ambient" }]);
    await talk.pass(2999);
    expect(talk.house.model.requests).toHaveLength(0);
    await talk.pass(1);
    expect(await talk.rows()).toMatchObject([{ cause: five.id, state: "replied" }]);
    expect((await talk.messages()).at(-1)).toMatchObject({ body: { text: "ben here" }, causes: [five.id] });
    expect(talk.house.model.requests).toHaveLength(1);
  });

  test("that is mentioned meanwhile answers at once, with one reply to both", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [ambient("Ben")], reply: echo });
    const talkOnly = await talk.say("just talk");
    const called = await talk.say("@ben well?");
    expect((await talk.messages()).at(-1)).toMatchObject({ causes: [talkOnly.id, called.id] });
    await talk.pass(10_000);
    const [first, second] = await talk.rows();
    expect(first).toMatchObject({ state: "skipped", skip: "dedup", merged_into: second?.id ?? "" });
    expect(talk.house.model.requests).toHaveLength(1);
  });

  test("that is stopped by a person continues when mentioned, and then adds nothing to the conversation", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [ambient("Ben")], reply: echo });
    await talk.house.ask("POST", "/api/agents/ben/stop");
    for (const text of ["just talk", "@ben well?", "more talk", "and more"]) await talk.say(text);
    await talk.pass(10_000);
    expect(talk.house.model.requests).toEqual([]);
    await talk.house.ask("POST", "/api/agents/ben/resume");
    await talk.settle();
    expect((await talk.messages()).filter(({ activation }) => activation !== undefined)).toHaveLength(1);
    expect((await talk.rows()).map(({ state, skip }) => skip ?? state).toSorted()).toEqual([
      ...["cooldown", "dedup", "replied"],
    ]);
  });

  test("stays quiet while it wrote one of the last five messages, and no model is asked", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [ambient("Ben", { debounceMs: 0 })], reply: echo });
    for (let index = 1; index <= 5; index += 1) {
      await talk.say(`talk ${index}`);
      await talk.pass(1);
    }
    expect((await summary(talk)).slice(1)).toEqual(Array(4).fill(["ben", "ambient", "skipped", "cooldown"]));
    expect(talk.house.model.requests).toHaveLength(1);
    // Five messages by other authors since its own.
    await talk.say("talk 6");
    await talk.pass(1);
    expect((await summary(talk)).at(-1)).toEqual(["ben", "ambient", "replied"]);
  });

  test("always wakes when mentioned, however recently it wrote", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [ambient("Ben")], reply: echo });
    await talk.say("@ben one");
    await talk.say("@ben two");
    expect(await summary(talk)).toEqual(Array(2).fill(["ben", "mention", "replied"]));
  });

  test("that a conversation does not concern logs that, with the cost of the check", async () => {
    using disk = createTestDisk();
    const usage = { inputTokens: 40, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    await using talk = await openTalkingHouse({
      disk,
      bots: [
        { name: "Ben", prompt: "You water the plants.", triggerMode: "ambient", ambient: { model: "fake/small" } },
      ],
      reply: (handle, request) =>
        isGate(request)
          ? { text: JSON.stringify(request.messages).includes("tulips") ? "YES" : "NO", usage }
          : { text: `${handle} waters`, usage },
    });
    await talk.say("what a game last night");
    await talk.pass(3000);
    const [asked] = talk.house.model.requests;
    expect(asked).toMatchObject({ model: "small", toolUse: "forbidden", tools: [] });
    expect(asked?.system[0]?.text).toContain("You water the plants.");
    await talk.say("the tulips look sad");
    await talk.pass(3000);
    const list = (await talk.house.ask("GET", `/api/agents/ben/activations?roomId=${talk.room.id}`)).json;
    expect(list).toMatchObject([
      { trigger: "ambient", state: "replied", usage: { inputTokens: 80, outputTokens: 2 }, model: "fake/model" },
      {
        trigger: "ambient",
        state: "skipped",
        skip: "relevance",
        reason: "The messages do not concern the agent.",
        usage,
      },
    ]);
    expect(list[1].startedAt).toBeUndefined();
    const detail = (await talk.house.ask("GET", `/api/activations/${list[0].id}`)).json;
    expect(detail.steps.map(({ step, name }: Json) => [step, name])).toEqual([
      [-1, "fake/small"],
      [0, "ben"],
    ]);
    expect(detail.parts).toEqual([{ kind: "text", text: "ben waters" }]);
  });

  test.each([
    ["fails", { error: { code: "provider.overloaded", message: "Busy." } } as const],
    ["says neither yes nor no", { text: "Yes, I believe it might." }],
    ["says nothing in time", { hang: true } as const],
  ])("whose model %s goes by words", async (_what, answer) => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({
      disk,
      bots: [
        { name: "Ben", description: "Waters the plants", triggerMode: "ambient", ambient: { model: "fake/small" } },
      ],
      reply: (_handle, request) => (isGate(request) ? answer : { text: "watered" }),
    });
    await talk.say("what a game last night");
    await talk.pass(3000);
    await talk.pass(60_000);
    await talk.say("who waters the roses?");
    await talk.pass(3000);
    await talk.pass(60_000);
    expect(await summary(talk)).toEqual([
      ["ben", "ambient", "skipped", "relevance"],
      ["ben", "ambient", "replied"],
    ]);
  });

  test("whose relevance call is refused at the choke point falls back to keywords, and no model is asked", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({
      disk,
      bots: [{ name: "Ben", triggerMode: "ambient", ambient: { model: "nowhere/small" } }],
      reply: echo,
    });
    await talk.say("hello everyone");
    await talk.pass(3000);
    expect(await summary(talk)).toEqual([["ben", "ambient", "skipped", "relevance"]]);
    expect(talk.house.model.requests).toEqual([]);
  });

  test("is not asked twice after a crash between the answer and its consequences", async () => {
    using disk = createTestDisk();
    let gates = 0;
    const bots = [{ name: "Ben", triggerMode: "ambient", ambient: { model: "fake/small" } } as const];
    const reply = (_handle: string, request: Parameters<typeof isGate>[0]) => {
      if (!isGate(request)) return { text: "yes?" };
      gates += 1;
      return { text: "YES" };
    };
    const { store } = disk;
    let isCut = false;
    const cut = {
      ...disk,
      store: {
        ...store,
        commit: (change: Parameters<typeof store.commit>[0]) => {
          const passes = change.writes.some(
            (write) => write.kind === "update" && write.table === "activations" && write.set.ready_at === 0,
          );
          isCut ||= passes;
          // From here on, no commit of the first daemon reaches the disk.
          return isCut ? new Promise<never>(() => {}) : store.commit(change);
        },
      },
    };
    const dead = await openTalkingHouse({ disk: cut, bots, reply });
    await dead.say("hello");
    await dead.pass(3000);
    expect([gates, isCut]).toEqual([1, true]);
    await using talk = await openTalkingHouse({ disk, bots, reply, world: dead.world });
    await talk.settle();
    expect((await talk.messages()).map(({ body }) => body.text)).toEqual(["hello", "yes?"]);
    expect(gates).toBe(1);
  });

  test("finishes a relevance check before it checks messages that arrived meanwhile", async () => {
    using disk = createTestDisk();
    const gate = Promise.withResolvers<void>();
    const usage = { inputTokens: 40, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    let gates = 0;
    await using talk = await openTalkingHouse({
      disk,
      bots: [{ name: "Ben", triggerMode: "ambient", ambient: { model: "fake/small" } }],
      reply: async (_handle, request) => {
        if (!isGate(request)) return { text: "here" };
        gates += 1;
        await gate.promise;
        return { text: "NO", usage };
      },
    });
    // Whatever fails, no test step waits for the model.
    using _open = { [Symbol.dispose]: () => gate.resolve() };
    await talk.say("one");
    await talk.pass(3000);
    await talk.say("two");
    await talk.say("three");
    gate.resolve();
    await talk.settle();
    await talk.pass(3000);
    const rows = await talk.rows();
    expect(
      rows.map(({ skip, cause_offset, usage: spent }) => [skip, cause_offset, JSON.parse(spent).inputTokens]),
    ).toEqual([
      ["relevance", 1, 40],
      ["relevance", 3, 40],
    ]);
    expect(gates).toBe(2);
    const steps = await disk.store.select({ table: "steps" });
    expect(steps.map(({ activation }) => activation).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  test("whose relevance check was cut off by a crash is checked again, separately from later messages", async () => {
    using disk = createTestDisk();
    const bots = [{ name: "Ben", triggerMode: "ambient", ambient: { model: "fake/small", cooldown: false } } as const];
    const dead = await openTalkingHouse({ disk, bots, reply: () => ({ hang: true }) });
    await dead.say("one");
    await dead.pass(3000);
    await dead.say("two");
    await using talk = await openTalkingHouse({
      disk,
      bots,
      world: dead.world,
      reply: (_handle, request) => ({ text: isGate(request) ? "YES" : "here" }),
    });
    await talk.settle();
    await talk.pass(3000);
    await talk.settle();
    expect(await summary(talk)).toEqual(Array(2).fill(["ben", "ambient", "replied"]));
  });

  test("that waits while the house closes checks once when the house is back", async () => {
    using disk = createTestDisk();
    const bots = [ambient("Ben")];
    {
      await using before = await openTalkingHouse({ disk, bots, reply: echo });
      await before.say("hello");
    }
    await using talk = await openTalkingHouse({ disk, bots, reply: echo });
    await talk.settle();
    expect(talk.house.model.requests).toEqual([]);
    await talk.pass(3000);
    await talk.pass(60_000);
    expect(await summary(talk)).toEqual([["ben", "ambient", "replied"]]);
    expect(talk.house.model.requests).toHaveLength(1);
  });

  test("that is stopped while it waits posts nothing", async () => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({ disk, bots: [ambient("Ben")], reply: echo });
    const { id } = await talk.say("hello");
    await talk.house.ask("DELETE", `/api/rooms/${talk.room.id}/messages/${id}`);
    await talk.say("hello again");
    const [, second] = await talk.rows();
    await talk.house.ask("POST", `/api/activations/${second?.id}/stop`);
    await talk.say("stop");
    await talk.pass(60_000);
    expect(await summary(talk)).toEqual(Array(2).fill(["ben", "ambient", "stopped"]));
    expect(talk.house.model.requests).toEqual([]);
  });

  test("checks messages after its current work, and does not receive them as messages to answer", async () => {
    using disk = createTestDisk();
    const gate = Promise.withResolvers<void>();
    await using talk = await openTalkingHouse({
      disk,
      bots: [ambient("Ben")],
      reply: async (_handle, { messages }) => {
        if (messages.at(-1)?.role === "tool") return { text: "done" };
        await gate.promise;
        return { toolCalls: [{ id: "c1", name: "list", input: {} }] };
      },
    });
    const called = await talk.say("@ben look");
    await talk.say("by the way");
    await talk.pass(3000);
    await talk.say("and another thing");
    gate.resolve();
    await talk.pass(3000);
    expect((await talk.messages()).at(-1)).toMatchObject({ body: { text: "done" }, causes: [called.id] });
    expect(await summary(talk)).toEqual([
      ["ben", "mention", "replied"],
      ["ben", "ambient", "skipped", "cooldown"],
    ]);
  });

  test.each([
    [14, 1],
    [16, 0],
  ])("that a crash has read talk of %p minutes ago has %p activations for it", async (minutes, count) => {
    using disk = createTestDisk();
    const bots = [{ name: "Ben" }];
    const before = await openTalkingHouse({ disk, bots, reply: echo });
    await before.say("old talk");
    await before.house.ask("PATCH", "/api/agents/ben", {
      content: { triggerMode: "ambient", ambient: { relevance: "off" } },
    });
    // The daemon was killed before it read the message.
    await disk.store.commit({ writes: [{ kind: "delete", table: "readers", where: { reader: "dispatch" } }] });
    await before.world.advance(minutes * 60_000);
    await using talk = await openTalkingHouse({ disk, bots, reply: echo, world: before.world });
    await talk.pass(60_000);
    expect(await talk.rows()).toHaveLength(count);
    await before[Symbol.asyncDispose]();
  });
});
