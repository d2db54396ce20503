/**
 * Runs the test files in parallel and counts from the runner's own report, never from its exit code alone:
 * a file without tests, one that dies while loading and one that ends the process all count as failed.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bubblewrap, chromium, getProgram, strace } from "./program.ts";
import { countHomes, countTests } from "./test-report.ts";

/** A test that is not done by then hangs. What a busy machine is slow at is no failure: times are the matter of `bench/`. */
const HANGS_AFTER_MS = 300_000;
const FOLDERS = ["packages", "tests", "bench", "scripts"];

const findFiles = async (words: readonly string[]): Promise<readonly string[]> => {
  const files: string[] = [];
  for await (const file of new Bun.Glob(`{${FOLDERS.join(",")}}/**/*.test.{ts,tsx}`).scan(".")) {
    if (!file.includes("node_modules/") && (words.length === 0 || words.some((word) => file.includes(word))))
      files.push(file);
  }
  return files.sort();
};

const options = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const files = await findFiles(process.argv.slice(2).filter((argument) => !argument.startsWith("-")));
const folder = await mkdtemp(join(tmpdir(), "hearth-tests-"));
const report = join(folder, "report.xml");
/** A line for each home of a journey that was looked through for secrets: `clean` or `leaked`. */
const canaryCount = join(folder, "canary");

const CELLS = "packages/warden/src/adapter/bun/cells/";

/** Tests of a folder that need a program, and the variable that tells them where it is. */
const NEEDS = [
  { folder: "tests/browser/", tests: "browser tests", program: chromium, variable: "HEARTH_CHROMIUM" },
  { folder: CELLS, tests: "cells that bubblewrap makes", program: bubblewrap, variable: "HEARTH_BUBBLEWRAP" },
  { folder: "tests/power/", tests: "traces of system calls", program: strace, variable: "HEARTH_STRACE" },
] as const;
const needed = NEEDS.filter(({ folder }) => files.some((file) => file.startsWith(folder))).map((need) => ({
  ...need,
  found: getProgram(need.program, (text) => console.error(text)),
}));

const exitCode =
  files.length === 0
    ? 0
    : await Bun.spawn(
        [
          ...[
            process.execPath,
            "--no-install",
            "test",
            "--parallel",
            `--timeout=${HANGS_AFTER_MS}`,
            "--reporter=junit",
            `--reporter-outfile=${report}`,
          ],
          ...options,
          ...files.map((file) => `./${file}`),
        ],
        {
          stdin: "ignore",
          stdout: "inherit",
          stderr: "inherit",
          env: {
            ...process.env,
            HEARTH_CANARY_COUNT: canaryCount,
            ...Object.fromEntries(
              needed.flatMap(({ variable, found }) => ("path" in found ? [[variable, found.path]] : [])),
            ),
          },
        },
      ).exited;
const count = countTests({
  report: await readFile(report, "utf8").catch(() => ""),
  files,
  exitCode,
});
const canary = countHomes({ lines: await readFile(canaryCount, "utf8").catch(() => ""), files });
await rm(folder, { recursive: true, force: true });

for (const complaint of [...count.complaints, ...canary.complaints]) console.log(complaint);
if (canary.homes > 0) console.log(`${canary.homes} homes of journeys looked through for a secret`);
for (const { tests, found } of needed) if ("why" in found) console.log(`The ${tests} were skipped: ${found.why}.`);
if (count.skipped > 0) console.log(`${count.skipped} skipped`);
const failed = count.failed + canary.complaints.length;
console.log(`${count.passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
