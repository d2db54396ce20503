import { expect, test } from "bun:test";
import { isMet } from "./bench.ts";
import { report } from "./policy.ts";

const quick = Array.from({ length: 100 }, (_, index) => index + 1);

test("each kind of call has a target for its median and none for its p99", () => {
  const slow = quick.map((time) => time * 10);
  const figures = report({ untainted: quick, tainted: slow, link: quick, rule: quick, model: quick, textLength: 10 });
  expect(figures.map(({ value, target }) => [value, target !== undefined]).slice(0, 4)).toEqual([
    [50, true],
    [99, false],
    [500, true],
    [990, false],
  ]);
  expect(figures.filter((figure) => !isMet(figure)).map(({ what }) => what)).toEqual([
    "a tool, as requested by the owner, p50",
  ]);
});
