import { expect, test } from "bun:test";
import { readArguments, toHelp } from "./arguments.ts";
import type { Bench } from "./bench.ts";

const bench = (name: string): Bench => ({
  name,
  about: `measures ${name}`,
  run: async () => [],
});
const table = [bench("ready"), bench("rate"), bench("install")];

const names = (...words: string[]): readonly string[] => {
  const wish = readArguments(words, table);
  if (wish.kind !== "run") throw new Error(wish.kind);
  return wish.benches.map(({ name }) => name);
};

test("without a name every bench runs", () => {
  expect(names()).toEqual(["ready", "rate", "install"]);
});

test("names choose, and run in the order of the table", () => {
  expect(names("rate", "ready")).toEqual(["ready", "rate"]);
});

test("a long bench runs only when it is named", () => {
  const long: Bench = { ...bench("storm"), isLong: true };
  const all = readArguments([], [...table, long]);
  expect(all.kind === "run" && all.benches.map(({ name }) => name)).toEqual(["ready", "rate", "install"]);
  const named = readArguments(["storm", "--kills", "7", "--seed", "3", "--rest", "30"], [...table, long]);
  expect(named).toMatchObject({ benches: [{ name: "storm" }], given: { kills: 7, seed: 3, restSeconds: 30 } });
  expect(readArguments(["storm", "--kills", "many"], [...table, long]).kind).toBe("wrong");
});

test("--json and --check are off unless they are there", () => {
  expect(readArguments(["rate"], table)).toMatchObject({ json: false, check: false });
  expect(readArguments(["rate", "--json", "--check"], table)).toMatchObject({ json: true, check: true });
});

test("an unknown name or option is refused, and the names that exist are told", () => {
  expect(readArguments(["speed"], table)).toEqual({
    kind: "wrong",
    message: 'There is no bench "speed". There are: ready, rate, install.',
  });
  expect(readArguments(["--fast"], table).kind).toBe("wrong");
});

test("help lists every bench", () => {
  expect(readArguments(["--help", "speed"], table)).toEqual({ kind: "help" });
  expect(toHelp(table)).toContain("  rate        measures rate\n  install     measures install");
});
