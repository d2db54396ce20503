/** Tests which files are linted again after a change. */
import { expect, test } from "bun:test";
import { findDue, hashFiles } from "./lint-cache.ts";

const TREE: Readonly<Record<string, string>> = {
  ".oxlintrc.json": "{}",
  "package-lock.json": "{}",
  "docs/page.md": "Text.",
  "packages/base/package.json": '{ "name": "@hearth/base", "exports": { ".": "./src/index.ts", "./x": "./src/x.ts" } }',
  "packages/base/src/index.ts": 'export type { Leaf } from "./leaf.ts";\n',
  "packages/base/src/leaf.ts": "export interface Leaf {}\n",
  "packages/base/src/x.ts": "export const x = 1;\n",
  "packages/top/src/top.ts": 'import type { Leaf } from "@hearth/base";\nexport type Top = Leaf;\n',
  "packages/top/src/lazy.ts": 'export const load = () => import("@hearth/base/x");\n',
  "packages/top/src/style.tsx": 'import styles from "./style.module.css";\nexport const name = styles.name;\n',
  "packages/top/src/style.module.css": ".name {}\n",
  "packages/top/src/ring.ts": 'import "./other-ring.ts";\n',
  "packages/top/src/other-ring.ts": 'import "./ring.ts";\nimport "./style.tsx";\n',
};

/** The files that are due after these files have these texts. */
const dueAfter = (change: Readonly<Record<string, string | undefined>>): readonly string[] => {
  const entries = Object.entries({ ...TREE, ...change });
  const texts = entries.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
  return findDue(hashFiles(new Map(texts)), hashFiles(new Map(Object.entries(TREE)))).toSorted();
};

const CODE = Object.keys(TREE).filter((path) => /\.tsx?$/.test(path));

test("without changes no file is due, and without a run that passed every file is", () => {
  expect(dueAfter({})).toEqual([]);
  expect(findDue(hashFiles(new Map(Object.entries(TREE))), {})).toEqual(CODE);
});

test("a changed file is due with the files that import it, also for its types and on demand", () => {
  expect(dueAfter({ "packages/base/src/leaf.ts": "export interface Leaf { a: 1 }\n" })).toEqual([
    "packages/base/src/index.ts",
    "packages/base/src/leaf.ts",
    "packages/top/src/top.ts",
  ]);
  expect(dueAfter({ "packages/base/src/x.ts": "export const x = 2;\n" })).toEqual([
    "packages/base/src/x.ts",
    "packages/top/src/lazy.ts",
  ]);
});

test("a changed file is due with every file of a circle of imports above it", () => {
  expect(dueAfter({ "packages/top/src/style.module.css": ".other {}\n" })).toEqual([
    "packages/top/src/other-ring.ts",
    "packages/top/src/ring.ts",
    "packages/top/src/style.tsx",
  ]);
});

test("a removed, added or renamed import target makes its importers due", () => {
  expect(dueAfter({ "packages/base/src/x.ts": undefined })).toEqual(["packages/top/src/lazy.ts"]);
  expect(dueAfter({ "packages/top/src/new.ts": "export {};\n" })).toEqual(["packages/top/src/new.ts"]);
});

test.each([
  [".oxlintrc.json", "{ }"],
  ["package-lock.json", "{ }"],
  ["tsconfig.json", "{}"],
  ["scripts/lint-rules.js", "export default {};\n"],
  ["packages/top/src/css.d.ts", "declare const name: string;\n"],
  ["packages/top/src/more.ts", "declare global {}\n"],
])("a change of %s makes every file due", (path, text) => {
  const due = dueAfter({ [path]: text });
  expect(due.filter((each) => each !== path)).toEqual(CODE.toSorted());
});

test("a page of documentation makes no file due", () => {
  expect(dueAfter({ "docs/page.md": "Other text." })).toEqual([]);
});
