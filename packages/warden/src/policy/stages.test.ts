import { describe, expect, test } from "bun:test";
import type { ActivationId, AgentId, Level, RoomId, ToolCall } from "@hearth/protocol";
import type { Effect } from "./effect.ts";
import { NO_TAINT } from "./taint/turn-taint.ts";
import { tools } from "@hearth/protocol/tools";
import { createQuotaStage, createRoleStage, createSchemaStage, createStopStage } from "./stages.ts";

const call = (name: string, input: ToolCall["input"] = {}): ToolCall => ({ id: "c", name, input });
const effectOf = (
  one: ToolCall,
  more: { granted?: readonly string[]; earlier?: readonly ToolCall[]; signal?: AbortSignal } = {},
): Effect => ({
  ...{ kind: "tool", activation: "act_1" as ActivationId, agent: { id: "agent_1" as AgentId, handle: "main" } },
  place: "room_1" as RoomId,
  ...{
    step: 1,
    effect: "pure",
    signal: new AbortController().signal,
    call: one,
    granted: ["read", "list"],
    earlier: [],
    taint: NO_TAINT,
  },
  ...more,
});
const on = { verdict: "allowed" } as const;
const roleAt = (level: Level | undefined) => createRoleStage({ levelOf: async () => level }, tools);
const schemaStage = createSchemaStage(tools);
const roleStage = roleAt("w");
/** A model request. */
const asked = { models: ["fake/model"], inputTokens: 2, maxOutputTokens: 1, isChild: false };

describe("the stage", () => {
  test("stop ends what was stopped, by its signal or by a hold", () => {
    const held = createStopStage({ isHeld: (agent) => agent === "agent_1", isHouseHeld: () => false });
    const free = createStopStage({ isHeld: () => false, isHouseHeld: () => false });
    const stopped = AbortSignal.abort();
    expect(held(effectOf(call("list")))).toMatchObject({ verdict: "stopped" });
    expect(free(effectOf(call("list"), { signal: stopped }))).toMatchObject({ verdict: "stopped" });
    expect(free(effectOf(call("list")))).toEqual(on);
    const { activation, agent, signal } = effectOf(call("list")) as Extract<Effect, { kind: "tool" }>;
    const request = { scheme: "https", host: "a.example", port: 443, method: "GET", path: "/" } as const;
    const egress = { kind: "egress", activation, agent, signal, taint: NO_TAINT, ...request } as const;
    expect(held(egress)).toMatchObject({ verdict: "stopped" });
    expect(free({ ...egress, signal: stopped })).toMatchObject({ verdict: "stopped" });
    expect(free(egress)).toEqual(on);
  });

  test("role and the others leave network requests to grants", async () => {
    const { activation, agent, signal } = effectOf(call("list")) as Extract<Effect, { kind: "tool" }>;
    const request = { scheme: "https", host: "a.example", port: 443, method: "GET", path: "/" } as const;
    const egress = { kind: "egress", activation, agent, signal, taint: NO_TAINT, ...request } as const;
    expect(await roleAt(undefined)(egress)).toEqual(on);
    expect(schemaStage(egress)).toEqual(on);
    expect(createQuotaStage(() => 0)(egress)).toEqual(on);
  });

  test("schema refuses input that does not fit the tool, and names the fields", () => {
    expect(schemaStage(effectOf(call("read", { path: "a" })))).toEqual(on);
    expect(schemaStage(effectOf(call("read", { path: "a", offset: null })))).toEqual(on);
    expect(schemaStage(effectOf(call("read", { file: "a" })))).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining('"path" is missing'),
    });
    expect(schemaStage(effectOf({ ...call("list"), unreadable: "{oh" }))).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("{oh"),
    });
    expect(schemaStage(effectOf({ ...call("list"), oversizedBytes: 300_000 }))).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("300000 bytes"),
    });
  });

  test("schema ignores a tool that was not granted", () => {
    expect(schemaStage(effectOf(call("shell", { nonsense: 1 })))).toEqual(on);
    expect(schemaStage(effectOf(call("constructor")))).toEqual(on);
  });

  test("role refuses a tool that was not granted, and says how a person grants it", async () => {
    expect(await roleStage(effectOf(call("read")))).toEqual(on);
    expect(await roleStage(effectOf(call("shell")))).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("hearth agent edit main --tools +shell"),
    });
    for (const name of ["constructor", "toString", "", "READ"])
      expect(await roleStage(effectOf(call(name)))).toMatchObject({
        verdict: "refused",
        text: expect.stringContaining("Available: read, list"),
      });
  });

  test("role refuses a granted name that no tool has", async () => {
    expect(await roleStage(effectOf(call("fly"), { granted: ["fly"] }))).toMatchObject({ verdict: "refused" });
  });

  test("role checks the agent's own present level where it was woken", async () => {
    const asked: unknown[] = [];
    const levelOf = async (holder: unknown, place: unknown): Promise<Level> => {
      asked.push([holder, place]);
      return "r";
    };
    const stage = createRoleStage({ levelOf }, tools);
    const granted = ["read", "write"];
    expect(await stage(effectOf(call("read"), { granted }))).toEqual(on);
    expect(await stage(effectOf(call("write"), { granted }))).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("needs w here"),
    });
    expect(asked).toEqual([
      [{ agent: "agent_1" }, "room_1"],
      [{ agent: "agent_1" }, "room_1"],
    ]);
    expect(await roleAt(undefined)(effectOf(call("read")))).toMatchObject({ verdict: "refused" });
  });

  test("role ends an activation that may no longer speak before its next model call", async () => {
    const {
      call: _call,
      granted: _granted,
      earlier: _earlier,
      ...rest
    } = effectOf(call("read")) as Extract<Effect, { kind: "tool" }>;
    const model: Effect = { ...rest, ...asked, kind: "model", name: "m", request: "{}" };
    expect(await roleAt("w")(model)).toEqual(on);
    for (const level of ["r", undefined] as const)
      expect(await roleAt(level)(model)).toMatchObject({
        verdict: "stopped",
        text: expect.stringContaining("no longer write"),
      });
  });

  test("quota counts calls, and identical calls", () => {
    const quota = createQuotaStage(() => 5);
    const same = call("read", { path: "a" });
    const other = (path: string) => call("read", { path });
    expect(quota(effectOf(same, { earlier: [same, same, other("b")] }))).toEqual(on);
    expect(quota(effectOf(same, { earlier: [same, same, same] }))).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("this exact call 3 times"),
    });
    expect(quota(effectOf(other("b"), { earlier: [same, same, same] }))).toEqual(on);
    expect(quota(effectOf(call("list", { path: "a" }), { earlier: [same, same, same] }))).toEqual(on);
    expect(quota(effectOf(other("z"), { earlier: ["b", "c", "d", "e", "f"].map(other) }))).toMatchObject({
      verdict: "refused",
      text: expect.stringContaining("All 5 tool calls"),
    });
  });

  test("quota counts delegated calls, and limits a child to its allowance", () => {
    const quota = createQuotaStage(() => 5);
    const earlier = [call("list", { path: "a" })];
    const next = call("list", { path: "b" });
    const refused = (calls: number) => ({
      verdict: "refused",
      text: expect.stringContaining(`All ${calls} tool calls`),
    });
    expect(quota({ ...effectOf(next, { earlier }), delegated: 3 } as Effect)).toEqual(on);
    expect(quota({ ...effectOf(next, { earlier }), delegated: 4 } as Effect)).toMatchObject(refused(5));
    expect(quota({ ...effectOf(next, { earlier }), maxToolCalls: 2 } as Effect)).toEqual(on);
    expect(quota({ ...effectOf(next, { earlier }), maxToolCalls: 1 } as Effect)).toMatchObject(refused(1));
    expect(quota({ ...effectOf(next, { earlier: [] }), maxToolCalls: 50, delegated: 5 } as Effect)).toMatchObject(
      refused(5),
    );
  });
});

test("messages are sent unless the whole house is stopped", () => {
  const send: Effect = { kind: "send", delivery: "out_1" as never, channel: "tele", conversation: "c", text: "hi" };
  const stop = (isHouseHeld: boolean) => createStopStage({ isHeld: () => true, isHouseHeld: () => isHouseHeld })(send);
  expect([stop(false), stop(true)]).toMatchObject([{ verdict: "allowed" }, { verdict: "stopped" }]);
});

test("neither schema nor quota checks a model call", async () => {
  const {
    call: _call,
    granted: _granted,
    earlier: _earlier,
    ...base
  } = effectOf(call("x")) as Extract<Effect, { kind: "tool" }>;
  const model: Effect = { ...base, ...asked, kind: "model", name: "main", request: "{}" };
  for (const stage of [schemaStage, createQuotaStage(() => 0)]) expect(await stage(model)).toEqual(on);
});
