import { expect, test } from "bun:test";
import type { AgentId, Hold } from "@hearth/protocol";
import { createFakeIds } from "../../fixtures/ids.ts";
import { createStops } from "./stops.ts";

const ids = createFakeIds();
const [main, scout, owner]: readonly AgentId[] = [ids("agent"), ids("agent"), ids("agent")];

/** What is done when somebody stops this, in its order. */
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

test("a stop ends what runs, and then the cells with whatever was left running in them", async () => {
  expect((await stop(main as AgentId)).done).toEqual([`runs ${main}`, `cells ${main}`]);
  expect((await stop("house")).done).toEqual(["runs all", `cells ${main}`, `cells ${scout}`]);
});

test("one that could not be kept has stopped all the same, and says that it is not kept", async () => {
  const { done, result } = await stop(main as AgentId, () => Promise.reject(new Error("the disk is full")));
  expect([done, result]).toEqual([[`runs ${main}`, `cells ${main}`], "Error: the disk is full"]);
});
