import { beforeAll, describe, expect, test } from "bun:test";
import { findStrays } from "./import-map.ts";
import { plant } from "./planted.ts";
import { readRepository, readTree } from "./source.ts";

test("every import of this repository follows the map", async () => {
  const tree = await readRepository();
  expect(tree.files.length).toBeGreaterThan(40);
  expect(tree.files.flatMap((file) => file.imports).length).toBeGreaterThan(tree.files.length);
  expect(findStrays(tree)).toEqual([]);
});

const store = "packages/warden/src/kernel/store";
const rooms = "packages/warden/src/people/rooms";

/** Forbidden imports: what, the file, its text, and what the finding says. */
const forbidden: readonly (readonly [what: string, path: string, text: string, why: string])[] = [
  [
    "an import that points up",
    `${store}/x.ts`,
    'import { rooms } from "../../people/index.ts";',
    "points up, from warden/kernel to warden/people",
  ],
  [
    "an import of a type that points up",
    `${store}/x.ts`,
    'import type { rooms } from "../../people/index.ts";',
    "points up",
  ],
  [
    "an inline import of a type that points up",
    `${store}/x.ts`,
    'import { type rooms } from "../../people/index.ts";',
    "points up",
  ],
  ["a type by import()", `${store}/x.ts`, 'export type X = import("../../people/index.ts").rooms;', "points up"],
  [
    "a dynamic import that points up",
    `${store}/x.ts`,
    'export const x = () => import("../../people/index.ts");',
    "points up",
  ],
  ["a re-export that points up", `${store}/x.ts`, 'export { rooms } from "../../people/index.ts";', "points up"],
  ["a re-export of all that points up", `${store}/x.ts`, 'export * from "../../people/index.ts";', "points up"],
  [
    "a page that another page imports from below",
    "packages/ui/src/text/x.tsx",
    'import { room } from "../rooms/room.tsx";',
    "points up, from ui/text to ui/rooms",
  ],
  [
    "the warden in the browser",
    "packages/ui/src/rooms/x.tsx",
    'import "@hearth/warden";',
    "@hearth/warden is not declared",
  ],
  [
    "a platform in the browser",
    "packages/ui/src/rooms/x.tsx",
    'import "node:fs";',
    "a core may not import the platform",
  ],
  ["the UI in a core of the warden", `${rooms}/x.ts`, 'import "@hearth/ui/bun";', "warden may not import ui here"],
  [
    "an import of the wiring",
    `${rooms}/x.ts`,
    'import "../../warden.ts";',
    "points up, from warden/people to warden/warden.ts",
  ],
  [
    "an import past the entry of an area",
    `${rooms}/x.ts`,
    'import type { Store } from "../../kernel/store/store.ts";',
    "bypasses the entry of warden/kernel",
  ],
  ["an import of an adapter", "packages/warden/src/x.ts", 'import "./adapter/bun/main.ts";', "x.ts is in no layer"],
  ["a folder in no layer", "packages/warden/src/attic/x.ts", "export {};", "x.ts is in no layer of warden/attic"],
  ["a platform module in a core", `${rooms}/x.ts`, 'import "node:fs";', "a core may not import the platform"],
  [
    "a platform module without its prefix",
    `${rooms}/x.ts`,
    'import "fs/promises";',
    "a core may not import the platform",
  ],
  [
    "a type of the platform in a core",
    `${rooms}/x.ts`,
    'import type { Database } from "bun:sqlite";',
    "a core may not import the platform",
  ],
  [
    "types of the platform by reference",
    `${rooms}/x.ts`,
    '/// <reference types="bun-types" />\nexport {};',
    "a core may not import the platform",
  ],
  ["a required module", `${rooms}/x.ts`, 'export const x = require("node:fs");', "a core may not import the platform"],
  [
    "a computed import in a core",
    `${rooms}/x.ts`,
    "export const x = (name: string) => import(name);",
    "something computed",
  ],
  [
    "an undeclared package",
    `${rooms}/x.ts`,
    'import "hono/tiny";',
    "hono is not declared in packages/warden/package.json",
  ],
  ["a package for tests outside a test", `${rooms}/x.ts`, 'import "fast-check";', "fast-check is not declared"],
  ["an undeclared package in a test", `${rooms}/x.test.ts`, 'import "hono";', "hono is not declared"],
  [
    "a package that the map does not allow",
    `${rooms}/x.ts`,
    'import "@hearth/inmate";',
    "warden may not import inmate here",
  ],
  [
    "the warden in another command",
    "packages/cli/src/commands/stop.ts",
    'import "@hearth/warden";',
    "cli may not import warden here",
  ],
  [
    "the inside of another package",
    "packages/client/src/x.ts",
    'import "@hearth/protocol/src/index.ts";',
    "exports no src/index.ts",
  ],
  [
    "a path into another package",
    "packages/client/src/x.ts",
    'import "../../protocol/src/index.ts";',
    "leaves its package",
  ],
  ["a path without its extension", `${rooms}/x.ts`, 'import "./rooms";', "the file does not exist"],
  ["an undeclared package in a script", "scripts/x.ts", 'import "zod";', "zod is not declared in ./package.json"],
  [
    "the inside of a package in a script",
    "scripts/x.ts",
    'import "../packages/protocol/src/index.ts";',
    "leaves its package",
  ],
  [
    "the package for tests in production code",
    `${rooms}/x.ts`,
    'import { hostile } from "@hearth/testing/cells";',
    "@hearth/testing is not declared",
  ],
  [
    "the package for tests in production code that declares it",
    "packages/cli/src/commands/x.ts",
    'import { hostile } from "@hearth/testing/cells";',
    "cli may not import testing here",
  ],
  [
    "the package for tests in an adapter",
    "packages/warden/src/adapter/bun/x.ts",
    'import { hostile } from "@hearth/testing/cells";',
    "@hearth/testing is not declared",
  ],
  ["a test that is imported", `${rooms}/x.ts`, 'import "./rooms.test.ts";', "only tests may import tests"],
];

/** The file of a row, by its number: rows with the same path are separate files of one tree. */
const fileOf = (path: string, row: number): string => path.replace(/[^/]+$/, `row-${row}-$&`);

describe("the map", () => {
  const strays = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    await using planted = await plant(files);
    return findStrays(await readTree(planted.folder));
  };

  test("finds nothing in a sound tree", async () => {
    expect(await strays({})).toEqual([]);
  });

  // One tree for all rows, because each tree is a run of the linter.
  let found: readonly string[] = [];
  beforeAll(async () => {
    found = await strays(Object.fromEntries(forbidden.map(([, path, text], row) => [fileOf(path, row), `${text}\n`])));
  });

  test.each(forbidden.map(([what, path, , why], row) => [what, fileOf(path, row), why] as const))(
    "names %s",
    (_what, path, why) => {
      expect(found.filter((stray) => stray.includes(path))).toEqual([expect.stringContaining(why)]);
    },
  );

  test("names nothing else in that tree", () => {
    expect(found).toHaveLength(forbidden.length);
  });

  test("names a cycle of files, also of types", async () => {
    const files = {
      [`${rooms}/a.ts`]: 'import type { b } from "./b.ts";\nexport const a = 1;\n',
      [`${rooms}/b.ts`]: 'import { a } from "./a.ts";\nexport const b = a;\n',
    };
    expect(await strays(files)).toEqual([`a cycle of files: ${rooms}/a.ts → ${rooms}/b.ts → ${rooms}/a.ts`]);
  });

  test("names a cycle of folders on one layer in which no two files import each other", async () => {
    const files = {
      "packages/ui/src/rooms/a.ts": 'import "../jobs/b.ts";\n',
      "packages/ui/src/jobs/b.ts": "export {};\n",
      "packages/ui/src/jobs/c.ts": 'import "../rooms/d.ts";\n',
      "packages/ui/src/rooms/d.ts": "export {};\n",
    };
    expect(await strays(files)).toEqual([expect.stringContaining("a cycle of folders: ui/")]);
  });
});
