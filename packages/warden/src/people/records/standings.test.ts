import { expect, test } from "bun:test";
import type { AgentId, AgentRecord, Level } from "@hearth/protocol";
import { createStandings } from "./standings.ts";

const agent = { id: "agent_bot", house: "house_1", content: { kind: "bot" } } as unknown as AgentRecord;

test.each([
  ["a person who decides in its house", "human", "x", "owner"],
  ["a person who writes there", "human", "w", "trusted"],
  ["a person who reads there", "human", "r", "trusted"],
  ["a person without a level there", "human", undefined, "untrusted"],
  ["a bot that decides there", "bot", "x", "trusted"],
  ["a bot from elsewhere", "bot", undefined, "untrusted"],
] as const)("%s", async (_, kind, level: Level | undefined, standing) => {
  const standingOf = createStandings({
    records: { find: async () => ({ content: { kind } }) as never },
    permissions: { levelOf: async (_holder, place) => (place === "house_1" ? level : "x") },
  });
  expect(await standingOf("agent_other" as AgentId, agent)).toBe(standing);
});

test("an agent's own text is not the owner's, and an author without a record is untrusted", async () => {
  const standingOf = createStandings({
    records: { find: async () => undefined },
    permissions: { levelOf: async () => "x" },
  });
  expect(await standingOf(agent.id, agent)).toBe("trusted");
  expect(await standingOf("agent_gone" as AgentId, agent)).toBe("untrusted");
});
