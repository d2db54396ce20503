import { expect, test } from "bun:test";
import { AgentRecord } from "@hearth/protocol";
import { findDefaultBot } from "./default-bot.ts";

const ASKING = { question: "Whose?", hintPrefix: "--agent" };
const record = (handle: string, kind: "bot" | "human" = "bot"): AgentRecord =>
  AgentRecord.parse({
    type: "agent",
    id: `agent_${"0".repeat(26)}`,
    house: `house_${"0".repeat(26)}`,
    handle,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
    content: { name: handle, kind },
  });

test("the only bot is the default, whatever its name", () => {
  expect(findDefaultBot([record("ana", "human"), record("iris")], ASKING).handle).toBe("iris");
});

test("main is the default of several bots", () => {
  expect(findDefaultBot([record("archivist"), record("main")], ASKING).handle).toBe("main");
});

test("several bots without main are an error that lists them", () => {
  const choose = () => findDefaultBot([record("ana", "human"), record("iris"), record("archivist")], ASKING);
  expect(choose).toThrow(expect.objectContaining({ message: "Whose?", hint: "Choose one: --agent iris | archivist" }));
});

test("without a bot, the error says how to add one", () => {
  const choose = () => findDefaultBot([record("ana", "human")], ASKING);
  expect(choose).toThrow(expect.objectContaining({ hint: "Add one: hearth agent add NAME" }));
});
