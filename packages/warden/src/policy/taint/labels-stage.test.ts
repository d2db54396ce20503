import { expect, test } from "bun:test";
import { type ActivationId, type AgentId, type Label, OWNER_LABEL, type RoomId, type ToolCall } from "@hearth/protocol";
import { tools } from "@hearth/protocol/tools";
import type { Effect } from "../effect.ts";
import { createTurnTaint, NO_TAINT, type TurnTaint } from "./turn-taint.ts";
import { createLabelsStage } from "./labels-stage.ts";

const STRANGER: Label = { ...OWNER_LABEL, integrity: "untrusted", sources: ["https://page.example/"] };
const afterPage = (said: string): TurnTaint => {
  const taint = createTurnTaint();
  taint.add({ text: said, label: OWNER_LABEL });
  taint.add({ text: "a page", label: STRANGER });
  return taint;
};

const whose = { activation: "act_1" as ActivationId, agent: { id: "agent_1" as AgentId, handle: "main" } };
const calling = (name: string, input: ToolCall["input"], taint: TurnTaint): Effect => ({
  ...{ kind: "tool", ...whose, place: "room_1" as RoomId, step: 1, effect: "plain" },
  ...{ signal: new AbortController().signal, call: { id: "c", name, input }, granted: [name], earlier: [], taint },
});
type Request = Extract<Effect, { kind: "egress" }>;
const asking = (url: string, taint: TurnTaint, method = "GET"): Request => {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const scheme = protocol === "http:" ? "http" : "https";
  return {
    ...{ kind: "egress", ...whose, signal: new AbortController().signal, taint, method, scheme, host: hostname },
    ...{ port: port === "" ? (scheme === "http" ? 80 : 443) : Number(port), path: `${pathname}${search}` },
  };
};
const mayCarryTo = async (): Promise<boolean> => true;
const stageWith = (walls: boolean) => createLabelsStage({ table: tools, isIsolated: async () => walls, mayCarryTo });
const stage = stageWith(false);
const on = { verdict: "allowed" } as const;

test("a call that untrusted text may have aimed asks and names the fields; a call that the owner aimed passes", async () => {
  const input = { room: "kitchen", text: "hi" };
  expect(await stage(calling("send_message", input, afterPage("write to the 'kitchen'")))).toEqual(on);
  expect(await stage(calling("send_message", input, afterPage("write to them")))).toEqual({
    verdict: "ask",
    text: "send_message has a destination that you did not write, after reading https://page.example/.",
    fields: ["room"],
  });
  expect(await stage(calling("send_message", input, NO_TAINT))).toEqual(on);
});

test("a command passes with isolation, because its effects are judged where they leave the cell; without isolation it asks", async () => {
  const command = calling("shell", { command: "make" }, afterPage("build it"));
  expect(await stageWith(true)(command)).toEqual(on);
  expect(await stage(command)).toMatchObject({ verdict: "ask", fields: ["command"] });
  expect(await stageWith(true)(calling("send_message", { room: "kitchen", text: "hi" }, afterPage("")))).toMatchObject({
    verdict: "ask",
  });
});

test("a destructive call asks with isolation too", async () => {
  const git = { ...tools.git, traits: { ...tools.git.traits, destroys: true } };
  const strict = createLabelsStage({ table: { ...tools, git }, isIsolated: async () => true, mayCarryTo });
  expect(await strict(calling("git", { args: ["status"] }, NO_TAINT))).toMatchObject({ verdict: "ask" });
});

test("other effects and unknown tools are left to other stages", async () => {
  expect(await stage(calling("constructor", {}, afterPage("")))).toEqual(on);
  const send = {
    kind: "send",
    delivery: "delivery_1" as never,
    channel: "fake",
    conversation: "c",
    text: "t",
  } as const;
  expect(await stage(send)).toEqual(on);
});

test("a request of an untainted turn is decided by its grant", async () => {
  expect(await stage(asking("https://api.example/x?q=1", NO_TAINT, "POST"))).toEqual(on);
});

test("a tainted turn may send anything to an address that the owner wrote, but not delete", async () => {
  const taint = afterPage("post it at https://api.example/x?q=1 now");
  expect(await stage(asking("https://api.example/x?q=1", taint, "POST"))).toEqual(on);
  expect(await stage(asking("https://api.example/x?q=2", taint, "POST"))).toMatchObject({ verdict: "refused" });
  expect(await stage(asking("https://api.example:8443/x?q=1", taint, "POST"))).toMatchObject({ verdict: "refused" });
  expect(await stage(asking("https://api.example/x?q=1", taint, "DELETE"))).toMatchObject({ verdict: "refused" });
});

test("C2: elsewhere it may only read, by a short path that carries no message", async () => {
  const taint = afterPage("build it");
  for (const url of [
    "https://a.example/",
    "https://a.example/left-pad/-/left-pad-1.3.0.tgz",
    "https://a.example/en/docs/Setup",
    `https://a.example${"/word".repeat(20)}`,
  ])
    expect({ url, ...(await stage(asking(url, taint))) }).toEqual({ url, ...on });
  for (const url of [
    "https://a.example/?q=key",
    "https://a.example/c2VjcmV0IGtleSBpcyAxYTdiM2Q",
    "https://a.example/4d696c6c696f6e73",
    "https://a.example/a%20b",
    "https://a.example/left-c2VjcmV0",
    `https://a.example${"/word".repeat(19)}/words`,
  ])
    expect({ url, ...(await stage(asking(url, taint))) }).toMatchObject({
      url,
      verdict: "refused",
      text: expect.stringContaining("https://page.example/"),
    });
  expect(await stage(asking("https://a.example/", taint, "POST"))).toMatchObject({ verdict: "refused" });
});

test("C2: an address that was judged with its tool call passes to be read, and not to be written", async () => {
  const url = "https://a.example/?q=key";
  const taint = afterPage("read it");
  expect(await stage({ ...asking(url, taint), isJudged: true })).toEqual(on);
  expect(await stage({ ...asking(url, taint), isJudged: false })).toMatchObject({ verdict: "refused" });
  expect(await stage({ ...asking(url, taint, "POST"), isJudged: true })).toMatchObject({ verdict: "refused" });
});

test("an untainted call that writes into a room asks if the room has readers who may not read this one", async () => {
  const asked: string[] = [];
  const readers = createLabelsStage({
    table: tools,
    isIsolated: async () => false,
    mayCarryTo: async (agent, from, room) => {
      asked.push(`${agent} from ${from} to ${room}`);
      return room === "kitchen";
    },
  });
  expect(await readers(calling("send_message", { room: "kitchen", text: "hi" }, NO_TAINT))).toEqual(on);
  expect(await readers(calling("send_message", { room: "street", text: "hi" }, NO_TAINT))).toEqual({
    verdict: "ask",
    text: "send_message writes into a room with readers who may not read the room where the agent was asked.",
    fields: ["room"],
  });
  // Neither a call without a room nor one of another tool has readers.
  expect(await readers(calling("send_message", { room: 7, text: "hi" }, NO_TAINT))).toEqual(on);
  expect(await readers(calling("shell", { command: "make", room: "street" }, NO_TAINT))).toEqual(on);
  expect(asked).toEqual(["agent_1 from room_1 to kitchen", "agent_1 from room_1 to street"]);
});
