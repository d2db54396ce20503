/** That the net catches fish: bugs that are put into the engine are noticed. These are some of them, one per rule; all: `npm run mutants`. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";
import { findUnfitEdit, root, runMutants } from "./run-mutants.ts";

const QUICK = new Set([
  "rows and events are two commits",
  "a message is accepted before it is kept",
  "how far a room was read is kept before what was read there",
  "two activations of one lane run at once",
  "what was taken in is not journaled",
  "a plain call that may have happened is made again",
  "a reply names only the first of the messages that it answers",
  "a message is sent before its row says so",
  "of several calls only the first is answered",
  "whoever waits is not told that it is over",
  "a stop is forgotten with the daemon",
  "a person's own words are held back as a bot's are",
  "a reply is taken while a call runs, or was left begun",
  "a call that was denied is made",
  "every slot that passed is caught up with, whatever the rule",
  "nothing is noted of a talk before it is summed up",
]);

test("there are two mutants against each rule at least, and each has a name of its own", () => {
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
    "word",
    "jobs",
    "compaction",
    "faults",
  ] as const)
    expect(mutants.filter((mutant) => mutant.rule === rule).length).toBeGreaterThanOrEqual(2);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test("the text that a mutant changes is in its file exactly once, and the tests that it names exist", async () => {
  const unfit = await Promise.all(mutants.map(({ edits }) => findUnfitEdit(root, edits)));
  expect(unfit.filter((edit) => edit !== undefined)).toEqual([]);
  const missing = mutants
    .flatMap(({ tests = [] }) => tests)
    .filter((path) => !existsSync(join(root, "packages", path)));
  expect(missing).toEqual([]);
});

test("mutants of packages that others import by name take effect in the copy", async () => {
  const ending = (name: string, file: string, from: string): Mutant => ({
    name,
    rule: 0,
    edits: [{ file, from, to: `process.exit(93);\n${from}` }],
  });
  const verdicts = await runMutants(
    [
      ending("importing the protocol ends the process", "protocol/src/ids.ts", 'const BODY = "'),
      ending("importing the inmate ends the process", "inmate/src/loop/loop.ts", "export const startLoop ="),
    ],
    1,
    () => {},
  );
  expect(verdicts.map(({ fate }) => fate)).toEqual([
    { kind: "killed", by: "enumeration", why: "it ended with 93: " },
    { kind: "killed", by: "enumeration", why: "it ended with 93: " },
  ]);
}, 60_000);

test("a mutant of each rule is noticed", async () => {
  const chosen = mutants.filter(({ name }) => QUICK.has(name));
  expect(new Set(chosen.map(({ rule }) => rule)).size).toBe(16);
  const verdicts = await runMutants(chosen, 2, () => {});
  expect(
    verdicts.filter(({ fate }) => fate.kind !== "killed").map(({ mutant, fate }) => ({ name: mutant.name, fate })),
  ).toEqual([]);
}, 2_400_000);
