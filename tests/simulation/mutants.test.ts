/**
 * Tests that the simulation detects two mutants. `npm run mutants` runs all mutants, and
 * `npm run mutants -- --families` the mutant of each fault family with and without it.
 */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";
import { FAMILIES } from "./families.ts";
import { findUnfitEdit, root, runMutants } from "./run-mutants.ts";

/** Two bugs that few seeds detect quickly. `npm run mutants` runs all mutants. */
const QUICK = new Set(["rows and events are two commits", "a message is sent before its row says so"]);

test("every rule has at least two mutants, and their names are unique", () => {
  for (const rule of [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    "stop",
    "rest",
    "cells",
    "approval",
    "jobs",
    "compaction",
    "faults",
  ] as const)
    expect(mutants.filter((mutant) => mutant.rule === rule).length).toBeGreaterThanOrEqual(2);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test("every edit's text is in its file exactly once, and the named test files exist", async () => {
  const unfit = await Promise.all(mutants.map(({ edits }) => findUnfitEdit(root, edits)));
  expect(unfit.filter((edit) => edit !== undefined)).toEqual([]);
  const missing = mutants
    .flatMap(({ tests = [] }) => tests)
    .filter((path) => !existsSync(join(root, "packages", path)));
  expect(missing).toEqual([]);
});

/**
 * Names that edits use although their files do not: of the language, of built-in objects, of
 * columns, and words of texts.
 */
const OTHER_NAMES = new Set(
  "Awaited Infinity ReturnType another catch cause_offset continue else fresh id ids isReproducible outcome race repeat role setImmediate slice typeof void".split(
    " ",
  ),
);

const namesIn = (code: string): ReadonlySet<string> => {
  const withoutTexts = code
    .replaceAll(/\/\/.*$/gm, "")
    .replaceAll(/"[^"]*"|'[^']*'/g, "")
    .replaceAll(/`[^`]*`/g, (template) => [...template.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => inner).join(" "));
  return new Set(withoutTexts.match(/\b[A-Za-z_$][\w$]*/g));
};

test("every edit uses names of its file, so that a renamed value does not fail in place of the bug", async () => {
  for (const { name, edits } of mutants)
    for (const { file, to } of edits) {
      const source = await Bun.file(join(root, "packages", file)).text();
      const declared = new Set([...to.matchAll(/(?:\bconst|\blet|\()\s*(\w+)/g)].map(([, word]) => word));
      const unknown = [...namesIn(to)].filter(
        (word) =>
          !declared.has(word) && !OTHER_NAMES.has(word) && !new RegExp(`\\b${RegExp.escape(word)}\\b`).test(source),
      );
      expect({ name, unknown }).toEqual({ name, unknown: [] });
    }
});

test("mutants of packages that others import by name take effect in the copy", async () => {
  const ending = (name: string, file: string, from: string): Mutant => ({
    name,
    rule: 0,
    edits: [{ file, from, to: `process.exit(93);\n${from}` }],
  });
  const verdicts = await runMutants(
    [
      ending("importing the protocol ends the process", "protocol/src/base/ids.ts", 'const BODY = "'),
      ending("importing the inmate ends the process", "inmate/src/inmate.ts", "export const runInmate ="),
    ],
    1,
    () => {},
  );
  expect(verdicts.map(({ fate }) => fate)).toEqual([
    { kind: "killed", by: "enumeration", why: "it ended with 93: " },
    { kind: "killed", by: "enumeration", why: "it ended with 93: " },
  ]);
}, 600_000);

test("mutants of two rules are detected", async () => {
  const chosen = mutants.filter(({ name }) => QUICK.has(name));
  expect(new Set(chosen.map(({ rule }) => rule)).size).toBe(QUICK.size);
  const verdicts = await runMutants(chosen, 2, () => {});
  expect(
    verdicts.filter(({ fate }) => fate.kind !== "killed").map(({ mutant, fate }) => ({ name: mutant.name, fate })),
  ).toEqual([]);
}, 2_400_000);

test("each fault family has one mutant that names it as the only one that detects it", () => {
  expect(mutants.flatMap(({ only }) => only ?? []).toSorted()).toEqual(FAMILIES.toSorted());
  for (const { only, families = "" } of mutants) if (only !== undefined) expect(families.split(",")).toContain(only);
});
