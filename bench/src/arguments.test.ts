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
  const command = readArguments(words, table);
  if (command.kind !== "run") throw new Error(command.kind);
  return command.benches.map(({ name }) => name);
};

test("without a name every bench runs", () => {
  expect(names()).toEqual(["ready", "rate", "install"]);
});

test("names select benches, which run in the order of the table", () => {
  expect(names("rate", "ready")).toEqual(["ready", "rate"]);
});

test("a long bench runs only when it is named", () => {
  const long: Bench = { ...bench("storm"), isLong: true };
  const all = readArguments([], [...table, long]);
  expect(all.kind === "run" && all.benches.map(({ name }) => name)).toEqual(["ready", "rate", "install"]);
  const named = readArguments(
    ["storm", "--kills", "7", "--seed", "3", "--days", "9", "--rest", "30"],
    [...table, long],
  );
  expect(named).toMatchObject({ benches: [{ name: "storm" }], input: { kills: 7, seed: 3, days: 9, restSeconds: 30 } });
  expect(readArguments(["storm", "--kills", "many"], [...table, long]).kind).toBe("wrong");
});

test("--json and --check are off by default", () => {
  expect(readArguments(["rate"], table)).toMatchObject({ json: false, check: false });
  expect(readArguments(["rate", "--json", "--check"], table)).toMatchObject({ json: true, check: true });
});

test("an unknown name is rejected with the valid names, and so is an unknown option", () => {
  expect(readArguments(["speed"], table)).toEqual({
    kind: "wrong",
    message: 'Unknown bench "speed". Use one of: ready, rate, install.',
  });
  expect(readArguments(["--fast"], table).kind).toBe("wrong");
});

test("help lists every bench", () => {
  expect(readArguments(["--help", "speed"], table)).toEqual({ kind: "help" });
  expect(toHelp(table)).toContain("  rate        measures rate\n  install     measures install");
});
