/** Approvals over a store in memory, with people and permissions that the test sets. */
import { describe, expect, test } from "bun:test";
import { type PlainColumns, plainRow } from "../../fixtures/rows.ts";
import type { ActivationId, AgentId, ApprovalId, HouseId, Level, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { Principal } from "../../people/permissions/principal.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { insertActivation } from "../../kernel/store/conformance/rows.conformance.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { hashCode, readCode } from "../../people/pairings/pairing-code.ts";
import { createApprovals } from "./approval-book.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const idOf = <Id extends string>(prefix: string, digit: string): Id => `${prefix}_${digit.repeat(26)}` as Id;
const [HOME, FAR] = [idOf<HouseId>("house", "1"), idOf<HouseId>("house", "2")];
const ROOM = idOf<RoomId>("room", "1");
const TURN = idOf<ActivationId>("act", "1");
const [ANA, BEA, BOT] = [idOf<AgentId>("agent", "1"), idOf<AgentId>("agent", "2"), idOf<AgentId>("agent", "3")];
const MINUTE = 60_000;
const what = { kind: "tool", name: "shell", input: "{}", hash: "call" } as const;
const asA = (agent: AgentId): Principal => ({ agent, via: "login" });

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const log = createFakeLog();
  const levels = new Map<string, Level>([
    [`${ANA} ${HOME}`, "x"],
    [`${BEA} ${HOME}`, "x"],
    [`${BOT} ${HOME}`, "x"],
  ]);
  const rights = new Set<string>();
  let pokes = 0;
  const find = async (_type: string, id: string) =>
    ({
      id,
      house: HOME,
      handle: "main",
      content: { name: id === ANA ? "Ana" : "Bea", kind: id === BOT ? "bot" : "human" },
    }) as never;
  const approvals = createApprovals({
    ...{
      world,
      log,
      store,
      streams,
      expireMs: () => 10 * MINUTE,
      redact: (text) => text.replaceAll("canary", "[secret]"),
    },
    records: { find, get: find },
    permissions: {
      async levelOf({ agent }, place) {
        if (typeof place !== "string") throw new TypeError("a level needs a place");
        return levels.get(`${agent} ${place}`);
      },
      hasRight: async ({ agent }, place, right) =>
        levels.get(`${agent} ${place}`) === "x" || rights.has(`${agent} ${place} ${right}`),
    },
    outbox: { planNotice: async () => [], planChoicesEnd: async () => [], poke: () => void (pokes += 1) },
  });
  const resumed: ActivationId[] = [];
  approvals.onDecided(async (activation) => void resumed.push(activation));
  const add = async (id: string, over: Partial<PlainColumns<"approvals">> = {}): Promise<ApprovalId> => {
    const row = plainRow("approvals", {
      ...{ id, house: HOME, agent: BOT, activation: TURN, step: 1, room: ROOM, person: null, ...what },
      ...{ asks: "[]", display: "a call", bound: "{}", since: 1, code_hash: null, state: "pending", scope: null },
      offers: JSON.stringify([
        { scope: "once", text: "once" },
        { scope: "session", text: "in this room" },
        { scope: "rule", text: "always" },
      ]),
      ...{ by: null, reason: null, at: world.clock.now(), decided_at: null },
      ...{ expires_at: world.clock.now() + 10 * MINUTE, ...over },
    });
    await store.commit({ writes: [{ kind: "insert", table: "approvals", row }] });
    return id as ApprovalId;
  };
  const stateOf = async (id: string) => (await store.select({ table: "approvals", where: { id } }))[0]?.state;
  const decide = (id: ApprovalId, decision: "allow" | "deny" = "allow", by = ANA) =>
    approvals.decide(asA(by), id, { decision, scope: "once" });
  const events = async () => (await streams.read(`room:${ROOM}`, 0, 100)).map(({ type }) => type);
  return {
    ...{ world, store, log, levels, rights, approvals, resumed, add, stateOf, decide, events },
    pokes: () => pokes,
  };
};

describe("the right to approve", () => {
  const openFor = async () => {
    const house = await open();
    house.levels.set(`${BEA} ${HOME}`, "w");
    house.levels.set(`${BEA} ${ROOM}`, "r");
    house.rights.add(`${BEA} ${HOME} approve`);
    return house;
  };
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => "done",
      (error: { code?: string }) => error.code,
    );

  test("decides single calls in a room that the person can read, and the commit names the right", async () => {
    const { approvals, add, decide, store } = await openFor();
    const commits: unknown[] = [];
    const { commit } = store;
    Object.assign(store, {
      commit: (change: Parameters<typeof commit>[0]) => {
        commits.push(change.right);
        return commit(change);
      },
    });
    const [one, two] = [await add("apr_1"), await add("apr_2")];
    expect((await approvals.list(asA(BEA), { limit: 10 })).map(({ id }) => String(id))).toEqual(["apr_2", "apr_1"]);
    commits.length = 0;
    expect(await decide(one, "allow", BEA)).toMatchObject({ state: "allowed", by: BEA, scope: "once" });
    expect(await decide(two, "deny", BEA)).toMatchObject({ state: "denied", by: BEA });
    expect(commits).toEqual(["approve", "approve"]);
    commits.length = 0;
    await decide(await add("apr_3"), "allow", ANA);
    expect(commits).toEqual([undefined, undefined]);
  });

  test("ends with the sight of the room, with the right, and without a person", async () => {
    const { approvals, add, decide, levels, rights } = await openFor();
    const id = await add("apr_1");
    const seen = async (who = BEA) => (await approvals.list(asA(who), { limit: 10 })).length;
    expect(await seen()).toBe(1);
    levels.delete(`${BEA} ${ROOM}`);
    expect([await seen(), await codeOf(decide(id, "allow", BEA))]).toEqual([0, "auth.denied"]);
    levels.set(`${BEA} ${ROOM}`, "w");
    rights.clear();
    expect([await seen(), await codeOf(decide(id, "allow", BEA))]).toEqual([0, "auth.denied"]);
    levels.set(`${BOT} ${HOME}`, "w");
    levels.set(`${BOT} ${ROOM}`, "w");
    rights.add(`${BOT} ${HOME} approve`);
    expect([await seen(BOT), await codeOf(decide(id, "allow", BOT))]).toEqual([0, "auth.denied"]);
  });

  test("makes no standing approval, sees none and removes none", async () => {
    const { approvals, add, stateOf } = await openFor();
    const id = await add("apr_1");
    for (const scope of ["session", "rule"] as const)
      expect(await codeOf(approvals.decide(asA(BEA), id, { decision: "allow", scope }))).toBe("auth.denied");
    expect(await stateOf(id)).toBe("pending");
    await approvals.decide(asA(ANA), id, { decision: "allow", scope: "session" });
    const [rule] = await approvals.rules(asA(ANA));
    if (rule === undefined) throw new Error("There is no rule.");
    expect(await approvals.rules(asA(BEA))).toEqual([]);
    expect(await codeOf(approvals.removeRule(asA(BEA), rule.id))).toBe("auth.denied");
    expect(await approvals.rules(asA(ANA))).toHaveLength(1);
  });
});

describe("a decision", () => {
  test("is stored with its person and time, appears in the room, and resumes the activation", async () => {
    const house = await open();
    const id = await house.add("apr_1");
    const decided = await house.decide(id);
    expect(decided).toMatchObject({ state: "allowed", scope: "once", by: ANA, decidedAt: house.world.clock.now() });
    expect("reason" in decided || "person" in decided).toBe(false);
    expect([await house.events(), house.resumed, house.pokes()]).toEqual([["approval-decided"], [TURN], 1]);
    const denied = await house.approvals.decide(asA(BEA), await house.add("apr_2"), {
      ...{ decision: "deny", scope: "once", reason: "no canary" },
    });
    expect(denied).toMatchObject({ state: "denied", by: BEA, reason: "no [secret]" });
  });

  test("is final, and names the person who decided", async () => {
    const house = await open();
    const id = await house.add("apr_1");
    const both = await Promise.allSettled([house.decide(id, "deny"), house.decide(id, "allow", BEA)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const name = both[0]?.status === "fulfilled" ? "Ana" : "Bea";
    await expect(house.decide(id)).rejects.toMatchObject({
      ...{ code: "approval.over", message: expect.stringContaining(`by ${name}.`) },
    });
    expect([await house.events(), house.resumed.length, house.pokes()]).toEqual([["approval-decided"], 1, 1]);
  });

  test("comes too late from the moment of the expiry on, and the approval ends", async () => {
    const house = await open();
    const [early, late] = [await house.add("apr_1"), await house.add("apr_2")];
    await house.world.advance(10 * MINUTE - 1);
    expect((await house.decide(early)).state).toBe("allowed");
    await house.world.advance(1);
    await expect(house.decide(late)).rejects.toMatchObject({
      ...{ code: "approval.over", message: "The approval is already expired. Nothing has changed." },
    });
    expect(await house.stateOf(late)).toBe("expired");
    // One that was decided in time stays decided.
    await expect(house.decide(early)).rejects.toMatchObject({ message: expect.stringContaining("allowed by Ana") });
    expect(await house.stateOf(early)).toBe("allowed");
  });

  test("by a typed code is only for the asked person, in their room, while they decide in the house", async () => {
    const house = await open();
    const code = "ABCD-2345";
    const id = await house.add("apr_1", {
      ...{ person: ANA, code_hash: hash(`approval ${hashCode(hash, readCode(code))}`) },
    });
    const spoken = { code, room: ROOM, person: ANA, decision: "allow" } as const;
    const say = (over: Partial<Parameters<typeof house.approvals.decideByCode>[0]>) =>
      house.approvals.decideByCode({ ...spoken, ...over });
    for (const over of [{ code: "ABCD-2346" }, { person: BEA }, { room: idOf<RoomId>("room", "2") }])
      expect(await say(over)).toBeUndefined();
    house.levels.set(`${ANA} ${HOME}`, "w");
    expect([await say({}), await house.stateOf(id)]).toEqual([undefined, "pending"]);
    house.levels.set(`${ANA} ${HOME}`, "x");
    expect(await say({ code: "abcd 2345" })).toMatchObject({ state: "allowed", scope: "once", by: ANA });
    // The code is spent.
    expect([await say({ decision: "deny" }), await house.stateOf(id)]).toEqual([undefined, "allowed"]);
  });

  test("is only for a person who decides in the agent's house", async () => {
    const house = await open();
    const id = await house.add("apr_1", { house: FAR });
    const rule = {
      id: "rule_1",
      house: FAR,
      agent: BOT,
      tool: "shell",
      bound: "{}",
      text: "",
      room: null,
      since: null,
    };
    const row = plainRow("approval_rules", { ...rule, approval: id, by: ANA, at: 0 });
    await house.store.commit({ writes: [{ kind: "insert", table: "approval_rules", row }] });
    for (const [level, code] of [
      [undefined, "approval.not-found"],
      ["w", "auth.denied"],
    ] as const) {
      if (level !== undefined) house.levels.set(`${ANA} ${FAR}`, level);
      await expect(house.decide(id)).rejects.toMatchObject({ code });
      await expect(house.approvals.get(asA(ANA), id)).rejects.toMatchObject({ code });
      await expect(house.approvals.removeRule(asA(ANA), "rule_1" as never)).rejects.toMatchObject({ code });
    }
    house.levels.set(`${BOT} ${FAR}`, "x");
    await expect(house.decide(id, "allow", BOT)).rejects.toMatchObject({ code: "auth.denied" });
    expect([await house.approvals.rules(asA(ANA)), await house.stateOf(id)]).toEqual([[], "pending"]);
    house.levels.set(`${ANA} ${FAR}`, "x");
    expect((await house.approvals.rules(asA(ANA))).map(({ id: rule }) => `${rule}`)).toEqual(["rule_1"]);
    await house.approvals.removeRule(asA(ANA), "rule_1" as never);
    expect(await house.approvals.rules(asA(ANA))).toEqual([]);
    await expect(house.approvals.removeRule(asA(ANA), "rule_1" as never)).rejects.toMatchObject({
      ...{ code: "approval.not-found" },
    });
  });

  test.each([
    ["once", []],
    ["session", [{ tool: "shell", room: ROOM, text: "in this room" }]],
    ["rule", [{ tool: "shell", text: "always" }]],
  ] as const)("with the scope %p makes the rules %j", async (scope, rules) => {
    const house = await open();
    await house.approvals.decide(asA(ANA), await house.add("apr_1"), { decision: "allow", scope });
    const made = await house.approvals.rules(asA(ANA));
    expect(made).toMatchObject([...rules]);
    expect(made.map((rule) => "room" in rule)).toEqual(rules.map((rule) => "room" in rule));
  });

  test("about a model makes a rule for that model, and only of an offered scope", async () => {
    const house = await open();
    await house.approvals.decide(asA(ANA), await house.add("apr_1", { kind: "model", name: "big" }), {
      ...{ decision: "allow", scope: "rule" },
    });
    expect((await house.approvals.rulesFor(BOT, "model big")).length).toBe(1);
    const other = await house.add("apr_2", { offers: JSON.stringify([{ scope: "once", text: "once" }]) });
    await expect(house.approvals.decide(asA(ANA), other, { decision: "allow", scope: "rule" })).rejects.toMatchObject({
      code: "request.invalid",
    });
    expect(await house.stateOf(other)).toBe("pending");
  });

  test("resumes only an activation that waits", async () => {
    const house = await open();
    const insert = insertActivation(TURN);
    if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
    const stateAfter = async (id: string, state: string) => {
      const row = plainRow("activations", { ...insert.row, state, crashes: 2 });
      await house.store.commit({ writes: [{ kind: "put", table: "activations", row }] });
      await house.decide(await house.add(id));
      const [after] = await house.store.select({ table: "activations", where: { id: TURN } });
      return [after?.state, after?.crashes];
    };
    expect(await stateAfter("apr_1", "waiting")).toEqual(["queued", 0]);
    expect(await stateAfter("apr_2", "running")).toEqual(["running", 2]);
  });

  test("whose listener fails is kept, and the failure is logged", async () => {
    const house = await open();
    house.approvals.onDecided(() => Promise.reject(new Error("no cell")));
    expect((await house.decide(await house.add("apr_1"))).state).toBe("allowed");
    await house.world.clock.turn();
    expect(house.log.lines.join()).toContain("cannot resume an activation");
  });
});

describe("the approval of a call", () => {
  test("is the newest one of the same call at the same step", async () => {
    const { approvals, add, world } = await open();
    await add("apr_1", { state: "denied" });
    await add("apr_2", { hash: "another call" });
    await add("apr_3", { step: 2 });
    expect((await approvals.find(TURN, 1, what))?.id).toBe<string | undefined>("apr_1");
    await add("apr_4", { state: "used" });
    expect((await approvals.find(TURN, 1, what))?.id).toBe<string | undefined>("apr_4");
    await world.advance(1);
    await add("apr_0");
    expect((await approvals.find(TURN, 1, what))?.id).toBe<string | undefined>("apr_0");
    expect(await approvals.find(idOf("act", "2"), 1, what)).toBeUndefined();
  });

  test("of a model counts at every step, and once", async () => {
    const { approvals, add, world } = await open();
    const model = { ...what, kind: "model" } as const;
    await add("apr_1", { kind: "model", state: "allowed" });
    expect((await approvals.find(TURN, 5, model))?.id).toBe<string | undefined>("apr_1");
    await world.advance(1);
    await add("apr_2", { kind: "model", state: "used" });
    expect(await approvals.find(TURN, 5, model)).toBeUndefined();
  });
});

describe("a list", () => {
  test("has the newest first, of houses where the caller decides, up to its limit", async () => {
    const { approvals, add, world } = await open();
    for (const id of ["apr_2", "apr_3", "apr_1"]) await add(id);
    await add("apr_9", { house: FAR });
    await world.advance(1);
    await add("apr_0", { state: "allowed" });
    const list = async (limit: number, state?: "pending" | "allowed") =>
      (await approvals.list(asA(ANA), { limit, ...(state === undefined ? {} : { state }) })).map(({ id }) => `${id}`);
    expect(await list(100)).toEqual(["apr_0", "apr_3", "apr_2", "apr_1"]);
    expect(await list(2)).toEqual(["apr_0", "apr_3"]);
    expect(await list(4)).toEqual(["apr_0", "apr_3", "apr_2", "apr_1"]);
    expect(await list(100, "pending")).toEqual(["apr_3", "apr_2", "apr_1"]);
    expect(await list(2, "pending")).toEqual(["apr_3", "apr_2"]);
    expect(await list(100, "allowed")).toEqual(["apr_0"]);
    expect(await approvals.list(asA(BOT), { limit: 100 })).toEqual([]);
  });

  test("of one activation has its approvals in every state, or in one", async () => {
    const { approvals, add, world } = await open();
    await add("apr_1", { activation: idOf<ActivationId>("act", "9") });
    await add("apr_2", { state: "used" });
    await world.advance(1);
    await add("apr_3");
    await add("apr_4", { house: FAR });
    const list = async (more: { readonly state?: "used"; readonly limit?: number }) =>
      (await approvals.list(asA(ANA), { activation: TURN, limit: 100, ...more })).map(({ id }) => `${id}`);
    expect(await list({})).toEqual(["apr_3", "apr_2"]);
    expect(await list({ state: "used" })).toEqual(["apr_2"]);
    expect(await list({ limit: 1 })).toEqual(["apr_3"]);
  });

  test("is read only as far as its limit needs", async () => {
    const { approvals, add, world, store } = await open();
    for (let index = 0; index < 250; index += 1) {
      await add(`apr_${String(index).padStart(3, "0")}`, { state: "allowed" });
      await world.advance(1);
    }
    const all = await approvals.list(asA(ANA), { limit: 1000 });
    expect(all.map(({ id }) => `${id}`)).toEqual(
      Array.from({ length: 250 }, (_, index) => `apr_${String(249 - index).padStart(3, "0")}`),
    );
    let reads = 0;
    Object.assign(store, {
      select: ((select) => (query: Parameters<typeof select>[0]) => ((reads += 1), select(query)))(store.select),
    });
    expect((await approvals.list(asA(ANA), { limit: 200 })).length).toBe(200);
    expect(reads).toBe(1);
    expect((await approvals.list(asA(ANA), { limit: 201 })).length).toBe(201);
    expect(reads).toBe(3);
  });
});

test("a STOP denies what is pending and withdraws what was not used, of one agent or of all", async () => {
  const { approvals, add, stateOf } = await open();
  await add("apr_1");
  await add("apr_2", { state: "allowed" });
  await add("apr_3", { state: "used" });
  await add("apr_4", { agent: ANA });
  await approvals.denyAll(BOT, ANA);
  const states = () => Promise.all(["apr_1", "apr_2", "apr_3", "apr_4"].map(stateOf));
  expect(await states()).toEqual(["denied", "denied", "used", "pending"]);
  await approvals.denyAll("house", ANA);
  expect(await states()).toEqual(["denied", "denied", "used", "denied"]);
});

test("an approval without an answer ends at its expiry, and not before", async () => {
  const { approvals, add, stateOf, world } = await open();
  const stop = new AbortController();
  await add("apr_1");
  await add("apr_2", { expires_at: world.clock.now() + 20 * MINUTE });
  const running = approvals.run(stop.signal);
  await world.clock.turn();
  await world.advance(10 * MINUTE - 1);
  expect([await stateOf("apr_1"), await stateOf("apr_2")]).toEqual(["pending", "pending"]);
  await world.advance(1);
  expect([await stateOf("apr_1"), await stateOf("apr_2")]).toEqual(["expired", "pending"]);
  await world.advance(10 * MINUTE);
  expect(await stateOf("apr_2")).toBe("expired");
  // One that is asked while none is pending has the full time.
  await add("apr_3");
  await world.advance(10 * MINUTE);
  expect(await stateOf("apr_3")).toBe("expired");
  stop.abort();
  await running;
});

test("expired approvals are ended after the store works again", async () => {
  const { approvals, add, stateOf, world, store, log } = await open();
  const stop = new AbortController();
  await add("apr_1");
  const { select } = store;
  Object.assign(store, { select: () => Promise.reject(new Error("disk full")) });
  const running = approvals.run(stop.signal);
  await world.clock.turn();
  expect(log.lines.join()).toContain("cannot end expired approvals");
  Object.assign(store, { select });
  await world.advance(60 * MINUTE);
  expect(await stateOf("apr_1")).toBe("expired");
  stop.abort();
  await running;
});
