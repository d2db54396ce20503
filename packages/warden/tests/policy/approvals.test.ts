/**
 * Approvals in a whole house: stored durably, decided by authorized people, used once for exactly
 * the approved call, never granted automatically.
 */
import { describe, expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { found, until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, call, lastIn, play, resultsIn } from "../../src/fixtures/talk.ts";
import type { Script, ScriptedReply } from "../../src/models/scripted/scripted.ts";

const HOUR_MS = 60 * 60_000;
type Json = ReturnType<typeof JSON.parse>;

const TOOLS = 'tools = ["read", "write", "time", "send_message", "ask_agent"]\nmode = "ask"\n';
const written = (disk: TestDisk, path = "a.txt"): Promise<string | undefined> =>
  Bun.file(`${disk.workspace}/${path}`)
    .text()
    .catch(() => undefined);

const pending = async (house: TestHouse): Promise<Json[]> =>
  (await house.ask("GET", "/api/approvals?state=pending")).json;

const noTurn = (): Promise<void> => Promise.resolve();

/** Resolves when an approval is pending. */
const untilAsked = (house: TestHouse, turn = noTurn): Promise<Json[]> =>
  found(async () => {
    const all = await pending(house);
    if (all.length > 0) return all;
    await turn();
    return undefined;
  });

const stateOf = async (house: TestHouse, activation: string): Promise<string> =>
  (await house.ask("GET", `/api/activations/${activation}`)).json.state;

/** Writes the file that the message names, and replies with the result. */
const writes =
  (content: string, path = "a.txt") =>
  (request: ModelRequest): ScriptedReply => {
    const [result] = resultsIn(request).toReversed();
    if (lastIn(request) === "hello") return { text: "meanwhile" };
    return result === undefined ? call("write", { path, content }) : { text: result.text };
  };

const decide = (house: TestHouse, id: string, body: object, key?: string) =>
  house.ask("POST", `/api/approvals/${id}`, body, key);

const talk = async (house: TestHouse): Promise<readonly string[]> =>
  (await house.messages()).flatMap((event) => (event.type === "message" ? [event.body.text] : []));

const untilSaid = async (house: TestHouse, text: string | RegExp, turn = noTurn): Promise<void> => {
  const isIt = (said: string): boolean => (typeof text === "string" ? said === text : text.test(said));
  await until(async () => {
    if ((await talk(house)).some(isIt)) return true;
    await turn();
    return false;
  });
};

/** Adds a person with this level in the house, and returns their key. */
const person = async (
  house: TestHouse,
  name: string,
  level: string,
): Promise<{ readonly id: string; readonly key: string }> => {
  const { json } = await house.ask("POST", "/api/agents", { content: { name, kind: "human" }, level });
  const { json: key } = await house.ask("POST", "/api/keys", { name, agent: json.id });
  return { id: json.id, key: key.key };
};

describe("a call that needs approval", () => {
  test("waits across a restart while other messages are answered, and runs once, after the approval", async () => {
    using disk = createTestDisk();
    {
      await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
      await house.post("write it");
      const [asked] = await untilAsked(house);
      expect(asked).toMatchObject({
        ...{
          state: "pending",
          step: 1,
          what: { kind: "tool", name: "write", input: '{"content":"x","path":"a.txt"}' },
        },
        ...{ asks: [{ stage: "approval", fields: [] }], display: 'write\n  content: "x"\n  path: "a.txt"' },
      });
      expect(asked.expiresAt - asked.createdAt).toBe(24 * 60 * 60_000);
      expect(asked.person).toBe((await house.ask("GET", "/api/me")).json.agent.id);
      expect(await stateOf(house, asked.activation)).toBe("waiting");
      await house.post("hello");
      await untilSaid(house, "meanwhile");
      expect(await written(disk)).toBeUndefined();
    }
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    const [{ id }] = await pending(house);
    expect(await decide(house, id, { decision: "allow" })).toMatchObject({
      status: 200,
      json: { state: "allowed", scope: "once" },
    });
    await untilSaid(house, /Created|wrote|a\.txt/i);
    expect(await written(disk)).toBe("x");
    expect((await house.ask("GET", `/api/approvals/${id}`)).json.state).toBe("used");
    for (const decision of ["allow", "deny"])
      expect(await decide(house, id, { decision })).toMatchObject({
        status: 409,
        json: { error: { code: "approval.over" } },
      });
    expect(await disk.store.select({ table: "steps", where: { kind: "tool", name: "write" } })).toHaveLength(1);
  });

  test("is shown in its room as requested and decided, without its content", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("the plans"), config: TOOLS });
    await house.post("write it");
    const [{ id, agent, person: bound, activation }] = await untilAsked(house);
    await decide(house, id, { decision: "deny", reason: "Not those." });
    await untilSaid(house, /denied this call/);
    const events = (await house.messages()) as readonly Json[];
    const about = { approval: id, agent, activation };
    expect(events.filter(({ type }) => type.startsWith("approval"))).toMatchObject([
      { type: "approval-asked", tool: "write", person: bound, ...about },
      { type: "approval-decided", decision: "denied", by: bound, ...about },
    ]);
    expect(JSON.stringify(events.filter(({ type }) => type !== "message"))).not.toMatch(/plans|a\.txt|Not those/);
  });

  test("that is denied does not run, and the model reads the reason", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    await house.post("write it");
    const [{ id }] = await untilAsked(house);
    expect(await decide(house, id, { decision: "deny", reason: "Use b.txt." })).toMatchObject({ status: 200 });
    await untilSaid(house, /denied this call.*Use b\.txt\./);
    expect(await written(disk)).toBeUndefined();
    expect((await disk.store.select({ table: "steps", where: { kind: "tool" } }))[0]).toMatchObject({
      refused_by: "approval",
    });
  });

  test("that is not decided in time does not run, also when a decision comes later", async () => {
    using disk = createTestDisk();
    const world = createFakeWorld({ hash: createBunWorld().hash });
    const sections = "[approvals]\nexpire_hours = 2\n";
    await using house = await openTestHouse({ disk, script: writes("x"), world, config: TOOLS, sections });
    const turn = () => world.advance(0);
    await house.post("write it");
    const [{ id, activation }] = await untilAsked(house, turn);
    await world.advance(2 * HOUR_MS - 1);
    expect(await stateOf(house, activation)).toBe("waiting");
    await world.advance(HOUR_MS);
    await untilSaid(house, /did not answer in time/, turn);
    expect(await decide(house, id, { decision: "allow" })).toMatchObject({ status: 409 });
    expect(await written(disk)).toBeUndefined();
  });

  test("expires by the clock, also when a decision comes before the daemon has noticed", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    await house.post("write it");
    const [{ id }] = await untilAsked(house);
    await disk.store.commit({
      writes: [{ kind: "update", table: "approvals", where: { id }, set: { expires_at: 1 } }],
    });
    expect(await decide(house, id, { decision: "allow" })).toMatchObject({
      status: 409,
      json: { error: { code: "approval.over" } },
    });
    await untilSaid(house, /did not answer in time/);
    expect(await written(disk)).toBeUndefined();
  });

  test("is no longer pending when its message is deleted or it is stopped", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    const message = await house.post("write it");
    const [one] = await untilAsked(house);
    await house.ask("DELETE", `/api/rooms/main/messages/${message.id}`);
    expect(await stateOf(house, one.activation)).toBe("stopped");
    await house.post("write it again");
    const [other] = await untilAsked(house);
    await house.ask("POST", `/api/activations/${other.activation}/stop`);
    for (const { id } of [one, other])
      expect(await decide(house, id, { decision: "allow" })).toMatchObject({ status: 409 });
    expect(await pending(house)).toEqual([]);
    expect(await written(disk)).toBeUndefined();
  });

  test("is no longer pending when a newer message interrupts its turn before it waits: one commit ends both", async () => {
    using disk = createTestDisk();
    const asks = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const commits: Parameters<TestDisk["store"]["commit"]>[0][] = [];
    const store: TestDisk["store"] = {
      ...disk.store,
      async commit(change) {
        commits.push(change);
        const result = await disk.store.commit(change);
        if (!change.writes.some((write) => write.kind === "insert" && write.table === "approvals")) return result;
        // The approval exists, and the turn does not know yet that it waits.
        asks.resolve();
        await go.promise;
        return result;
      },
    };
    const config = `queue = "interrupt"\n${TOOLS}`;
    await using house = await openTestHouse({ disk: { ...disk, store }, script: writes("x"), config });
    const older = await house.post("write it");
    await asks.promise;
    const [{ id, activation }] = await pending(house);
    const { head } = (await house.ask("GET", "/api/rooms/main/live")).json;
    const newer = await house.post("hello");
    await house.ask("GET", `/api/rooms/main/live?after=${head}&wait=60000`);
    go.resolve();
    await untilSaid(house, "meanwhile");
    expect(await stateOf(house, activation)).toBe("skipped");
    expect((await house.messages()).at(-1)).toMatchObject({ causes: [older.id, newer.id] });
    expect((await house.ask("GET", `/api/approvals/${id}`)).json.state).toBe("expired");
    expect(await decide(house, id, { decision: "allow" })).toMatchObject({ status: 409 });
    const merging = commits.filter(({ writes }) =>
      writes.some(
        (write) =>
          write.kind === "update" && write.table === "activations" && typeof write.set.merged_into === "string",
      ),
    );
    expect(merging).toHaveLength(1);
    expect(merging[0]?.writes).toContainEqual(
      expect.objectContaining({ table: "approvals", set: expect.objectContaining({ state: "expired" }) }),
    );
    expect(await written(disk)).toBeUndefined();
  });

  test("is denied by STOP, and the model reads that when the agent is resumed", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    await house.post("write it");
    const [{ id }] = await untilAsked(house);
    await house.ask("POST", "/api/agents/main/stop");
    expect(await pending(house)).toEqual([]);
    expect(await decide(house, id, { decision: "allow" })).toMatchObject({ status: 409 });
    await house.ask("POST", "/api/agents/main/resume");
    await untilSaid(house, /denied this call.*The agent was stopped\./);
    expect(await written(disk)).toBeUndefined();
  });

  test("is denied by STOP also when it was approved and waits for its turn", async () => {
    using disk = createTestDisk();
    const busy = Promise.withResolvers<void>();
    const script: Script = async (request) => {
      if (lastIn(request) !== "be busy" || resultsIn(request).length > 0) return writes("x")(request);
      await busy.promise;
      return { text: "no longer busy" };
    };
    await using house = await openTestHouse({ disk, script, config: TOOLS });
    await house.post("write it");
    const [{ id, activation }] = await untilAsked(house);
    await house.post("be busy");
    await until(() => house.model.requests.length >= 2);
    expect((await decide(house, id, { decision: "allow" })).status).toBe(200);
    expect(await stateOf(house, activation)).toBe("queued");
    const stopped = house.ask("POST", "/api/agents/main/stop");
    busy.resolve();
    await stopped;
    expect((await house.ask("GET", `/api/approvals/${id}`)).json).toMatchObject({ state: "denied" });
    await house.ask("POST", "/api/agents/main/resume");
    await untilSaid(house, /denied this call.*The agent was stopped\./);
    expect(await written(disk)).toBeUndefined();
  });

  test("runs in its own turn, which no other turn includes, when it is approved while another turn runs", async () => {
    using disk = createTestDisk();
    const busy = Promise.withResolvers<void>();
    const script: Script = async (request) => {
      if (lastIn(request) !== "be busy" || resultsIn(request).length > 0) return writes("x")(request);
      await busy.promise;
      return call("time", {});
    };
    await using house = await openTestHouse({ disk, script, config: `queue = "steer"\n${TOOLS}` });
    await house.post("write it");
    const [{ id, activation }] = await untilAsked(house);
    await house.post("be busy");
    await until(() => house.model.requests.length >= 2);
    await decide(house, id, { decision: "allow" });
    busy.resolve();
    await untilSaid(house, /a\.txt/);
    expect(await stateOf(house, activation)).toBe("replied");
    expect((await house.ask("GET", `/api/approvals/${id}`)).json.state).toBe("used");
    expect(await written(disk)).toBe("x");
  });

  test("is requested once, also when its activation wakes without a reason", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    await house.post("write it");
    const [{ id, activation }] = await untilAsked(house);
    expect(await house.resume(activation)).toBe(true);
    await until(async () => (await stateOf(house, activation)) === "waiting");
    expect((await pending(house)).map((approval) => approval.id)).toEqual([id]);
    await decide(house, id, { decision: "allow" });
    await untilSaid(house, /a\.txt/);
    expect(await disk.store.select({ table: "approvals" })).toMatchObject([{ id, state: "used" }]);
  });

  test("does not wait when the approval came before the activation was parked", async () => {
    using disk = createTestDisk();
    const store: TestDisk["store"] = {
      ...disk.store,
      // The approval is stored a moment before the activation is parked for the second time.
      async commit(change) {
        const parks = change.writes.some(
          (write) => write.kind === "update" && write.table === "activations" && write.set.state === "waiting",
        );
        const [asked] = await disk.store.select({ table: "approvals", where: { state: "pending" } });
        if (parks && asked !== undefined)
          await disk.store.commit({
            writes: [{ kind: "update", table: "approvals", where: { id: asked.id }, set: { state: "allowed" } }],
          });
        return disk.store.commit(change);
      },
    };
    await using house = await openTestHouse({ disk: { ...disk, store }, script: writes("x"), config: TOOLS });
    await house.post("write it");
    const [{ activation }] = await untilAsked(house);
    expect(await house.resume(activation)).toBe(true);
    await untilSaid(house, /a\.txt/);
    expect(await written(disk)).toBe("x");
  });

  test("is a new one if the model, asked again, wants a different call at that step", async () => {
    using disk = createTestDisk();
    let content = "agreed";
    const script: Script = (request) => writes(content)(request);
    {
      await using house = await openTestHouse({ disk, script, config: TOOLS });
      await house.post("write it");
      await untilAsked(house);
    }
    // Simulates a crash that lost the model's answer.
    const [step] = await disk.store.select({ table: "steps", where: { kind: "model" } });
    await disk.store.commit({
      writes: [
        { kind: "delete", table: "steps", where: { activation: step?.activation ?? "", step: step?.step ?? 0 } },
      ],
    });
    content = "other";
    await using house = await openTestHouse({ disk, script, config: TOOLS });
    const [{ id }] = await pending(house);
    await decide(house, id, { decision: "allow" });
    const [next] = await untilAsked(house);
    expect(next.id).not.toBe(id);
    expect(next.what.input).toContain("other");
    expect(await written(disk)).toBeUndefined();
    expect((await house.ask("GET", `/api/approvals/${id}`)).json.state).toBe("expired");
    await decide(house, next.id, { decision: "allow" });
    await untilSaid(house, /a\.txt/);
    expect(await written(disk)).toBe("other");
  });

  test("by an agent that another agent asked needs approval too, once, and offers no approval for the session", async () => {
    using disk = createTestDisk();
    const script = play({
      Main: (request) =>
        resultsIn(request).length === 0 ? call("ask_agent", { agent: "@scout", question: "?" }) : { text: "asked" },
      Scout: (request) =>
        resultsIn(request).length === 0 ? call("write", { path: "s.txt", content: "s" }) : { text: "done" },
    });
    await using house = await openTestHouse({ disk, script, config: 'tools = ["ask_agent"]\n' });
    await addBot(house, "Scout", { mode: "ask", tools: ["write"] });
    await house.post("go");
    const [{ id, offers, agent }] = await untilAsked(house);
    expect(agent).toBe((await house.ask("GET", "/api/agents/scout")).json.id);
    expect(offers.map(({ scope }: Json) => scope)).toEqual(["once", "rule"]);
    await decide(house, id, { decision: "allow" });
    await untilSaid(house, "asked");
    expect(await written(disk, "s.txt")).toBe("s");
  });
});

describe("the approver", () => {
  test("B6: is a person with `x` on the house at that moment; no bot, and no person with a lower level", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    await house.ask("POST", "/api/rooms", { content: { name: "Elsewhere" } });
    const [writer, head] = [await person(house, "Wri", "w"), await person(house, "Hed", "x")];
    const bot = await addBot(house, "Boss");
    await house.ask("PUT", `/api/houses/${bot.house}/grants/${bot.id}`, { level: "x" });
    const { json: botKey } = await house.ask("POST", "/api/keys", { name: "bot", agent: bot.id });
    const { json: own } = await house.ask("POST", "/api/keys", {
      name: "main",
      agent: (await house.ask("GET", "/api/agents/main")).json.id,
    });
    const stranger = await house.ask("POST", "/api/houses", { content: { name: "Annex" } });
    const { json: bea } = await house.ask("POST", "/api/agents", {
      house: stranger.json.id,
      content: { name: "Bea", kind: "human" },
      level: "x",
    });
    const { json: beaKey } = await house.ask("POST", "/api/keys", { name: "bea", agent: bea.id });
    await house.post("write it");
    const [{ id }] = await untilAsked(house);
    const tries = [
      [writer.key, 403],
      [botKey.key, 403],
      [own.key, 403],
      [beaKey.key, 404],
    ] as const;
    for (const [key, status] of tries) {
      expect([(await decide(house, id, { decision: "allow" }, key)).status, key]).toEqual([status, key]);
      expect((await house.ask("GET", `/api/approvals/${id}`, undefined, key)).status).toBe(status);
      expect((await house.ask("GET", "/api/approvals", undefined, key)).json).toEqual([]);
    }
    expect((await decide(house, `apr_${"0".repeat(26)}`, { decision: "allow" })).status).toBe(404);
    expect((await house.ask("GET", `/api/approvals/${id}`)).json.state).toBe("pending");
    // A person who had the right a moment ago and has lost it.
    expect((await house.ask("GET", `/api/approvals/${id}`, undefined, head.key)).status).toBe(200);
    await house.ask("PUT", `/api/houses/${bot.house}/grants/${head.id}`, { level: "r" });
    expect((await decide(house, id, { decision: "allow" }, head.key)).status).toBe(403);
    await house.ask("PUT", `/api/houses/${bot.house}/grants/${head.id}`, { level: "x" });
    expect((await decide(house, id, { decision: "allow" }, head.key)).status).toBe(200);
  });

  test("is any administrator of the house if the person who woke the agent is not one", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: writes("x"), config: TOOLS });
    const writer = await person(house, "Wri", "w");
    const room = (await house.ask("POST", "/api/agents/main/room", {}, writer.key)).json;
    await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "write it" }, writer.key);
    const [asked] = await untilAsked(house);
    expect(asked.person).toBeUndefined();
    expect((await decide(house, asked.id, { decision: "allow" }, writer.key)).status).toBe(403);
    expect((await decide(house, asked.id, { decision: "allow" })).status).toBe(200);
  });
});

describe("a standing approval", () => {
  /** Posts its last message in the room Family. */
  const says: Script = (request) => {
    const [result] = resultsIn(request);
    return result === undefined
      ? call("send_message", { room: lastIn(request).startsWith("work") ? "work" : "family", text: lastIn(request) })
      : { text: `done: ${result.failed ? result.text : lastIn(request)}` };
  };
  const open = async (disk: TestDisk) => {
    const house = await openTestHouse({ disk, script: says, config: TOOLS });
    for (const name of ["Family", "Work"]) await house.ask("POST", "/api/rooms", { content: { name } });
    return house;
  };

  test("is shown with everything that it allows, is limited to its target, and can be revoked", async () => {
    using disk = createTestDisk();
    await using house = await open(disk);
    await house.post("one");
    const [{ id, offers }] = await untilAsked(house);
    expect(offers).toEqual([
      { scope: "once", text: "This call, once." },
      {
        scope: "session",
        text: '@main may call send_message with room: "family" and any text, without approval in this room, until a new session begins there.',
      },
      {
        scope: "rule",
        text: '@main may call send_message with room: "family" and any text, without approval in any room, until this rule is removed.',
      },
    ]);
    await decide(house, id, { decision: "allow", scope: "rule" });
    await untilSaid(house, "done: one");
    await house.post("two");
    await untilSaid(house, "done: two");
    await house.post("work three");
    const [other] = await untilAsked(house);
    expect(other.display).toContain('room: "work"');
    await decide(house, other.id, { decision: "deny" });
    const { json: rules } = await house.ask("GET", "/api/approval-rules");
    expect(rules).toMatchObject([{ tool: "send_message", text: offers[2].text, bound: '{"room":"family"}' }]);
    expect((await house.ask("DELETE", `/api/approval-rules/${rules[0].id}`)).status).toBe(204);
    expect((await house.ask("DELETE", `/api/approval-rules/${rules[0].id}`)).status).toBe(404);
    await house.post("four");
    await untilAsked(house);
  });

  test("for the session ends with the session", async () => {
    using disk = createTestDisk();
    await using house = await open(disk);
    await house.post("one");
    const [{ id }] = await untilAsked(house);
    await decide(house, id, { decision: "allow", scope: "session" });
    await untilSaid(house, "done: one");
    await house.post("two");
    await untilSaid(house, "done: two");
    await house.post("/new");
    await house.post("three");
    expect((await untilAsked(house))[0].display).toContain('"three"');
  });

  test("that was not offered is refused, and the call is still pending", async () => {
    using disk = createTestDisk();
    const script: Script = (request) =>
      resultsIn(request).length === 0 ? call("shell", { command: "echo ok" }) : { text: "ran" };
    await using house = await openTestHouse({ disk, script, config: 'tools = ["shell"]\nmode = "ask"\n' });
    await house.post("go");
    const [{ id, offers }] = await untilAsked(house);
    // The cell of this test has no isolation, so programs are only approved once.
    expect(offers).toEqual([{ scope: "once", text: "This call, once." }]);
    for (const scope of ["rule", "session"])
      expect(await decide(house, id, { decision: "allow", scope })).toMatchObject({
        status: 400,
        json: { error: { code: "request.invalid" } },
      });
    expect(await pending(house)).toHaveLength(1);
    expect((await house.ask("GET", "/api/approval-rules")).json).toEqual([]);
  });
});

describe("an agent that runs unattended", () => {
  test("is refused what would need approval, with an explanation", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      ...{ disk, script: writes("x"), config: 'mode = "unattended"\n' },
      stages: {
        labels: ({ kind }) =>
          kind === "tool" ? { verdict: "ask", text: "A stranger named it.", fields: [] } : { verdict: "allowed" },
      },
    });
    await house.post("write it");
    await untilSaid(house, /runs unattended.*A stranger named it\./);
    expect(await house.ask("GET", "/api/approvals")).toMatchObject({ json: [] });
    expect(await written(disk)).toBeUndefined();
  });
});
