import { expect, test } from "bun:test";
import { report as reportParsers } from "./parsers.ts";
import { reportHostile } from "./patterns.ts";
import { reportAnswers } from "./vectors.ts";

test("an engine that was ended counts with the whole time, and names the pattern that it did not finish", () => {
  const times = [{ pattern: "a*b", ms: 3 }];
  expect(reportHostile("x", { times, isEnded: true })).toMatchObject({ value: 30_000, note: "ended during pattern 2" });
  expect(reportHostile("x", { times, isEnded: false })).toMatchObject({ value: 3, note: "a*b" });
});

test("the share of the parser is its median time for a head in that of a request", () => {
  const figures = reportParsers({
    attacks: 1,
    attacksAccepted: { ours: [] },
    fuzz: {},
    headRounds: { ours: [10, 20, 30] },
    uploadRounds: { ours: [1] },
    proxyRounds: [5, 10, 15],
    headsPerRound: 20,
    proxyPerRound: 1,
  });
  expect(figures.find(({ what }) => what.startsWith("share"))).toMatchObject({ value: 10, unit: "%" });
});

test("vectors are reported with their percentiles, and relative to ours", () => {
  const one = { foundPercent: 99, visibleTimes: [1, 1], visibleFoundPercent: 90 };
  const figures = reportAnswers("10", { ours: { ...one, times: [1, 2] }, other: { ...one, times: [4, 8] } });
  expect(figures.find(({ what }) => what === "10: other, p50")).toMatchObject({ value: 4, note: "p95 8" });
  expect(figures.find(({ what }) => what === "10: other, time relative to ours")).toMatchObject({ value: 4 });
});
