/** Tests of the rule `house/function-length`. */
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { plant } from "./planted.ts";
import { lint, root } from "./source.ts";

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
  "x.test.ts": lines("export const run = () => {", 71),
  "x.conformance.ts": lines("export const run = () => {", 71),
  "fake-run.ts": lines("export const run = () => {", 71),
  "run-fake.ts": lines("export const run = () => {", 71),
  "fakes/run.ts": lines("export const run = () => {", 71),
  "fixtures/run.ts": lines("export const run = () => {", 71),
};

let messages: readonly string[] = [];

beforeAll(async () => {
  await using planted = await plant({
    ...Object.fromEntries(Object.entries(sources).map(([name, text]) => [`${folder}/${name}`, `${text}\n`])),
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
  ])("refuses %s with %i lines", (key, count, limit) => {
    expect(messages).toContain(`${folder}/${key} has ${count} lines, more than ${limit}: split it.`);
  });

  test("refuses nothing else", () => {
    expect(messages).toHaveLength(8);
  });
});
