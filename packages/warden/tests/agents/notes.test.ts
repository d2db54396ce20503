/** Agents that leave each other notes. */
import { describe, expect, test } from "bun:test";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import {
  activationsOf,
  addBot,
  call,
  calls,
  type Cast,
  createGate,
  createHanging,
  echo,
  inboxOf,
  lastIn,
  nameIn,
  noteId,
  play,
  readIn,
  resultsIn,
  sayTo,
  waitForEnd,
} from "../../src/fixtures/talk.ts";
import type { Change, Store } from "../../src/kernel/store/store.ts";

type Json = ReturnType<typeof JSON.parse>;

describe("a note", () => {
  const cast: Cast = { Main: calls("send_to_agent", { agent: "@scout", text: "the key is blue" }), Scout: echo };

  test("wakes no agent, is shown on the receiver's next wake-up right before the message, and is read after the reply", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("inform scout");
    expect((await house.until(2)).at(-1)?.body.text).toBe("got: Left for Scout (@scout).");
    const [main] = await activationsOf(house, "main");
    expect(await activationsOf(house, "scout")).toEqual([]);
    expect(await inboxOf(house, "scout")).toMatchObject([
      { from: main.agent, to: scout.id, type: "note", status: "pending", text: "the key is blue" },
    ]);
    expect((await inboxOf(house, "scout"))[0]).toMatchObject({ room: main.room, activation: main.id });

    await sayTo(house, scout, "what is it?");
    const [woken] = await waitForEnd(house, "scout", 1);
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
    await waitForEnd(house, "scout", 2);
    expect(lastIn(house.model.requests.at(-1) as never)).toBe("and again?");
    expect(readIn(house.model.requests.at(-1) as never).map(({ text }) => text)).not.toContain("the key is blue");
  });

  test("stays unread while turns fail, and each of them shows it", async () => {
    using disk = createTestDisk();
    let broken = true;
    const error = { code: "provider.auth", message: "no key" } as const;
    const failing: Cast = { ...cast, Scout: (request) => (broken ? { error } : echo(request)) };
    await using house = await openTestHouse({ disk, script: play(failing) });
    const scout = await addBot(house, "Scout");
    await house.post("inform scout");
    await house.until(2);
    await sayTo(house, scout, "one");
    await waitForEnd(house, "scout", 1);
    expect(await inboxOf(house, "scout")).toMatchObject([{ status: "pending" }]);
    broken = false;
    await sayTo(house, scout, "two");
    const [failed, replied] = await waitForEnd(house, "scout", 2);
    expect([failed.state, replied.state]).toEqual(["failed", "replied"]);
    expect(await inboxOf(house, "scout")).toMatchObject([{ status: "read", readBy: replied.id }]);
    const shown = house.model.requests.filter((request) => nameIn(request) === "Scout");
    for (const request of shown) expect(readIn(request).map(({ text }) => text)).toContain("the key is blue");
  });

  test("that was shown before a restart is shown again after it and then read; one that arrived meanwhile waits", async () => {
    using disk = createTestDisk();
    const { hanging, asked } = createHanging(cast);
    const first = await openTestHouse({ disk, script: play(hanging) });
    const scout = await addBot(first, "Scout");
    await first.post("inform scout");
    await first.until(2);
    await sayTo(first, scout, "what is it?");
    await asked;
    await first.post("inform scout more");
    await first.until(4);
    await first[Symbol.asyncDispose]();
    await using second = await openTestHouse({ disk, script: play(cast) });
    await waitForEnd(second, "scout", 1);
    const [request] = second.model.requests;
    expect(request === undefined ? [] : readIn(request).map(({ text }) => text)).toEqual([
      "the key is blue",
      "what is it?",
    ]);
    expect((await inboxOf(second, "scout")).map(({ status }) => status)).toEqual(["read", "pending"]);
  });

  test("that is archived is no longer shown, and cannot be found by callers without access", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("inform scout");
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
    await waitForEnd(house, "scout", 1);
    expect(readIn(house.model.requests.at(-1) as never).map(({ text }) => text)).toEqual(["anything?"]);
    const { events } = (await house.ask("GET", `/api/agents/scout/log?limit=100`)).json;
    const told = events.filter(({ type }: Json) => type === "inbox-changed").map(({ message }: Json) => message.status);
    expect(told).toEqual(["pending", "archived"]);
  });

  test("that is archived while it is shown stays archived, and the turn still ends", async () => {
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
    await house.post("inform scout");
    await house.until(2);
    await sayTo(house, scout, "what is it?");
    await gate.reached;
    const [{ id }] = await inboxOf(house, "scout");
    await house.ask("PATCH", `/api/inbox/${id}`, { status: "archived" });
    gate.open();
    expect(await waitForEnd(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
    expect(await inboxOf(house, "scout")).toMatchObject([{ status: "archived" }]);
  });

  test("that is archived in the moment in which the turn ends stays archived, and the turn still ends", async () => {
    using disk = createTestDisk();
    let isFirst = true;
    const reads = ({ writes }: Change): boolean =>
      writes.some((write) => write.kind === "put" && write.table === "inbox" && write.row.status === "read");
    const store: Store = {
      ...disk.store,
      async commit(change) {
        if (reads(change) && isFirst) {
          isFirst = false;
          const set = { status: "archived" } as const;
          await disk.store.commit({ writes: [{ kind: "update", table: "inbox", where: { type: "note" }, set }] });
        }
        return disk.store.commit(change);
      },
    };
    await using house = await openTestHouse({ disk: { ...disk, store }, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("inform scout");
    await house.until(2);
    await sayTo(house, scout, "what is it?");
    expect(await waitForEnd(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
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

  test("a program elsewhere gets notes but no questions: this daemon cannot answer for it", async () => {
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
    expect([status, json.error.message]).toEqual([400, expect.stringContaining("runs outside this house")]);
  });

  test("reaches another house only if its author may write there, and otherwise does not reveal which agents exist", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const there = (await house.ask("POST", "/api/houses", { content: { name: "Next door" } })).json;
    const scout = await addBot(house, "Scout", {}, there.id);
    await house.post("inform scout");
    expect((await house.until(2)).at(-1)?.body.text).toContain("The tool send_to_agent is not enabled");
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

  test("is offered to an agent that is alone at home and may write in another house", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const there = (await house.ask("POST", "/api/houses", { content: { name: "Next door" } })).json;
    await addBot(house, "Scout", {}, there.id);
    await house.ask("PUT", `/api/houses/${there.id}/grants/main`, { level: "w" });
    await house.post("inform scout");
    expect((await house.until(2)).at(-1)?.body.text).toBe("got: Left for Scout (@scout).");
  });

  test("notes beyond the limit wait for later prompts, and the last one shows their number", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("inform scout");
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
    await waitForEnd(house, "scout", 1);
    const read = readIn(house.model.requests.at(-1) as never);
    expect(read).toHaveLength(21);
    expect(read[19]?.note).toEndWith(": for you to know; 10 more wait");
    await sayTo(house, scout, "two");
    await waitForEnd(house, "scout", 2);
    expect(await disk.store.select({ table: "inbox", where: { status: "pending" } })).toEqual([]);
  });

  test("that is long is the only one in a prompt; the next one waits", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout");
    await house.post("inform scout");
    await house.until(2);
    const [row] = await disk.store.select({ table: "inbox" });
    if (row === undefined) throw new Error("there is no note");
    const long = { ...row, text: "x".repeat(20_000), at: row.at - 1, id: noteId(0) };
    await disk.store.commit({ writes: [{ kind: "insert", table: "inbox", row: long }] });
    await sayTo(house, scout, "what is it?");
    await waitForEnd(house, "scout", 1);
    const [first, ...others] = readIn(house.model.requests.at(-1) as never);
    expect(first).toEqual({ text: long.text, note: expect.stringMatching(/: for you to know; 1 more wait$/) });
    expect(others.map(({ text }) => text)).toEqual(["what is it?"]);
    expect((await inboxOf(house, "scout")).map(({ status }) => status)).toEqual(["read", "pending"]);
  });

  test("is refused by a full inbox until its owner has read some", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    await addBot(house, "Scout");
    await house.post("inform scout");
    await house.until(2);
    const [row] = await disk.store.select({ table: "inbox" });
    if (row === undefined) throw new Error("there is no note");
    const copies = Array.from({ length: 99 }, (_, index) => ({ ...row, id: noteId(index) }));
    await disk.store.commit({ writes: copies.map((copy) => ({ kind: "insert", table: "inbox", row: copy }) as const) });
    await house.post("inform scout more");
    expect((await house.until(4)).at(-1)?.body.text).toBe(
      "failed: The inbox of Scout (@scout) is full: it has to read first.",
    );
    await disk.store.commit({
      writes: [{ kind: "update", table: "inbox", where: { id: row.id }, set: { status: "read" } }],
    });
    await house.post("inform scout again");
    expect((await house.until(6)).at(-1)?.body.text).toBe("got: Left for Scout (@scout).");
  });

  test("is refused by a choke point that refuses it", async () => {
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
      stages: { labels: (effect) => (effect.kind === "tool" ? refused : { verdict: "allowed" }) },
    });
    await addBot(house, "Scout");
    await house.post("go");
    expect((await house.until(2)).at(-1)?.body.text).toBe("Not today.,Not today.,Not today.");
    expect(await disk.store.select({ table: "inbox" })).toEqual([]);
    expect(await disk.store.select({ table: "activations" })).toHaveLength(1);
  });
});
