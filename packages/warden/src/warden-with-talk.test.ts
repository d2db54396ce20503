/** Agents that leave each other notes, and ask each other. */
import { describe, expect, test } from "bun:test";
import { createBunWorld } from "./adapter/bun/world.ts";
import { createTestDisk, openTestHouse } from "./fixtures/house.ts";
import type { Change, Store } from "./store/store.ts";
import {
  activationsOf,
  addBot,
  call,
  type Cast,
  createGate,
  inboxOf,
  lastIn,
  nameIn,
  play,
  readIn,
  resultsIn,
  sayTo,
  untilOver,
} from "./fixtures/talk.ts";

type Json = ReturnType<typeof JSON.parse>;

/** Calls the tool once, and answers with what came of it. */
const calls =
  (name: string, input: Json): Cast[string] =>
  (request) => {
    const [result] = resultsIn(request);
    return result === undefined ? call(name, input) : { text: `${result.failed ? "failed" : "got"}: ${result.text}` };
  };
/** Says what it read. */
const echo: Cast[string] = (request) => ({
  text: readIn(request)
    .map(({ text }) => text)
    .join(" | "),
});
/** The cast with a Scout that never ends by itself. */
const createHanging = (cast: Cast) => {
  const asked = Promise.withResolvers<void>();
  const Scout: Cast[string] = () => {
    asked.resolve();
    return { hang: true };
  };
  return { hanging: { ...cast, Scout }, asked: asked.promise };
};
/** Like none that is derived. */
const noteId = (index: number): string => `note_${String(index).padStart(26, "0")}`;
const texts = (messages: readonly Json[]): string[] => messages.map(({ body }) => body.text);

describe("a note", () => {
  const cast: Cast = { Main: calls("send_to_agent", { agent: "@scout", text: "the key is blue" }), Scout: echo };

  test("wakes nobody, is shown where the other wakes next, right before the message, and is read once it replied", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("tell scout");
    expect((await house.until(2)).at(-1)?.body.text).toBe("got: Left for Scout (@scout).");
    const [main] = await activationsOf(house, "main");
    expect(await activationsOf(house, "scout")).toEqual([]);
    expect(await inboxOf(house, "scout")).toMatchObject([
      { from: main.agent, to: scout.id, type: "note", status: "pending", text: "the key is blue" },
    ]);
    expect((await inboxOf(house, "scout"))[0]).toMatchObject({ room: main.room, activation: main.id });

    await sayTo(house, scout, "what is it?");
    const [woken] = await untilOver(house, "scout", 1);
    const shown = house.model.requests.find((request) => nameIn(request) === "Scout");
    expect(shown === undefined ? [] : readIn(shown)).toMatchObject([
      {
        text: "the key is blue",
        note: expect.stringMatching(
          /^left in your inbox by Main \(@main\), in "Main", \w{3} \d{4}-.* UTC: for you to know$/,
        ),
      },
      { text: "what is it?", note: expect.stringMatching(/^Owner, /) },
    ]);
    expect(await inboxOf(house, "scout")).toMatchObject([
      { status: "read", readBy: woken.id, readAt: expect.any(Number) },
    ]);

    await sayTo(house, scout, "and again?");
    await untilOver(house, "scout", 2);
    expect(lastIn(house.model.requests.at(-1) as never)).toBe("and again?");
    expect(readIn(house.model.requests.at(-1) as never).map(({ text }) => text)).not.toContain("the key is blue");
  });

  test("stays unread while turns fail, and every one of them shows it", async () => {
    using disk = createTestDisk();
    let broken = true;
    const error = { code: "provider.auth", message: "no key" } as const;
    const failing: Cast = { ...cast, Scout: (request) => (broken ? { error } : echo(request)) };
    await using house = await openTestHouse({ disk, script: play(failing) });
    const scout = await addBot(house, "Scout");
    await house.post("tell scout");
    await house.until(2);
    await sayTo(house, scout, "one");
    await untilOver(house, "scout", 1);
    expect(await inboxOf(house, "scout")).toMatchObject([{ status: "pending" }]);
    broken = false;
    await sayTo(house, scout, "two");
    const [failed, replied] = await untilOver(house, "scout", 2);
    expect([failed.state, replied.state]).toEqual(["failed", "replied"]);
    expect(await inboxOf(house, "scout")).toMatchObject([{ status: "read", readBy: replied.id }]);
    const shown = house.model.requests.filter((request) => nameIn(request) === "Scout");
    for (const request of shown) expect(readIn(request).map(({ text }) => text)).toContain("the key is blue");
  });

  test("that was shown before a restart is shown again after it, and is read then; one that came meanwhile waits", async () => {
    using disk = createTestDisk();
    const { hanging, asked } = createHanging(cast);
    const first = await openTestHouse({ disk, script: play(hanging) });
    const scout = await addBot(first, "Scout");
    await first.post("tell scout");
    await first.until(2);
    await sayTo(first, scout, "what is it?");
    await asked;
    await first.post("tell scout more");
    await first.until(4);
    await first[Symbol.asyncDispose]();
    await using second = await openTestHouse({ disk, script: play(cast) });
    await untilOver(second, "scout", 1);
    const [request] = second.model.requests;
    expect(request === undefined ? [] : readIn(request).map(({ text }) => text)).toEqual([
      "the key is blue",
      "what is it?",
    ]);
    expect((await inboxOf(second, "scout")).map(({ status }) => status)).toEqual(["read", "pending"]);
  });

  test("that is put away is shown no more, and who has no business there finds none", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("tell scout");
    await house.until(2);
    const [{ id }] = await inboxOf(house, "scout");
    const { key } = (
      await house.ask("POST", "/api/keys", {
        name: "main",
        agent: (await house.ask("GET", "/api/agents/main")).json.id,
      })
    ).json;
    expect(await house.ask("PATCH", `/api/inbox/${id}`, { status: "archived" }, key)).toMatchObject({
      status: 404,
      json: { error: { code: "inbox.not-found" } },
    });
    expect((await house.ask("GET", "/api/agents/scout/inbox", undefined, key)).status).toBe(403);
    for (const _again of [1, 2])
      expect((await house.ask("PATCH", `/api/inbox/${id}`, { status: "archived" })).json).toMatchObject({
        id,
        status: "archived",
      });
    expect((await house.ask("GET", "/api/agents/scout/inbox?status=pending")).json).toEqual([]);
    await sayTo(house, scout, "anything?");
    await untilOver(house, "scout", 1);
    expect(readIn(house.model.requests.at(-1) as never).map(({ text }) => text)).toEqual(["anything?"]);
    const { events } = (await house.ask("GET", `/api/agents/scout/log?limit=100`)).json;
    const told = events.filter(({ type }: Json) => type === "inbox-changed").map(({ message }: Json) => message.status);
    expect(told).toEqual(["pending", "archived"]);
  });

  test("that is put away while it is shown stays away, and the turn ends all the same", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const slow: Cast = {
      ...cast,
      Scout: async (request) => {
        await gate.pass();
        return echo(request);
      },
    };
    await using house = await openTestHouse({ disk, script: play(slow) });
    const scout = await addBot(house, "Scout");
    await house.post("tell scout");
    await house.until(2);
    await sayTo(house, scout, "what is it?");
    await gate.reached;
    const [{ id }] = await inboxOf(house, "scout");
    await house.ask("PATCH", `/api/inbox/${id}`, { status: "archived" });
    gate.open();
    expect(await untilOver(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
    expect(await inboxOf(house, "scout")).toMatchObject([{ status: "archived" }]);
  });

  test("that is put away in the very moment in which the turn ends stays away, and the turn ends all the same", async () => {
    using disk = createTestDisk();
    let isFirst = true;
    const reads = ({ writes }: Change): boolean =>
      writes.some((write) => write.kind === "put" && write.table === "inbox" && write.row.status === "read");
    const store: Store = {
      ...disk.store,
      async commit(change) {
        if (reads(change) && isFirst) {
          isFirst = false;
          const set = { status: "archived" };
          await disk.store.commit({ writes: [{ kind: "update", table: "inbox", where: { type: "note" }, set }] });
        }
        return disk.store.commit(change);
      },
    };
    await using house = await openTestHouse({ disk: { ...disk, store }, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("tell scout");
    await house.until(2);
    await sayTo(house, scout, "what is it?");
    expect(await untilOver(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
    expect([isFirst, await inboxOf(house, "scout")]).toMatchObject([false, [{ status: "archived" }]]);
  });

  test.each([
    ["main", "That is you."],
    ["@owner", "is a person"],
    ["nobody", 'no agent "nobody" that you can reach. There are: @scout.'],
  ])("to %p is refused in words", async (agent, words) => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      disk,
      script: play({ Main: calls("send_to_agent", { agent, text: "hello" }) }),
    });
    await addBot(house, "Scout");
    await house.post("go");
    const said = (await house.until(2)).at(-1)?.body.text;
    expect(said).toStartWith("failed: ");
    expect(said).toContain(words);
    expect(await disk.store.select({ table: "inbox" })).toEqual([]);
  });

  test("a program elsewhere is left notes, and is asked nothing: nobody here can answer for it", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      disk,
      script: play({ Main: calls("ask_agent", { agent: "scout", question: "well?" }) }),
    });
    await addBot(house, "Scout", { runs: "elsewhere" });
    await house.post("go");
    expect((await house.until(2)).at(-1)?.body.text).toContain("program elsewhere");
    expect(await inboxOf(house, "scout")).toEqual([]);
    const { status, json } = await house.ask("POST", "/api/chat", { agentName: "scout", message: "hi" });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining("program elsewhere")]);
  });

  test("reaches another house only where its author may write, and else learns nothing of who is there", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const there = (await house.ask("POST", "/api/houses", { content: { name: "Next door" } })).json;
    const scout = await addBot(house, "Scout", {}, there.id);
    await house.post("tell scout");
    expect((await house.until(2)).at(-1)?.body.text).toContain("The tool send_to_agent is not on");
    await addBot(house, "Elf");
    const grant = (level: string) => house.ask("PUT", `/api/houses/${there.id}/grants/main`, { level });
    const unknown = 'failed: There is no agent "@scout" that you can reach. There are: @elf.';
    await house.post("try again");
    expect((await house.until(4)).at(-1)?.body.text).toBe(unknown);
    await grant("r");
    await house.post("and again");
    expect((await house.until(6)).at(-1)?.body.text).toBe(unknown);
    expect(await inboxOf(house, scout.id)).toEqual([]);
    await grant("w");
    await house.post("once more");
    expect((await house.until(8)).at(-1)?.body.text).toBe("got: Left for Scout (@scout).");
    expect(await inboxOf(house, scout.id)).toHaveLength(1);
  });

  test("is offered to one that is alone at home and may write in another house", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const there = (await house.ask("POST", "/api/houses", { content: { name: "Next door" } })).json;
    await addBot(house, "Scout", {}, there.id);
    await house.ask("PUT", `/api/houses/${there.id}/grants/main`, { level: "w" });
    await house.post("tell scout");
    expect((await house.until(2)).at(-1)?.body.text).toBe("got: Left for Scout (@scout).");
  });

  test("too many wait for the prompts after the next one, and the last one says how many", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("tell scout");
    await house.until(2);
    const [row] = await disk.store.select({ table: "inbox" });
    if (row === undefined) throw new Error("there is no note");
    const copies = Array.from({ length: 29 }, (_, index) => ({
      ...row,
      id: noteId(index),
      at: row.at + 1 + index,
    }));
    await disk.store.commit({ writes: copies.map((copy) => ({ kind: "insert", table: "inbox", row: copy }) as const) });
    await sayTo(house, scout, "one");
    await untilOver(house, "scout", 1);
    const read = readIn(house.model.requests.at(-1) as never);
    expect(read).toHaveLength(21);
    expect(read[19]?.note).toEndWith(": for you to know; 10 more wait");
    await sayTo(house, scout, "two");
    await untilOver(house, "scout", 2);
    expect(await disk.store.select({ table: "inbox", where: { status: "pending" } })).toEqual([]);
  });

  test("that is long stands alone in a prompt; the next one waits", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("tell scout");
    await house.until(2);
    const [row] = await disk.store.select({ table: "inbox" });
    if (row === undefined) throw new Error("there is no note");
    const long = { ...row, text: "x".repeat(20_000), at: row.at - 1, id: noteId(0) };
    await disk.store.commit({ writes: [{ kind: "insert", table: "inbox", row: long }] });
    await sayTo(house, scout, "what is it?");
    await untilOver(house, "scout", 1);
    const [first, ...others] = readIn(house.model.requests.at(-1) as never);
    expect(first).toEqual({ text: long.text, note: expect.stringMatching(/: for you to know; 1 more wait$/) });
    expect(others.map(({ text }) => text)).toEqual(["what is it?"]);
    expect((await inboxOf(house, "scout")).map(({ status }) => status)).toEqual(["read", "pending"]);
  });

  test("finds no place in an inbox that is full, until its owner has read", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    await addBot(house, "Scout");
    await house.post("tell scout");
    await house.until(2);
    const [row] = await disk.store.select({ table: "inbox" });
    if (row === undefined) throw new Error("there is no note");
    const copies = Array.from({ length: 99 }, (_, index) => ({ ...row, id: noteId(index) }));
    await disk.store.commit({ writes: copies.map((copy) => ({ kind: "insert", table: "inbox", row: copy }) as const) });
    await house.post("tell scout more");
    expect((await house.until(4)).at(-1)?.body.text).toBe(
      "failed: The inbox of Scout (@scout) is full: it has to read first.",
    );
    await disk.store.commit({
      writes: [{ kind: "update", table: "inbox", where: { id: row.id }, set: { status: "read" } }],
    });
    await house.post("tell scout again");
    expect((await house.until(6)).at(-1)?.body.text).toBe("got: Left for Scout (@scout).");
  });

  test("does not pass a choke point that refuses", async () => {
    using disk = createTestDisk();
    const refused = { verdict: "refused", text: "Not today." } as const;
    await using house = await openTestHouse({
      disk,
      script: play({
        Main: (request) => {
          const results = resultsIn(request);
          if (results.length === 0) return call("send_to_agent", { agent: "scout", text: "x" });
          if (results.length === 1) return call("ask_agent", { agent: "scout", question: "x" });
          return results.length === 2
            ? call("delegate", { task: "x" })
            : { text: results.map(({ text }) => text).join() };
        },
      }),
      config: 'tools = ["send_to_agent", "ask_agent", "delegate"]\n',
      stages: { labels: (effect) => (effect.kind === "tool" ? refused : { verdict: "on" }) },
    });
    await addBot(house, "Scout");
    await house.post("go");
    expect((await house.until(2)).at(-1)?.body.text).toBe("Not today.,Not today.,Not today.");
    expect(await disk.store.select({ table: "inbox" })).toEqual([]);
    expect(await disk.store.select({ table: "activations" })).toHaveLength(1);
  });
});

test("talk with others is offered where there are others, and delegation to whom a person gave it", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "ok" }) });
  const offered = async (count: number): Promise<string[]> => {
    await house.post("hi");
    await house.until(count);
    return house.model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
  };
  expect(await offered(2)).toEqual([
    "read",
    "write",
    "edit",
    "apply_patch",
    "list",
    "glob",
    "grep",
    "time",
    "read_brain",
    "write_brain",
    "remember",
    "recall",
    "find_tools",
  ]);
  await addBot(house, "Scout");
  expect(await offered(4)).toEqual([
    "read",
    "write",
    "edit",
    "apply_patch",
    "list",
    "glob",
    "grep",
    "time",
    "send_to_agent",
    "ask_agent",
    "read_brain",
    "write_brain",
    "remember",
    "recall",
    "find_tools",
  ]);
  const main = (await house.ask("GET", "/api/agents/main")).json;
  await house.ask("PATCH", `/api/agents/${main.id}`, { content: { tools: ["delegate", "ask_agent"] } });
  expect(await offered(6)).toEqual(["delegate", "ask_agent"]);
});

describe("a question", () => {
  const cast: Cast = {
    Main: calls("ask_agent", { agent: "scout", question: "what is on the hill?" }),
    Scout: (request) => ({ text: `a tower (${lastIn(request)})` }),
  };

  test("is answered by a turn of the other one that sees nothing but the question and says nothing in the room", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout", { prompt: "You know hills." });
    await house.post("secret of the room");
    expect(texts(await house.until(2))).toEqual(["secret of the room", "got: a tower (what is on the hill?)"]);
    const [parent] = await activationsOf(house, "main");
    const [child] = await activationsOf(house, "scout");
    expect(child).toMatchObject({
      ...{ agent: scout.id, trigger: "inbox", state: "replied", parent: parent.id, depth: 1 },
      ...{ room: parent.room, cause: parent.cause },
    });
    const asked = house.model.requests.find((request) => nameIn(request) === "Scout");
    expect(asked?.messages).toMatchObject([
      {
        role: "user",
        text: "what is on the hill?",
        note: expect.stringMatching(/^Main \(@main\), another agent, asks you, /),
      },
    ]);
    expect(asked?.system[0]?.text).toContain("You know hills.");
    expect(asked?.system[0]?.text).toContain("in no room: another agent wants something of you");
    expect(asked?.system[0]?.text).toContain("given to whoever asks alone");
    expect(JSON.stringify(asked)).not.toContain("secret of the room");
    expect(await inboxOf(house, "scout")).toMatchObject([
      { type: "question", status: "read", readBy: child.id, activation: parent.id },
    ]);
    const [question] = await inboxOf(house, "scout");
    expect(await inboxOf(house, "main")).toMatchObject([
      { type: "answer", status: "read", readBy: parent.id, activation: child.id, replyTo: question.id },
    ]);
    expect((await house.ask("GET", `/api/activations/${child.id}`)).json.parts).toEqual([
      { kind: "text", text: "a tower (what is on the hill?)" },
    ]);
    expect((await house.deltas(child.id)).at(-1)).toMatchObject({ type: "end", state: "replied" });
    expect((await house.ask("GET", "/api/rooms/main/activations")).json.map(({ id }: Json) => id)).toEqual([parent.id]);
    const live = (await house.ask("GET", "/api/rooms/main/live")).json.events;
    expect(live.map(({ activation }: Json) => activation)).not.toContain(child.id);
    expect((await house.ask("GET", "/api/rooms/main/fates")).json.fates).toMatchObject([
      { fate: { kind: "answered", activation: parent.id } },
    ]);
  });

  test("that was answered is no fate of the message: what became of the turn that asked is", async () => {
    using disk = createTestDisk();
    const Main: Cast[string] = (request) =>
      resultsIn(request).length === 0
        ? call("ask_agent", { agent: "scout", question: "?" })
        : { error: { code: "provider.auth", message: "no key" } };
    await using house = await openTestHouse({ disk, script: play({ ...cast, Main }) });
    await addBot(house, "Scout");
    await house.post("ask");
    const [parent] = await untilOver(house, "main", 1);
    expect((await house.ask("GET", "/api/rooms/main/fates")).json.fates).toMatchObject([
      { fate: { kind: "failed", activation: parent.id } },
    ]);
  });

  test("may be answered at length: what is too long is cut, and says so", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      disk,
      script: play({ ...cast, Scout: () => ({ text: "x".repeat(25_000) }) }),
    });
    await addBot(house, "Scout");
    await house.post("ask");
    const said = (await house.until(2)).at(-1)?.body.text ?? "";
    expect(said).toEndWith("x\n[cut: 5000 of 25000 characters]");
    expect(said.length).toBeLessThan(20_100);
  });

  test("whose other side waits for a person hears nothing of what the room says meanwhile", async () => {
    using disk = createTestDisk();
    let allowed = false;
    const waiting = { verdict: "waiting", text: "Ask Ana." } as const;
    const Scout: Cast[string] = (request) =>
      resultsIn(request).length === 0
        ? call("list", {})
        : {
            text: readIn(request)
              .map(({ text }) => text)
              .join(),
          };
    await using house = await openTestHouse({
      disk,
      script: play({ ...cast, Scout }),
      stages: {
        approval: (effect) =>
          effect.kind === "tool" && effect.call.name === "list" && !allowed ? waiting : { verdict: "on" },
      },
    });
    await addBot(house, "Scout");
    await house.post("ask");
    while ((await activationsOf(house, "scout"))[0]?.state !== "waiting") await Bun.sleep(2);
    await house.post("said meanwhile");
    allowed = true;
    await house.resume((await activationsOf(house, "scout"))[0].id);
    expect(await untilOver(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
    expect((await inboxOf(house, "main"))[0]).toMatchObject({ type: "answer", text: "what is on the hill?" });
    const [child] = await activationsOf(house, "scout");
    const { steps } = (await house.ask("GET", `/api/activations/${child.id}`)).json;
    expect(steps.map(({ kind }: Json) => kind)).toEqual(["model", "tool", "model"]);
  });

  test("to somebody in another house is answered there, as one of that house", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const there = (await house.ask("POST", "/api/houses", { content: { name: "Next door" } })).json;
    const scout = await addBot(house, "Scout", {}, there.id);
    await house.ask("PUT", `/api/houses/${there.id}/grants/main`, { level: "w" });
    await house.post("ask");
    expect((await house.until(2)).at(-1)?.body.text).toStartWith("got: a tower");
    const asked = house.model.requests.find((request) => nameIn(request) === "Scout");
    expect(asked?.system[0]?.text).toContain('of the house "Next door"');
    expect(await activationsOf(house, scout.id)).toMatchObject([{ state: "replied" }]);
  });

  test("is answered also while the other one is at work elsewhere", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const busy: Cast = {
      ...cast,
      Scout: async (request) => {
        if (lastIn(request) !== "count the sheep") return { text: "a tower" };
        await gate.pass();
        return { text: "all" };
      },
    };
    await using house = await openTestHouse({ disk, script: play(busy) });
    const scout = await addBot(house, "Scout");
    await sayTo(house, scout, "count the sheep");
    await gate.reached;
    await house.post("ask");
    expect((await house.until(2)).at(-1)?.body.text).toBe("got: a tower");
    gate.open();
    await untilOver(house, "scout", 2);
  });

  test("that is not answered in time is told so; the answer that comes late waits in the inbox", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    const world = createBunWorld();
    const timeIsUp = Promise.withResolvers<void>();
    const clock = {
      ...world.clock,
      sleep: (ms: number, signal?: AbortSignal) => (ms === 61_000 ? timeIsUp.promise : world.clock.sleep(ms, signal)),
    };
    const slow: Cast = {
      Main: (request) =>
        lastIn(request) === "and now?"
          ? echo(request)
          : calls("ask_agent", { agent: "scout", question: "what?", timeoutSeconds: 61 })(request),
      Scout: async () => {
        await gate.pass();
        return { text: "a tower, late" };
      },
    };
    await using house = await openTestHouse({ disk, script: play(slow), world: { ...world, clock } });
    await addBot(house, "Scout");
    await house.post("ask");
    await gate.reached;
    timeIsUp.resolve();
    expect((await house.until(2)).at(-1)?.body.text).toBe(
      "failed: Scout (@scout) has not answered within 61 s. If it still does, the answer comes to your inbox.",
    );
    gate.open();
    expect(await untilOver(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
    expect(await inboxOf(house, "main")).toMatchObject([{ type: "answer", status: "pending", text: "a tower, late" }]);
    await house.post("and now?");
    await house.until(4);
    expect(readIn(house.model.requests.at(-1) as never)).toContainEqual({
      text: "a tower, late",
      note: expect.stringMatching(
        /^your earlier question "what\?", answered by Scout \(@scout\), in "Main", .*: for you to know$/,
      ),
    });
    expect(await inboxOf(house, "main")).toMatchObject([{ status: "read" }]);
  });

  test("whose answer a call still waits for is shown in no other room", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    // The commit with which the call takes its answer waits at the disk.
    const takes = ({ writes }: Change): boolean =>
      writes.some((write) => write.kind === "put" && write.table === "inbox" && write.row.type === "answer");
    const store: Store = {
      ...disk.store,
      async commit(change) {
        if (takes(change)) await gate.pass();
        return disk.store.commit(change);
      },
    };
    const open: Cast = {
      Main: (request) => (lastIn(request) === "@main elsewhere" ? echo(request) : cast["Main"]!(request)),
      Scout: () => ({ text: "a tower" }),
    };
    await using house = await openTestHouse({ disk: { ...disk, store }, script: play(open) });
    await addBot(house, "Scout");
    const den = (await house.ask("POST", "/api/rooms", { content: { name: "Den" } })).json;
    await house.post("ask");
    await gate.reached;
    expect(await inboxOf(house, "main")).toMatchObject([{ type: "answer", status: "pending" }]);
    await house.ask("POST", `/api/rooms/${den.id}/messages`, { text: "@main elsewhere" });
    const all = await untilOver(house, "main", 1);
    expect(all.filter(({ state }) => state === "replied")).toMatchObject([{ room: den.id }]);
    gate.open();
    expect((await house.until(2)).at(-1)?.body.text).toBe("got: a tower");
    const elsewhere = house.model.requests.find((request) => lastIn(request) === "@main elsewhere");
    expect(elsewhere === undefined ? [] : readIn(elsewhere).map(({ text }) => text)).toEqual(["@main elsewhere"]);
  });

  test("to one that fails, says nothing or is stopped has no answer, and the asker reads why", async () => {
    using disk = createTestDisk();
    const answers = [
      { error: { code: "provider.auth", message: "The key is wrong." } },
      { text: " " },
      { hang: true },
    ] as const;
    let turn = 0;
    await using house = await openTestHouse({
      disk,
      script: play({ ...cast, Scout: () => answers[turn++] ?? { text: "" } }),
    });
    await addBot(house, "Scout");
    await house.post("one");
    expect((await house.until(2)).at(-1)?.body.text).toBe("failed: Scout (@scout) gave no answer: The key is wrong.");
    await house.post("two");
    expect((await house.until(4)).at(-1)?.body.text).toBe(
      "failed: Scout (@scout) gave no answer: The agent had nothing to say.",
    );
    await house.post("three");
    while ((await activationsOf(house, "scout")).at(-1)?.state !== "running" || turn < 3) await Bun.sleep(2);
    await house.ask("POST", "/api/agents/scout/stop", {});
    expect((await house.until(6)).at(-1)?.body.text).toBe("failed: Scout (@scout) gave no answer: It was stopped.");
    expect((await inboxOf(house, "scout")).map(({ status }) => status)).toEqual(["archived", "archived", "archived"]);
    expect(await inboxOf(house, "main")).toEqual([]);
  });

  test("that goes round ends: each asks the next one, until as many have been woken in a row as may", async () => {
    using disk = createTestDisk();
    const on = (agent: string): Cast[string] => calls("ask_agent", { agent, question: "and you?" });
    await using house = await openTestHouse({ disk, script: play({ Main: on("scout"), Scout: on("main") }) });
    await addBot(house, "Scout");
    await house.post("go");
    const said = (await house.until(2)).at(-1)?.body.text ?? "";
    expect(said).toBe(
      `${"got: ".repeat(4)}failed: 5 agents would have woken each other in a row: answer with what you have.`,
    );
    const rows = await disk.store.select({ table: "activations", order: [{ column: "depth" }] });
    expect(rows.map(({ depth, state }) => [depth, state])).toEqual([0, 1, 2, 3, 4].map((depth) => [depth, "replied"]));
    expect(new Set(rows.map(({ root }) => root)).size).toBe(1);
  });

  test("is asked a bounded number of times on behalf of one message, however many ask", async () => {
    using disk = createTestDisk();
    /** Asks as often as it may. */
    const eager =
      (agent: string): Cast[string] =>
      (request) => {
        const results = resultsIn(request);
        if (results.length >= 9) return { text: "enough" };
        return call("ask_agent", { agent, question: `number ${results.length}` }, `c${results.length}`);
      };
    await using house = await openTestHouse({
      disk,
      script: play({ Main: eager("scout"), Scout: eager("elf"), Elf: eager("main") }),
    });
    await addBot(house, "Scout");
    await addBot(house, "Elf");
    await house.post("go");
    await house.until(2);
    const children = await disk.store.select({ table: "activations", where: { trigger: "inbox" } });
    expect(children).toHaveLength(24);
    expect(JSON.stringify(house.model.requests.at(-1)?.messages)).toContain("often enough about this");
  });

  test("ends with the turn that asked: whoever stops that stops both", async () => {
    using disk = createTestDisk();
    const { hanging, asked } = createHanging(cast);
    await using house = await openTestHouse({ disk, script: play(hanging) });
    await addBot(house, "Scout");
    await house.post("ask");
    await asked;
    const [parent] = await activationsOf(house, "main");
    expect((await house.ask("POST", `/api/activations/${parent.id}/stop`, {})).json.state).toBe("stopped");
    expect(await activationsOf(house, "scout")).toMatchObject([
      { state: "stopped", reason: "Whoever asked for it was stopped." },
    ]);
    expect((await house.ask("GET", "/api/status")).json.activations).toEqual({ queued: 0, running: 0 });
  });

  test("goes on over a restart: the other one's turn from its journal, and the call waits for it again", async () => {
    using disk = createTestDisk();
    const { hanging, asked } = createHanging(cast);
    const first = await openTestHouse({ disk, script: play(hanging) });
    await addBot(first, "Scout");
    await first.post("ask");
    await asked;
    await first[Symbol.asyncDispose]();
    await using second = await openTestHouse({ disk, script: play(cast) });
    expect((await second.until(2)).at(-1)?.body.text).toBe("got: a tower (what is on the hill?)");
    expect(await disk.store.select({ table: "activations" })).toHaveLength(2);
    expect(
      (await disk.store.select({ table: "inbox", order: [{ column: "at" }] })).map(({ type, status }) => [
        type,
        status,
      ]),
    ).toEqual([
      ["question", "read"],
      ["answer", "read"],
    ]);
  });

  test("of a turn that was stopped while nobody was there to stop the other one is not worked on", async () => {
    using disk = createTestDisk();
    const { hanging, asked } = createHanging(cast);
    const first = await openTestHouse({ disk, script: play(hanging) });
    await addBot(first, "Scout");
    await first.post("ask");
    await asked;
    await first[Symbol.asyncDispose]();
    const [parent] = await disk.store.select({ table: "activations", where: { parent: null } });
    const set = { state: "stopped", ended_at: 1 };
    await disk.store.commit({
      writes: [{ kind: "update", table: "activations", where: { id: parent?.id ?? "" }, set }],
    });
    await using second = await openTestHouse({ disk, script: play(cast) });
    expect(await untilOver(second, "scout", 1)).toMatchObject([
      { state: "stopped", reason: "Whoever asked for it was stopped." },
    ]);
    expect(second.model.requests).toEqual([]);
  });
});
