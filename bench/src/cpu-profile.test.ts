import { expect, test } from "bun:test";
import { type CpuProfile, hottest, toTree } from "./cpu-profile.ts";
import { toFlameGraph } from "./flame-graph.ts";

const frame = (functionName: string, url = "", lineNumber = 0) => ({ functionName, url, lineNumber });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame("(root)"), children: [2, 4] },
    { id: 2, callFrame: frame("serve", "file:///home/a.ts", 9), children: [3] },
    { id: 3, callFrame: frame("write", "", 0) },
    { id: 4, callFrame: frame("(idle)") },
  ],
  samples: [2, 3, 3, 4, 3],
  timeDeltas: [100, 200, 300, 400, 1000],
};
const all = { from: 0, until: Infinity };

test("the tree sums the time of each call, without idle time", () => {
  const tree = toTree(profile, all, "/home/");
  const [serve] = tree.children.values();
  const [write] = serve?.children.values() ?? [];
  expect([tree.micros, serve?.micros, serve?.ownMicros, write?.ownMicros]).toEqual([1600, 1600, 100, 1500]);
  expect(serve?.place).toBe("a.ts:10");
});

test("samples outside the span do not count", () => {
  expect(toTree(profile, { from: 300, until: 1000 }, "/home/").micros).toBe(500);
});

test("the hottest functions are sorted by their own time", () => {
  expect(hottest(toTree(profile, all, "/home/"), 1)).toEqual([{ name: "write", place: "", ownMicros: 1500 }]);
});

test("the flame graph has a box for each call, with text that is safe in SVG", () => {
  const svg = toFlameGraph(toTree(profile, all, "/home/"), "a < b");
  expect(svg.match(/<rect x=/g)).toHaveLength(3);
  expect(svg).toContain("a &#60; b");
  expect(svg).toContain("serve a.ts:10: 100.0 %, own 0 ms");
});
