/** The list from which people choose an agent's tools. */
import { expect, test } from "bun:test";
import type { AgentRecord } from "@hearth/protocol";
import { tools } from "@hearth/protocol/tools";
import { type AgentToolOptions, createAgentTools } from "./agent-tools.ts";
import { offeredTools } from "./offered-tools.ts";

const agentWith = (list?: readonly string[]) =>
  ({ content: list === undefined ? {} : { tools: list } }) as unknown as AgentRecord;
const list = async (
  agent: AgentRecord,
  has: { readonly [Name in "walls" | "peers" | "pictures" | "search"]: boolean },
) => {
  const options: AgentToolOptions = {
    table: tools,
    isIsolated: async () => has.walls,
    hasPeers: async () => has.peers,
    hasPictures: () => has.pictures,
    hasSearch: () => has.search,
  };
  return new Map((await createAgentTools(options)(agent)).map((tool) => [tool.name, tool]));
};
const everything = { walls: true, peers: true, pictures: true, search: true };

test("has every tool once, and those that are on and lack nothing are the ones that a turn gets", async () => {
  for (const names of [undefined, ["default", "http_fetch", "-read"], ["read", "shell"], []])
    for (const walls of [true, false]) {
      const all = await list(agentWith(names), { ...everything, walls });
      expect(all.size).toBe(Object.keys(tools).length);
      const usable = [...all.values()].filter(({ isOn }) => isOn).map(({ name }) => name);
      const given = offeredTools(agentWith(names), { hasPeers: true, isIsolated: walls, hasPart: () => true });
      // Without a hidden tool, a turn does not get the tool that finds hidden ones.
      expect(usable.filter((name) => name !== "find_tools").toSorted()).toEqual(
        given.filter((name) => name !== "find_tools").toSorted(),
      );
    }
});

test("says what a tool lacks", async () => {
  const lacking = await list(agentWith(), { walls: false, peers: false, pictures: false, search: false });
  expect(lacking.get("shell")).toMatchObject({ isOn: false, isDefault: false, missing: "isolation" });
  expect(lacking.get("ask_agent")).toMatchObject({ missing: "other-agents" });
  expect(lacking.get("image_generate")).toMatchObject({ isOn: true, missing: "pictures" });
  expect(lacking.get("web_search")).toMatchObject({ isOn: false, missing: "search-engine" });
  const all = await list(agentWith(), everything);
  expect([...all.values()].filter(({ missing }) => missing !== undefined)).toEqual([]);
  expect(all.get("shell")).toMatchObject({ isOn: true, isDefault: true, isSandboxed: true });
});
