/**
 * Tests of the rule `house/function-length` and of its list of long functions, which only shrinks.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { plant } from "./planted.ts";
import { lint, root } from "./source.ts";

const LIST = "scripts/long-functions.json";
const folder = "packages/warden/src/rooms";

/** A function of that many lines. `begin` is all of its first line. */
const lines = (begin: string, count: number, end = "};"): string =>
  [begin, ...Array.from({ length: count - 2 }, (_, index) => `  void ${index};`), end].join("\n");

const sources: Readonly<Record<string, string>> = {
  "short.ts": lines("export const run = () => {", 70),
  "long.ts": lines("export const run = () => {", 71),
  "declared.ts": lines("export function run() {", 71, "}"),
  "method.ts": `export const made = {\n${lines("run() {", 71, "},")}\n};`,
  "argument.ts": `export const run = (each: (body: () => void) => void) =>\n${lines("each(() => {", 71, "});")}`,
  "nested.ts": `export const createRun = () => {\n${lines("const inner = () => {", 71)}\nreturn inner;\n};`,
  "short-factory.ts": lines("export const createRun = () => {", 150),
  "long-factory.ts": lines("export const openRun = () => {", 151),
  "created.ts": lines("export const creates = () => {", 71),
  "listed.ts": lines("export const run = () => {", 80),
  "grown.ts": lines("export const run = () => {", 81),
  "shortened.ts": lines("export const run = () => {", 70),
  "x.test.ts": lines("export const run = () => {", 71),
  "x.conformance.ts": lines("export const run = () => {", 71),
  "fake-run.ts": lines("export const run = () => {", 71),
  "run-fake.ts": lines("export const run = () => {", 71),
  "fakes/run.ts": lines("export const run = () => {", 71),
  "fixtures/run.ts": lines("export const run = () => {", 71),
};

let messages: readonly string[] = [];

beforeAll(async () => {
  const entries = ["listed.ts", "grown.ts", "shortened.ts"].map((name) => [`${folder}/${name}#run`, 80]);
  await using planted = await plant({
    ...Object.fromEntries(Object.entries(sources).map(([name, text]) => [`${folder}/${name}`, `${text}\n`])),
    [LIST]: JSON.stringify(Object.fromEntries(entries)),
    "tsconfig.json": JSON.stringify({ extends: "./tsconfig.base.json", include: ["packages/*/src/**/*.ts"] }),
  });
  await mkdir(join(planted.folder, "scripts"), { recursive: true });
  for (const path of [".oxlintrc.json", "scripts/lint-rules.js", "tsconfig.base.json"])
    await copyFile(join(root, path), join(planted.folder, path));
  const found = await lint(planted.folder, []);
  messages = found.filter(({ code }) => code === "house(function-length)").map(({ message }) => message);
});

describe("the rule", () => {
  test.each([
    ["long.ts#run", 71, "70"],
    ["declared.ts#run", 71, "70"],
    ["method.ts#run", 71, "70"],
    ["argument.ts#run", 72, "70"],
    ["argument.ts#run.each", 71, "70"],
    ["nested.ts#createRun.inner", 71, "70"],
    ["created.ts#creates", 71, "70"],
    ["long-factory.ts#openRun", 151, "150"],
    ["grown.ts#run", 81, `80 in ${LIST}`],
  ])("refuses %s with %i lines", (key, count, limit) => {
    expect(messages).toContain(`${folder}/${key} has ${count} lines, more than ${limit}: split it.`);
  });

  test("refuses an entry in the list whose function is short enough", () => {
    expect(messages).toContain(`${folder}/shortened.ts#run is short enough: remove it from ${LIST}.`);
  });

  test("refuses nothing else", () => {
    expect(messages).toHaveLength(10);
  });
});

test("every entry in the list names a file that exists", async () => {
  const paths = Object.keys(await Bun.file(join(root, LIST)).json()).map((key) => key.split("#")[0] ?? "");
  const exist = await Promise.all(paths.map((path) => Bun.file(join(root, path)).exists()));
  expect(paths.filter((_, index) => exist[index] !== true)).toEqual([]);
});
