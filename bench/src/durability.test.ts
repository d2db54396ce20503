import { expect, test } from "bun:test";
import { compare, type Round } from "./durability.ts";

const round = (ms: number, count: number): Round => ({
  alone: { times: Array.from({ length: count }, () => ms), longestStallMs: ms },
  grouped: { times: Array.from({ length: count * 4 }, () => ms * 2), longestStallMs: ms * 3 },
  puts: [ms * 10],
  writers: 64,
  blobSize: 65_536,
});

test("each quantity has a row per setting, and the second shows the cost of the first", () => {
  const figures = compare([round(2, 500), round(2, 500)], [round(1, 1000), round(1, 1000)], 1000);
  const rows = figures.map(({ what, value, unit, samples, note }) => [what, value, unit, samples, note]);
  const twice = "power costs 2 times as much";
  expect(rows).toEqual([
    ["power: one writer", 500, "commits/s", 1000, undefined],
    ["process: one writer", 1000, "commits/s", 2000, twice],
    ["power: 64 writers at once", 2000, "commits/s", 4000, undefined],
    ["process: 64 writers at once", 4000, "commits/s", 8000, twice],
    ["power: a commit of one writer, p50", 2, "ms", 1000, undefined],
    ["process: a commit of one writer, p50", 1, "ms", 2000, twice],
    ["power: a commit of one writer, p99", 2, "ms", 1000, undefined],
    ["process: a commit of one writer, p99", 1, "ms", 2000, twice],
    ["power: a commit of 64 at once, p99", 4, "ms", 4000, undefined],
    ["process: a commit of 64 at once, p99", 2, "ms", 8000, twice],
    ["power: longest stall of the event loop", 6, "ms", 4, undefined],
    ["process: longest stall of the event loop", 3, "ms", 4, twice],
    ["power: a blob of 64 KiB, p50", 20, "ms", 2, undefined],
    ["process: a blob of 64 KiB, p50", 10, "ms", 2, twice],
  ]);
});
