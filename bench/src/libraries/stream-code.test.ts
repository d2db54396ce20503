import { expect, test } from "bun:test";
import { countRepeated, report, toSource } from "./stream-code.ts";

const lines = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `const line${first + at} = 1;`).join("\n");

test("`toSource` counts lines of code, without comments and empty lines", () => {
  const { lines: counted, part } = toSource(
    "kernel/streams/tail.ts",
    "/** Doc\n * more */\nconst a = 1;\n\n// no\nconst b = 2;\n",
  );
  expect([counted, part]).toEqual([["const a = 1;", "const b = 2;"], "engine"]);
});

test("`toSource` resolves imports and lists their names", () => {
  const { imports } = toSource("kernel/streams/bytes/x.ts", 'import { type A, b } from "../streams.ts";\n');
  expect(imports).toEqual([{ from: "kernel/streams/streams.ts", names: ["A", "b"] }]);
});

test("`countRepeated` counts the lines of runs that both sides have", () => {
  const one = toSource("kernel/streams/bytes/x.ts", `${lines(0, 3)}\n${lines(100, 7)}\n${lines(10, 3)}`);
  const other = toSource("kernel/streams/tail.ts", `${lines(50, 2)}\n${lines(100, 7)}`);
  expect(countRepeated([one], [other])).toBe(7);
  expect(countRepeated([one], [toSource("kernel/streams/tail.ts", lines(100, 5))])).toBe(0);
});

test("`report` counts tests apart and names what crosses the border", () => {
  const figures = report([
    toSource("kernel/streams/bytes/x.ts", 'import type { DurableStreams } from "../streams.ts";\nconst a = 1;\n'),
    toSource("kernel/streams/bytes/x.test.ts", lines(0, 4)),
    toSource("kernel/streams/streams.ts", "const b = 1;\n"),
  ]);
  expect(figures.find(({ what }) => what === "byte streams")).toMatchObject({ value: 2, note: "4 lines of tests" });
  expect(figures.find(({ what }) => what === "imported by byte streams from the engine")?.note).toBe("DurableStreams");
  expect(figures.find(({ what }) => what === "imported by the engine from byte streams")?.value).toBe(0);
});
