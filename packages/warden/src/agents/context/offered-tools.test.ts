import { expect, test } from "bun:test";
import type { AgentRecord } from "@hearth/protocol";
import { type ToolName, tools } from "@hearth/protocol/tools";
import { hiddenTools, offeredTools } from "./offered-tools.ts";

const agentWith = (list?: readonly string[]) =>
  ({ content: list === undefined ? {} : { tools: list } }) as unknown as AgentRecord;
const all = { hasPeers: true, isIsolated: true };

test("without a tool list an agent gets every tool that needs no person's approval in its cell", () => {
  expect(offeredTools(agentWith(), all)).toContain("shell");
  expect(offeredTools(agentWith(), { ...all, isIsolated: false })).not.toContain("shell");
  for (const name of offeredTools(agentWith(), all)) expect(tools[name as ToolName].needs).not.toBe("person");
});

test("a listed tool is offered without isolation too, because a person listed it", () => {
  expect(offeredTools(agentWith(["shell", "delegate"]), { hasPeers: false, isIsolated: false })).toEqual([
    "shell",
    "delegate",
  ]);
});

test("`default` in a list stands for the tools without a list, and a name after a hyphen takes one away", () => {
  const free = offeredTools(agentWith(), all);
  expect(offeredTools(agentWith(["default"]), all)).toEqual(free);
  expect(offeredTools(agentWith(["default", "http_fetch", "-read"]), all)).toEqual([
    ...free.filter((name) => name !== "read"),
    "http_fetch",
  ]);
  expect(offeredTools(agentWith(["default", "http_fetch"]), { ...all, isIsolated: false })).not.toContain("shell");
  expect(offeredTools(agentWith(["default", "shell"]), { ...all, isIsolated: false })).toContain("shell");
});

test("tools for other agents are offered only to an agent with peers, and unknown tool names are left out", () => {
  expect(offeredTools(agentWith(["send_to_agent", "read", "nonsense"]), { ...all, hasPeers: false })).toEqual(["read"]);
  expect(offeredTools(agentWith(["send_to_agent"]), all)).toEqual(["send_to_agent"]);
});

test("an agent without `find_tools` gets all its tools at once, and one with nothing to find does not get `find_tools`", () => {
  expect(offeredTools(agentWith(), all)).toContain("find_tools");
  expect(offeredTools(agentWith(["read", "find_tools"]), all)).toEqual(["read"]);
  expect(offeredTools(agentWith(["git", "find_tools"]), all)).toEqual(["git", "find_tools"]);
  expect(hiddenTools(["read", "git", "find_tools"])).toEqual(["git"]);
  expect(hiddenTools(["read", "git"])).toEqual([]);
});

test("tools of a part are offered only if it is configured, also to an agent whose list names them", () => {
  const lists = [undefined, ["read", "git", "find_tools", "image_generate", "image_edit"]];
  for (const list of lists) {
    const without = offeredTools(agentWith(list), all);
    expect(without.filter((name) => name.startsWith("image_"))).toEqual([]);
    const names = offeredTools(agentWith(list), { ...all, hasPart: (part) => part === "pictures" });
    expect(names.filter((name) => !without.includes(name))).toEqual(["image_generate", "image_edit"]);
  }
  expect(hiddenTools(["read", "image_generate", "find_tools"])).toEqual(["image_generate"]);
});
