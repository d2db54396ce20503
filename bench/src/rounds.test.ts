import { expect, test } from "bun:test";
import { isMet, isSkipped } from "./bench.ts";
import { type Round, toFlatness, watchRound } from "./rounds.ts";

const round = (average: number, highest = average): Round => ({ average, highest, samples: 10 });
const flatness = (...rounds: readonly Round[]) => {
  const [growth, most] = toFlatness(rounds, { roundMs: 5000, before: 40, targetMiB: 8 });
  if (growth === undefined || most === undefined || isSkipped(growth) || isSkipped(most)) throw new Error("no figures");
  return { growth, most };
};

test("a round is sampled until it ends, and has an average and a maximum", async () => {
  const sizes: number[] = [];
  const look = async (): Promise<number> => {
    sizes.push(50 + 20 * (sizes.length % 3));
    return sizes.at(-1) ?? 0;
  };
  expect(await watchRound(look, 0)).toEqual({ average: 50, highest: 50, samples: 1 });
  const { average, highest, samples } = await watchRound(look, 1);
  const seen = sizes.slice(1);
  expect([samples, highest]).toEqual([seen.length, Math.max(...seen)]);
  expect(samples).toBeGreaterThan(1);
  expect(average).toBeCloseTo(seen.reduce((sum, size) => sum + size, 0) / seen.length);
});

test("memory that rises and falls again is flat", () => {
  const { growth, most } = flatness(round(90, 140), round(120, 170), round(110, 150), round(104, 130));
  expect([growth.value, isMet(growth), growth.samples]).toEqual([2, true, 40]);
  expect(growth.note).toContain("average of each 5 s: 90, 120, 110, 104");
  expect([most.value, most.target, most.note]).toEqual([170, undefined, "40 with all connected and no messages"]);
});

test("memory that grows in every round is not flat", () => {
  const { growth } = flatness(round(60), round(65), round(70), round(75));
  expect([growth.value, isMet(growth)]).toEqual([10, false]);
});

test("an odd number of rounds is rejected", () => {
  for (const rounds of [[], [round(1)], [round(1), round(2), round(3)]])
    expect(() => flatness(...rounds)).toThrow(RangeError);
});
