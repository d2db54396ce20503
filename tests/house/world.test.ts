/**
 * Tests that the linter's rules fire in the right places. A misspelt rule, or one that matches no
 * file, is silent.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { plant } from "./planted.ts";
import { lint, root } from "./source.ts";

/** Code that must be refused, with the rule. `X` is an unused name. */
const inCores: Readonly<Record<string, string>> = {
  "export const X = Date.now();": "eslint(no-restricted-properties)",
  "export const X = Math.random();": "eslint(no-restricted-properties)",
  "export const X = AbortSignal.timeout(5);": "eslint(no-restricted-properties)",
  "export const X = new Date();": "house(no-ambient-date)",
  "export const X = Date();": "house(no-ambient-date)",
  "export class X {}": "house(no-class)",
  'import "node:fs/promises";': "eslint(no-restricted-imports)",
  'import "bun";': "eslint(no-restricted-imports)",
  'import "bun:sqlite";': "eslint(no-restricted-imports)",
  'import "cloudflare:workers";': "eslint(no-restricted-imports)",
  ...Object.fromEntries(
    [
      "process.pid",
      "Bun.version",
      'fetch("x")',
      "globalThis.fetch",
      "setTimeout(() => 0, 1)",
      "setInterval(() => 0, 1)",
      "setImmediate(() => 0)",
      "queueMicrotask(() => 0)",
      "performance.now()",
      "crypto.randomUUID()",
      'Buffer.from("x")',
      'require("x")',
      'console.log("x")',
      'new WebSocket("x")',
      "navigator.language",
    ].map((code) => [`export const X = ${code};`, "eslint(no-restricted-globals)"]),
  ),
};
const inSource: Readonly<Record<string, string>> = {
  "export const X = async () => await 1;": "typescript(await-thenable)",
  "export let X = 1;\nexport const set = () => {\n  X = 2;\n};": "house(no-module-state)",
};
/** Refused in every package, because a promise that nothing observes loses its failure. */
const unobserved: Readonly<Record<string, string>> = {
  "export const X = (y: () => Promise<void>) => () => void y();": "house(no-void-call)",
  'export const X = (y: Map<string, Promise<void>>) => () => void y.get("z");': "house(no-void-call)",
  "export const X = (y: () => Promise<void>) => {\n  void y();\n};": "typescript(no-floating-promises)",
};
const inAdapters: Readonly<Record<string, string>> = {
  "export const X = process.env;": "eslint(no-restricted-properties)",
  "export const X = Bun.env;": "eslint(no-restricted-properties)",
};
const everywhere: Readonly<Record<string, string>> = {
  "export default 1;": "import(no-default-export)",
  "export const X = (y: any) => y as string;": "typescript(no-explicit-any)",
  'import { Y } from "./y.ts";\nexport const X = (y: Y) => y;': "typescript(consistent-type-imports)",
  "const X = 1;": "eslint(no-unused-vars)",
  "const x = async () => 1;\nexport const X = () => {\n  x();\n};": "typescript(no-floating-promises)",
  "export const X = (x: Promise<number>) => (x ? 1 : 2);": "typescript(no-misused-promises)",
  'export const X = (x: "a" | "b") => {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n};':
    "typescript(switch-exhaustiveness-check)",
  'import type { X as Z } from "./cycle.ts";\nexport type X = Z;': "import(no-cycle)",
};
/** Code that a core may contain. */
const sound = [
  "export const X = (now: number) => new Date(now).toISOString();",
  "export const X = (options: { fetch: () => Promise<void> }) => options.fetch();",
  "export const X = (fetch: () => number) => fetch();",
  "export class XError extends Error {}",
  "export const X = new AbortController().signal;",
  "export const X = Math.max(1, 2);",
  "const y = new Set<string>();\nexport const X = (z: string) => void y.add(z);",
  "export const X = async (y: () => Promise<number>) => void (await y());",
];

/** A test may use the platform; the `any` shows that the linter has read it. */
const inTest = `import { hostname } from "node:os";
export let x = hostname() + process.pid + Date.now() + Math.random() + performance.now();
x = String(new Date()) + Bun.env["HOME"];
export class Double {}
export const y = (z: any) => setTimeout(() => z as unknown, 1);
`;

const places = {
  core: "packages/warden/src/rooms",
  adapter: "packages/warden/src/adapter/bun",
  command: "packages/cli/src/commands",
  client: "packages/client/src/rooms",
  page: "packages/ui/src/rooms",
  tests: "tests/journeys",
};
/** Entry points, which may read the environment. */
const readers = ["packages/warden/src/adapter/bun/env.ts", "packages/cli/src/main.ts", "packages/cli/src/terminal.ts"];
const codes = [inCores, inSource, unobserved, inAdapters, everywhere].flatMap(Object.keys);

/** File → rules that fired. */
const fired = new Map<string, readonly string[]>();
const pathOf = (place: string, code: string): string => `${place}/x${[...codes, ...sound].indexOf(code)}.ts`;
const rulesAt = (place: string, code: string): readonly string[] => fired.get(pathOf(place, code)) ?? [];

beforeAll(async () => {
  const files = Object.values(places).flatMap((place) => [
    ...[...codes, ...sound].map(
      (code) => [pathOf(place, code), `${code.replace("./cycle.ts", `.${pathOf("", code)}`)}\n`] as const,
    ),
    [`${place}/y.ts`, "export interface Y {}\n"] as const,
    [`${place}/x.test.ts`, inTest] as const,
  ]);
  await using planted = await plant({
    ...Object.fromEntries(files),
    ...Object.fromEntries(readers.map((path) => [path, "export const X = process.env;\n"])),
    "tsconfig.json": JSON.stringify({
      extends: "./tsconfig.base.json",
      include: ["packages/*/src/**/*.ts", "tests/**/*.ts"],
    }),
  });
  await mkdir(join(planted.folder, "scripts"));
  for (const path of [".oxlintrc.json", "scripts/lint-rules.js", "tsconfig.base.json"]) {
    await copyFile(join(root, path), join(planted.folder, path));
  }
  for (const { filename, code = "" } of await lint(planted.folder, [])) {
    fired.set(filename, [...(fired.get(filename) ?? []), code]);
  }
});

describe("the linter, in a core,", () => {
  test.each(Object.entries({ ...inCores, ...inSource, ...unobserved, ...everywhere }))(
    "refuses %p by %s",
    (code, rule) => {
      expect(rulesAt(places.core, code)).toContain(rule);
    },
  );

  test.each(sound.map((code) => [code]))("passes %p", (code) => {
    expect(rulesAt(places.core, code)).toEqual([]);
  });
});

describe("the linter, outside the cores,", () => {
  test.each(Object.entries(unobserved))("refuses %p in every package by %s", (code, rule) => {
    for (const place of [places.adapter, places.command, places.client, places.page])
      expect(rulesAt(place, code)).toContain(rule);
  });

  test.each(Object.entries({ ...inAdapters, ...inSource, ...everywhere }))("refuses %p by %s", (code, rule) => {
    expect(rulesAt(places.adapter, code)).toContain(rule);
    expect(rulesAt(places.command, code)).toContain(rule);
  });

  test.each(Object.entries(everywhere))("refuses %p by %s in tests too", (code, rule) => {
    expect(rulesAt(places.tests, code)).toContain(rule);
  });

  test.each(Object.entries(inCores))("leaves %p alone", (code, rule) => {
    for (const place of [places.adapter, places.command, places.tests])
      expect(rulesAt(place, code)).not.toContain(rule);
  });

  test.each(readers)("lets %s read the environment", (path) => {
    expect(fired.get(path) ?? []).toEqual([]);
  });

  test("lets a test beside a core use the platform", () => {
    expect(fired.get(`${places.core}/x.test.ts`)).toEqual(["typescript(no-explicit-any)"]);
  });
});
