import { expect, test } from "bun:test";
import { toRatios } from "./interleaved.ts";

test("`toRatios` compares each round with our time in the same round", () => {
  expect(toRatios("search", { ours: [1, 10, 2], theirs: [2, 40, 6] })).toEqual([
    {
      what: "search: theirs, time relative to ours",
      value: 3,
      unit: "×",
      samples: 3,
      note: "2 to 4 in 80 % of the rounds, 2 to 4 in all",
    },
  ]);
});
