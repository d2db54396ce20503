import { expect, test } from "bun:test";
import type { AgentRecord } from "@hearth/protocol";
import { type ToolName, tools } from "@hearth/protocol/tools";
import { hiddenTools, offeredTools } from "./offered-tools.ts";

const agentWith = (list?: readonly string[]) =>
  ({ content: list === undefined ? {} : { tools: list } }) as unknown as AgentRecord;
const all = { hasPeers: true, hasWalls: true };

test("without a list an agent has what needs no person's word where it lives", () => {
  expect(offeredTools(agentWith(), all)).toContain("shell");
  expect(offeredTools(agentWith(), { ...all, hasWalls: false })).not.toContain("shell");
  for (const name of offeredTools(agentWith(), all)) expect(tools[name as ToolName].needs).not.toBe("person");
});

test("what is on its list it has without walls too, for a person said so", () => {
  expect(offeredTools(agentWith(["shell", "delegate"]), { hasPeers: false, hasWalls: false })).toEqual([
    "shell",
    "delegate",
  ]);
});

test("talk with others is offered only to who has peers, and a name that is no tool is left out", () => {
  expect(offeredTools(agentWith(["send_to_agent", "read", "nonsense"]), { ...all, hasPeers: false })).toEqual(["read"]);
  expect(offeredTools(agentWith(["send_to_agent"]), all)).toEqual(["send_to_agent"]);
});

test("who cannot look for tools has all of its own before it, and who has nothing to find is not told how", () => {
  expect(offeredTools(agentWith(), all)).toContain("find_tools");
  expect(offeredTools(agentWith(["read", "find_tools"]), all)).toEqual(["read"]);
  expect(offeredTools(agentWith(["git", "find_tools"]), all)).toEqual(["git", "find_tools"]);
  expect(hiddenTools(["read", "git", "find_tools"])).toEqual(["git"]);
  expect(hiddenTools(["read", "git"])).toEqual([]);
});
