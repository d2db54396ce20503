/** Agents that ask each other. */
import { describe, expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
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
  play,
  readIn,
  resultsIn,
  sayTo,
  texts,
  waitForEnd,
} from "../../src/fixtures/talk.ts";
import type { Change, Store } from "../../src/kernel/store/store.ts";

type Json = ReturnType<typeof JSON.parse>;

describe("a question", () => {
  const cast: Cast = {
    Main: calls("ask_agent", { agent: "scout", question: "what is on the hill?" }),
    Scout: (request) => ({ text: `a tower (${lastIn(request)})` }),
  };

  test("is answered by a turn of the other agent that sees only the question and posts nothing in the room", async () => {
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
    expect(asked?.system[0]?.text).toContain("in no room: another agent asks you");
    expect(asked?.system[0]?.text).toContain("given only to that agent");
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

  test("that was answered does not count as the message's fate; the asking turn does", async () => {
    using disk = createTestDisk();
    const Main: Cast[string] = (request) =>
      resultsIn(request).length === 0
        ? call("ask_agent", { agent: "scout", question: "?" })
        : { error: { code: "provider.auth", message: "no key" } };
    await using house = await openTestHouse({ disk, script: play({ ...cast, Main }) });
    await addBot(house, "Scout");
    await house.post("ask");
    const [parent] = await waitForEnd(house, "main", 1);
    expect((await house.ask("GET", "/api/rooms/main/fates")).json.fates).toMatchObject([
      { fate: { kind: "failed", activation: parent.id } },
    ]);
  });

  test("may be answered at length: an answer that is too long is cut, and says so", async () => {
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

  test("keeps later room messages out of the answering turn while it waits for an approval", async () => {
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
          effect.kind === "tool" && effect.call.name === "list" && !allowed ? waiting : { verdict: "allowed" },
      },
    });
    await addBot(house, "Scout");
    await house.post("ask");
    await until(async () => (await activationsOf(house, "scout"))[0]?.state === "waiting");
    await house.post("said meanwhile");
    allowed = true;
    await house.resume((await activationsOf(house, "scout"))[0].id);
    expect(await waitForEnd(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
    expect((await inboxOf(house, "main"))[0]).toMatchObject({ type: "answer", text: "what is on the hill?" });
    const [child] = await activationsOf(house, "scout");
    const { steps } = (await house.ask("GET", `/api/activations/${child.id}`)).json;
    expect(steps.map(({ kind }: Json) => kind)).toEqual(["model", "tool", "model"]);
  });

  test("to an agent in another house is answered there, as an agent of that house", async () => {
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

  test("is answered also while the other agent works elsewhere", async () => {
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
    await waitForEnd(house, "scout", 2);
  });

  test("that is not answered in time returns that; the late answer goes to the inbox", async () => {
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
    expect(await waitForEnd(house, "scout", 1)).toMatchObject([{ state: "replied" }]);
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

  test("is shown in no other room while a call still waits for its answer", async () => {
    using disk = createTestDisk();
    const gate = createGate();
    // The commit in which the call takes its answer waits at the disk.
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
    const all = await waitForEnd(house, "main", 1);
    expect(all.filter(({ state }) => state === "replied")).toMatchObject([{ room: den.id }]);
    gate.open();
    expect((await house.until(2)).at(-1)?.body.text).toBe("got: a tower");
    const elsewhere = house.model.requests.find((request) => lastIn(request) === "@main elsewhere");
    expect(elsewhere === undefined ? [] : readIn(elsewhere).map(({ text }) => text)).toEqual(["@main elsewhere"]);
  });

  test("to an agent that fails, stays silent or is stopped has no answer, and the asker reads why", async () => {
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
    await until(async () => !((await activationsOf(house, "scout")).at(-1)?.state !== "running" || turn < 3));
    await house.ask("POST", "/api/agents/scout/stop", {});
    expect((await house.until(6)).at(-1)?.body.text).toBe("failed: Scout (@scout) gave no answer: It was stopped.");
    expect((await inboxOf(house, "scout")).map(({ status }) => status)).toEqual(["archived", "archived", "archived"]);
    expect(await inboxOf(house, "main")).toEqual([]);
  });

  test("in a circle ends: each agent asks the next one, up to the limit of the chain", async () => {
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

  test("is asked a limited number of times per message, however many agents ask", async () => {
    using disk = createTestDisk();
    /** Asks as often as allowed. */
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

  test("ends with the turn that asked: stopping that turn stops both", async () => {
    using disk = createTestDisk();
    const { hanging, asked } = createHanging(cast);
    await using house = await openTestHouse({ disk, script: play(hanging) });
    await addBot(house, "Scout");
    await house.post("ask");
    await asked;
    const [parent] = await activationsOf(house, "main");
    expect((await house.ask("POST", `/api/activations/${parent.id}/stop`, {})).json.state).toBe("stopped");
    expect(await activationsOf(house, "scout")).toMatchObject([
      { state: "stopped", reason: "The activation that requested it was stopped." },
    ]);
    expect((await house.ask("GET", "/api/status")).json.activations).toEqual({ queued: 0, running: 0 });
  });

  test("continues over a restart: the answering turn from its journal, and the call waits for it again", async () => {
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

  test("is dropped if the asking turn was stopped while no daemon was running", async () => {
    using disk = createTestDisk();
    const { hanging, asked } = createHanging(cast);
    const first = await openTestHouse({ disk, script: play(hanging) });
    await addBot(first, "Scout");
    await first.post("ask");
    await asked;
    await first[Symbol.asyncDispose]();
    const [parent] = await disk.store.select({ table: "activations", where: { parent: null } });
    const set = { state: "stopped", ended_at: 1 } as const;
    await disk.store.commit({
      writes: [{ kind: "update", table: "activations", where: { id: parent?.id ?? "" }, set }],
    });
    await using second = await openTestHouse({ disk, script: play(cast) });
    expect(await waitForEnd(second, "scout", 1)).toMatchObject([
      { state: "stopped", reason: "The activation that requested it was stopped." },
    ]);
    expect(second.model.requests).toEqual([]);
  });
});
