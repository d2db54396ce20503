import { expect, test } from "bun:test";
import type { AgentId, EventId } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { activationId } from "./activation.ts";

const id = (cause: string, agent: string) =>
  activationId(createBunWorld(), `evt_${cause}` as EventId, `agent_${agent}` as AgentId);

test("an activation is named after the message and the agent that it wakes, in every daemon the same", () => {
  expect(id("one", "main")).toBe(id("one", "main"));
  expect(id("one", "main")).not.toBe(id("two", "main"));
  expect(id("one", "main")).not.toBe(id("one", "other"));
});
