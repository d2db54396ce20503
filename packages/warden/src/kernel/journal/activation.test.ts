import { expect, test } from "bun:test";
import type { AgentId, EventId } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { activationId } from "./activation.ts";

const id = (cause: string, agent: string) =>
  activationId(createBunWorld(), `evt_${cause}` as EventId, `agent_${agent}` as AgentId);

test("an activation's id is derived from its message and its agent, the same in every daemon", () => {
  expect(id("one", "main")).toBe(id("one", "main"));
  expect(id("one", "main")).not.toBe(id("two", "main"));
  expect(id("one", "main")).not.toBe(id("one", "other"));
});
