import { expect, test } from "bun:test";
import type { AgentId, Hold } from "@hearth/protocol";
import { createFakeIds } from "../../fixtures/ids.ts";
import { createStops } from "./stops.ts";

const ids = createFakeIds();
const [main, scout, owner]: readonly AgentId[] = [ids("agent"), ids("agent"), ids("agent")];

/** Records the effects of a stop, in their order. */
const stop = async (scope: "house" | AgentId, hold: () => Promise<Hold> = async () => ({}) as Hold) => {
  const done: string[] = [];
  const stops = createStops({
    holds: { hold } as never,
    activations: { stopRunning: async (agent) => void done.push(`runs ${agent ?? "all"}`) },
    pool: {
      list: () => [main, scout, main].map((agent) => ({ agent })) as never,
      evict: async (agent) => done.push(`cells ${agent}`),
    },
    approvals: { denyAll: async () => {} },
  });
  const result = await stops.stop(scope, owner as AgentId).catch((error: unknown) => String(error));
  return { done, result };
};

test("a stop ends running activations first, then the cells with their background commands", async () => {
  expect((await stop(main as AgentId)).done).toEqual([`runs ${main}`, `cells ${main}`]);
  expect((await stop("house")).done).toEqual(["runs all", `cells ${main}`, `cells ${scout}`]);
});

test("a stop that could not be stored still stops everything and throws", async () => {
  const { done, result } = await stop(main as AgentId, () => Promise.reject(new Error("the disk is full")));
  expect([done, result]).toEqual([[`runs ${main}`, `cells ${main}`], "Error: the disk is full"]);
});
