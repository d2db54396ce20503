import { describe, expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createHouse, declareKeyed } from "./house.ts";
import { runProgram } from "./program.ts";
import { simulate } from "./simulation.ts";
import { createStage } from "./stage.ts";

/**
 * Runs a house whose first daemon dies while it waits for the model. Returns a weak reference to
 * its disk.
 */
const runAndForget = async (): Promise<WeakRef<object>> => {
  const house = createHouse({
    ...{
      seed: 1,
      families: new Set<never>(),
      isShared: false,
      queue: "steer",
      otherQueue: "steer",
      slowReads: 0,
      counts: new Map(),
    },
    ...{ latency: () => 1, cutsPower: () => false },
    crashesAt: (life) => (point) => life === 1 && point === "model.ask:after",
  });
  const stage = createStage(house, false);
  await stage.settle(stage.prepare("alone"));
  house.faults.crashes = true;
  await stage.settle(stage.perform([{ at: 0, do: "post", room: "main", by: "owner", text: "m1 do=pure", key: "k1" }]));
  expect(house.diary.some((line) => line.includes("died: model.ask:after"))).toBe(true);
  house.forget();
  return new WeakRef(house.disk);
};

describe("random work with random faults", () => {
  // As many seeds as kill every mutant. `npm run test:long` runs twenty thousand.
  test("keeps every promise, and every failpoint is met often enough to say so", async () => {
    const report = await runProgram(["--seeds", "400"]);
    expect(report.failures).toEqual([]);
    expect(report.seldom).toEqual([]);
    expect(report.runs).toBe(400);
  }, 2_400_000);

  test("is the same for the same seed, to the last line of the diary", async () => {
    using _keyed = declareKeyed();
    for (const seed of [3, 11, 42, 104, 247]) {
      const [first, second] = [await simulate(seed), await simulate(seed)];
      expect(second.trace).toBe(first.trace);
      expect(second.events).toBe(first.events);
    }
    expect((await simulate(3)).trace).not.toBe((await simulate(4)).trace);
  });

  test("leaves nothing of a house in memory, though its daemon died while it waited", async () => {
    const left: WeakRef<object>[] = [];
    for (let runs = 0; runs < 10; runs += 1) left.push(await runAndForget());
    const kept = (): number => {
      Bun.gc(true);
      return left.filter((house) => house.deref() !== undefined).length;
    };
    // The garbage collector may keep a few objects, because it scans the stack conservatively.
    await until(() => kept() < 5);
  });
});
