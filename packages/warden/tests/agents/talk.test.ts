/** Which agents are offered the tools for messages between agents. */
import { expect, test } from "bun:test";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import { addBot } from "../../src/fixtures/talk.ts";

test("tools for other agents are offered if there are other agents, and delegation if a person granted it", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "ok" }) });
  const offered = async (count: number): Promise<string[]> => {
    await house.post("hi");
    await house.until(count);
    return house.model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
  };
  expect(await offered(2)).toEqual([
    "read",
    "write",
    "edit",
    "list",
    "glob",
    "grep",
    "time",
    "read_brain",
    "write_brain",
    "remember",
    "recall",
    "find_tools",
  ]);
  await addBot(house, "Scout");
  expect(await offered(4)).toEqual([
    "read",
    "write",
    "edit",
    "list",
    "glob",
    "grep",
    "time",
    "send_to_agent",
    "ask_agent",
    "read_brain",
    "write_brain",
    "remember",
    "recall",
    "find_tools",
  ]);
  const main = (await house.ask("GET", "/api/agents/main")).json;
  await house.ask("PATCH", `/api/agents/${main.id}`, { content: { tools: ["delegate", "ask_agent"] } });
  expect(await offered(6)).toEqual(["delegate", "ask_agent"]);
});
