import { noLeakScan } from "../fixtures/no-leak-scan.ts";
import type { PlainColumns } from "../../fixtures/rows.ts";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ActivationId, AgentContent, AgentRecord, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { type ToolDeclaration, tools, type ToolTable } from "@hearth/protocol/tools";
import { z } from "zod";
import { createFakeIds } from "../../fixtures/ids.ts";
import type { Row } from "../../kernel/store/tables/tables.ts";
import { createApprovalStage } from "./approval-stage.ts";
import type { NewApproval } from "./approvals.ts";
import { type Ask, createChokePoint, type Effect } from "../effect.ts";
import { NO_TAINT } from "../taint/turn-taint.ts";

const ids = createFakeIds();
const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const agent = { id: ids("agent"), handle: "main" };
const room = ids("room") as RoomId;
const erase: ToolDeclaration = {
  ...tools.send_message,
  ...{
    name: "erase",
    input: z.strictObject({ room: z.string() }),
    traits: { ...tools.send_message.traits, destroys: true },
  },
};
const table: ToolTable = { ...tools, erase };
const asked: Ask = { stage: "labels", text: "A stranger named it.", fields: [] };

const activation = {
  id: ids("act"),
  room,
  parent: null,
  frozen: JSON.stringify({ range: { start: 3 } }),
  frozen_blob: null,
  progress: 0,
  retries: 0,
  retry_at: 0,
  retried_by: null,
};

/** The hash of a blob with the same input. */
const INPUT = "1".repeat(64);

const open = ({
  content = {},
  walls = "open",
  rows = [],
  rules = [],
  files = {},
  row = {},
}: {
  readonly content?: Partial<AgentContent>;
  readonly walls?: "walls" | "open";
  readonly rows?: readonly Partial<PlainColumns<"approvals">>[];
  readonly rules?: readonly Partial<Row<"approval_rules">>[];
  readonly files?: Readonly<Record<string, string>>;
  /** Columns of the activation that differ. */
  readonly row?: Partial<Row<"activations">>;
} = {}) => {
  const record = { ...agent, content: { name: "Main", kind: "bot", ...content } } as AgentRecord;
  const told: NewApproval[] = [];
  const expired: string[] = [];
  let probes = 0;
  const stage = createApprovalStage({
    ...{
      world: createFakeWorld({ hash }),
      table,
      redact: (text) => text,
      isIsolated: async () => ((probes += 1), walls === "walls"),
    },
    store: { select: async () => [{ ...activation, ...row }] as never },
    blobs: { get: async (name) => (name === INPUT ? new TextEncoder().encode(activation.frozen) : undefined) },
    pinNamedFiles: async (_agent, isNamed) =>
      Object.entries(files).flatMap(([path, is]) => (isNamed(path) ? [{ path, is }] : [])),
    records: { get: async () => record as never },
    approvals: {
      find: async (_activation, _step, what) => rows.find((row) => row.hash === what.hash) as never,
      rulesFor: async (_agent, tool) => rules.filter((rule) => rule.tool === tool) as never,
      use: (row) => ({
        writes: [],
        guards: [{ kind: "exists", table: "approvals", where: { id: row.id, state: "allowed" } }],
      }),
      expire: async ({ id }) => void expired.push(id),
      async planRequest(request) {
        told.push(request);
        return { writes: [] };
      },
    },
  });
  return { told, expired, stage, probes: () => probes };
};

const effectOf = (name: string, input: object, more: object = {}): Effect =>
  ({
    ...{
      kind: "tool",
      activation: activation.id as ActivationId,
      agent,
      place: room,
      step: 1,
      effect: "plain",
      taint: NO_TAINT,
    },
    ...{ signal: new AbortController().signal, call: { id: "c", name, input }, granted: [name], earlier: [], ...more },
  }) as Effect;

const hashOf = async (name: string, input: object): Promise<string> => {
  const { told, stage } = open();
  await stage(effectOf(name, input), [asked]);
  return told[0]?.call.hash ?? "";
};

describe("D1: a shell command without isolation", () => {
  const { must_ask } = JSON.parse(readFileSync(join(import.meta.dir, "../fixtures/exec-approval-bypass.json"), "utf8"));
  const allowed = ["echo ok", "echo", "git status", "head", "tr", "ls", "ls -la"];

  test.each(must_ask as string[])("needs approval as a whole, whatever was allowed before: %j", async (command) => {
    // Assume that a person allowed each of these with a rule, although no such rule is offered.
    const rules = allowed.map((command) => ({
      tool: "shell",
      room: null,
      bound: JSON.stringify({ command: command }),
    }));
    const { told, stage } = open({ content: { mode: "ask" }, rules });
    expect(await stage(effectOf("shell", { command }))).toMatchObject({ verdict: "waiting" });
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0]?.call.input ?? "")).toEqual({ command });
    expect(told[0]?.offers.map(({ scope }) => scope)).toEqual(["once"]);
    expect(told[0]?.display).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\n)\p{Cc}/u);
  });

  test.each(must_ask as string[])("matches no rule even with isolation: %j", async (command) => {
    const rules = allowed.map((command) => ({
      tool: "shell",
      room: null,
      bound: JSON.stringify({ command: command }),
    }));
    const { stage } = open({ content: { mode: "ask" }, walls: "walls", rules });
    expect(await stage(effectOf("shell", { command }))).toMatchObject({ verdict: "waiting" });
    expect(await stage(effectOf("shell", { command: "git status" }))).toEqual({ verdict: "allowed", byPerson: true });
  });
});

describe("approval", () => {
  test("is not needed when no stage asks for it", async () => {
    expect(await open().stage(effectOf("shell", { command: "x" }))).toEqual({ verdict: "allowed" });
    expect(await open({ content: { mode: "ask" } }).stage(effectOf("read", { path: "a" }))).toEqual({
      verdict: "allowed",
    });
  });

  test.each([
    ["with isolation", "walls", ["notes"], "allowed"],
    ["but not without isolation", "open", ["notes"], "waiting"],
    ["but not in another folder", "walls", ["other"], "waiting"],
    ["but not without a trusted folder", "walls", [], "waiting"],
  ] as const)("a write into a trusted folder needs no approval %s", async (_, walls, trusted, verdict) => {
    const { stage } = open({ content: { mode: "ask", trusted: [...trusted] }, walls });
    expect(await stage(effectOf("write", { path: "notes/a.txt", content: "x" }))).toMatchObject({ verdict });
  });

  test.each([null, ""])("that is denied without a reason reports no reason: %j", async (reason) => {
    const call = ["send_message", { room: "family", text: "x" }] as const;
    const { stage } = open({ rows: [{ id: "apr_1", hash: await hashOf(...call), state: "denied", reason }] });
    expect(await stage(effectOf(...call), [asked])).toEqual({
      verdict: "refused",
      text: "A person denied this call. It was not made.",
    });
  });

  test.each([
    ["expires at its end time", 0, ["apr_1"]],
    ["does not expire before", 1, []],
  ])("an unanswered request %s", async (_, leftMs, ended) => {
    const call = ["send_message", { room: "family", text: "x" }] as const;
    const expires_at = createFakeWorld({ hash }).clock.now() + leftMs;
    const row = { id: "apr_1", hash: await hashOf(...call), state: "pending", expires_at };
    const { stage, expired } = open({ rows: [row] });
    const { verdict } = await stage(effectOf(...call), [asked]);
    expect([verdict, expired]).toEqual([leftMs === 0 ? "refused" : "waiting", ended]);
  });

  test("parks the call, runs it once allowed, and refuses it once denied", async () => {
    const call = ["send_message", { room: "family", text: "x" }] as const;
    const known = async (row: Partial<PlainColumns<"approvals">>, effect: Effect = effectOf(...call)) =>
      open({ rows: [{ id: "apr_1", hash: await hashOf(...call), ...row }] }).stage(effect, [asked]);
    const guards = [{ kind: "exists", table: "approvals", where: { id: "apr_1", state: "allowed" } }];
    expect(await known({ state: "allowed" })).toMatchObject({ verdict: "allowed", sameCommit: { guards } } as never);
    expect(await known({ state: "denied", reason: "Too late." })).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("Too late."),
    });
    expect(await known({ state: "expired" })).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("in time"),
    });
    expect(await known({ state: "pending", expires_at: Number.MAX_SAFE_INTEGER })).toMatchObject({
      verdict: "waiting",
    });
    expect(await known({ state: "pending", expires_at: 1 })).toMatchObject({ verdict: "refused" });
    // D3: a different call at the same step.
    expect(await known({ state: "allowed" }, effectOf("send_message", { room: "family", text: "y" }))).toMatchObject({
      verdict: "waiting",
    });
    expect(await known({ state: "allowed" }, effectOf("send_to_agent", call[1]))).toMatchObject({ verdict: "waiting" });
  });

  test("D3: toctou: a call of a changed script with the same name is a new call and needs a new approval", async () => {
    const call = effectOf("shell", { command: "sh jobs/run.sh" });
    const first = open({ files: { "jobs/run.sh": "one", "other.sh": "x" } });
    await first.stage(call, [asked]);
    const storedCall = first.told[0]?.call;
    expect(first.told[0]?.display).toEndWith(
      `in the root folder of its workspace\nwith the current content of these files: "jobs/run.sh"`,
    );
    const rows = [{ id: "apr_1", hash: storedCall?.hash ?? "", state: "allowed" }];
    const later = (files: Readonly<Record<string, string>>) => open({ rows, files }).stage(call, [asked]);
    expect(await later({ "jobs/run.sh": "one", "other.sh": "y" })).toMatchObject({ verdict: "allowed" });
    for (const files of [{ "jobs/run.sh": "two" }, {}, { "jobs/run.sh": "one", "bin/run.sh": "new" }])
      expect(await later(files)).toMatchObject({ verdict: "waiting" });
  });

  test("D3: that was used permits a second start only where the effect class allows it", async () => {
    const rows = [{ id: "apr_1", hash: await hashOf("shell", { command: "x" }), state: "used" }];
    const { stage } = open({ rows });
    expect(await stage(effectOf("shell", { command: "x" }), [asked])).toMatchObject({ verdict: "refused" });
    expect(await stage(effectOf("shell", { command: "x" }, { effect: "keyed" }), [asked])).toEqual({
      ...{ verdict: "allowed", byPerson: true },
    });
  });

  test("is refused instead of awaited for a request or a message on its way out", async () => {
    const egress = { ...effectOf("x", {}), kind: "egress" } as never;
    expect(await open().stage(egress, [asked])).toMatchObject({ verdict: "refused" });
    expect(await open().stage(egress, [])).toEqual({ verdict: "allowed" });
  });
});

test("the isolation is looked up only for an agent that asks and trusts folders", async () => {
  const probesOf = async (content: Partial<AgentContent>) => {
    const { stage, probes } = open({ content, walls: "walls" });
    await stage(effectOf("write", { path: "out/x", content: "x" }));
    return probes();
  };
  expect(await probesOf({})).toBe(0);
  expect(await probesOf({ trusted: ["out"] })).toBe(0);
  expect(await probesOf({ mode: "plan", trusted: ["out"] })).toBe(0);
  expect(await probesOf({ mode: "ask", trusted: ["out"] })).toBe(1);
});

describe("C5: a call that destroys data", () => {
  test("is offered only once, and no rule allows it", async () => {
    const rules = [{ tool: "erase", room: null, bound: '{"room":"family"}' }];
    const { told, stage } = open({ rules, walls: "walls" });
    expect(await stage(effectOf("erase", { room: "family" }), [asked])).toMatchObject({ verdict: "waiting" });
    expect(told[0]?.offers.map(({ scope }) => scope)).toEqual(["once"]);
  });
});

describe("a rule", () => {
  const rule = { tool: "send_message", room: null, bound: '{"room":"family"}' };
  const under = (input: object, effect: Effect, asks: readonly Ask[] = [asked]) =>
    open({ rules: [{ ...rule, ...input }] }).stage(effect, asks);
  const family = effectOf("send_message", { room: "family", text: "x" });

  test("allows what it was shown for and nothing else", async () => {
    expect(await under({}, family)).toEqual({ verdict: "allowed", byPerson: true });
    for (const room of ["Family", "family ", "family\u200b", "familyx", ["family"], null])
      expect(await under({}, effectOf("send_message", { room, text: "x" }))).toMatchObject({ verdict: "waiting" });
    expect(await under({}, effectOf("send_message", { text: "x" }))).toMatchObject({ verdict: "waiting" });
    expect(await under({}, effectOf("send_to_agent", { room: "family" }))).toMatchObject({ verdict: "waiting" });
  });

  test("does not cover a field that needs approval and that the rule left open", async () => {
    expect(await under({}, family, [{ ...asked, fields: ["text"] }])).toMatchObject({ verdict: "waiting" });
    expect(await under({ bound: '{"room":"family","text":"x"}' }, family, [{ ...asked, fields: ["text"] }])).toEqual({
      ...{ verdict: "allowed", byPerson: true },
    });
  });

  test("of a session applies in its room while that session lasts", async () => {
    expect(await under({ room, since: 4 }, family)).toEqual({ verdict: "allowed", byPerson: true });
    expect(await under({ room, since: 3 }, family)).toMatchObject({ verdict: "waiting" });
    expect(await under({ room: ids("room"), since: 4 }, family)).toMatchObject({ verdict: "waiting" });
  });

  test("of a session applies only to a call of that session whose history is known", async () => {
    const inSession = (row: Partial<Row<"activations">>, since: number | null = 4) =>
      open({ rules: [{ ...rule, room, since }], row }).stage(family, [asked]);
    expect(await inSession({})).toEqual({ verdict: "allowed", byPerson: true });
    expect(await inSession({ frozen: null, frozen_blob: INPUT })).toEqual({ verdict: "allowed", byPerson: true });
    for (const row of [{ parent: ids("act") }, { frozen: null }, { frozen: null, frozen_blob: "0".repeat(64) }])
      expect(await inSession(row)).toMatchObject({ verdict: "waiting" });
    expect(await inSession({}, null)).toMatchObject({ verdict: "waiting" });
  });

  test("for all rooms applies to a call that another agent requested, too", async () => {
    const { stage } = open({ rules: [rule], row: { parent: ids("act") } });
    expect(await stage(family, [asked])).toEqual({ verdict: "allowed", byPerson: true });
  });

  test("is found behind others that do not apply", async () => {
    const others = [
      { ...rule, bound: '{"room":"other"}' },
      { ...rule, room: ids("room"), since: 4 },
    ];
    const { stage } = open({ rules: [...others, rule] });
    expect(await stage(family, [asked])).toEqual({ verdict: "allowed", byPerson: true });
  });

  test("does not override the agent's mode", async () => {
    const { stage } = open({ rules: [rule], content: { mode: "plan" } });
    expect(await stage(family, [asked])).toMatchObject({ verdict: "refused" });
  });
});

describe("a model call over the budget", () => {
  test("needs approval for its first model, once or for the session", async () => {
    const model = { ...effectOf("x", {}), kind: "model", models: ["fake/big", "fake/small"], effect: "pure" } as Effect;
    const { told, stage } = open();
    expect(await stage(model, [])).toEqual({ verdict: "allowed" });
    expect(await stage(model, [{ stage: "budget", text: "It costs more.", fields: [] }])).toMatchObject({
      verdict: "waiting",
    });
    expect(told[0]).toMatchObject({
      call: { kind: "model", name: "fake/big", input: '{"models":["fake/big","fake/small"]}' },
      offers: [
        { scope: "once" },
        { scope: "session", text: expect.stringContaining("fake/big, fake/small beyond its limit") },
      ],
    });
  });
});

test("an approval that was used concurrently does not allow the call", async () => {
  const chokePoint = createChokePoint(
    { approval: () => ({ verdict: "allowed", sameCommit: { writes: [] } }) },
    noLeakScan,
  );
  expect(await chokePoint.pass(effectOf("shell", {}), async () => false)).toMatchObject({
    verdict: "refused",
    stage: "approval",
  });
  const committed: unknown[] = [];
  expect(await chokePoint.pass(effectOf("shell", {}), async (sameCommit) => committed.push(sameCommit))).toEqual({
    verdict: "allowed",
  });
  expect(committed).toEqual([{ writes: [] }]);
});
