/**
 * Runs the test files in parallel and counts results from the runner's report, not from its exit
 * code alone: a file without tests, one that fails while loading and one that exits the process all
 * count as failed.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { bubblewrap, chromium, getProgram, strace } from "./program.ts";
import { groupTests, type TestGroup } from "./test-groups.ts";
import { timingsOf } from "./test-order.ts";
import { countHomes, countTests, type TestCount } from "./test-report.ts";

/**
 * Time limit of a test, after which it counts as hanging. It is long, because slowness on a busy
 * machine is not a failure. `bench/` measures durations.
 */
const TEST_TIMEOUT_MS = 300_000;
/** The same for groups of low priority, which a busy machine delays further. */
const PATIENT_TEST_TIMEOUT_MS = 1_800_000;
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
/** Has one line for each home of a journey that was searched for secrets: `clean` or `leaked`. */
const canaryCount = join(folder, "canary");

/** Has the statements that the tests and their daemons sent to databases. */
const statements = join(folder, "statements");

const CELLS = "packages/warden/src/adapter/bun/cells/";

/** Folders of tests that need a program, and the variable with its path. */
const NEEDS = [
  { folder: "tests/browser/", tests: "browser tests", program: chromium, variable: "HEARTH_CHROMIUM" },
  { folder: CELLS, tests: "bubblewrap cells", program: bubblewrap, variable: "HEARTH_BUBBLEWRAP" },
  { folder: "tests/power/", tests: "system call traces", program: strace, variable: "HEARTH_STRACE" },
] as const;
const needed = NEEDS.filter(({ folder }) => files.some((file) => file.startsWith(folder))).map((need) => ({
  ...need,
  found: getProgram(need.program, (text) => console.error(text)),
}));

/**
 * Folders of tests that start the command about a hundred times. The command is precompiled for
 * them, which halves the time of a start.
 */
const STARTS = ["tests/journeys/", "tests/browser/", "tests/power/", "tests/public/"];
const COMPILE = ["--no-install", "--no-env-file", "packages/cli/src/compiled/build.ts"];
if (files.some((file) => STARTS.some((start) => file.startsWith(start))))
  await Bun.spawn([process.execPath, ...COMPILE], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).exited;

const lanes = groupTests(files, availableParallelism());
const nice = Bun.which("nice");

/** Runs a group. In the background, it prints its output at the end. */
const run = async (group: TestGroup, inBackground: boolean): Promise<TestCount> => {
  const name = group.name.replaceAll("/", "-");
  const report = join(folder, `${name}.xml`);
  const timings = join(folder, `${name}.json`);
  await writeFile(timings, timingsOf(group.files));
  const child = Bun.spawn(
    [
      ...(group.isPatient && nice !== null ? [nice, "-n", "10"] : []),
      ...[process.execPath, "--no-install", "test", ...group.flags, `--timings=${timings}`],
      ...[
        `--timeout=${group.isPatient ? PATIENT_TEST_TIMEOUT_MS : TEST_TIMEOUT_MS}`,
        "--reporter=junit",
        `--reporter-outfile=${report}`,
      ],
      ...options,
      ...group.files.map((file) => `./${file}`),
    ],
    {
      stdin: "ignore",
      stdout: inBackground ? "pipe" : "inherit",
      stderr: inBackground ? "pipe" : "inherit",
      env: {
        ...process.env,
        HEARTH_CANARY_COUNT: canaryCount,
        HEARTH_STATEMENTS: statements,
        ...Object.fromEntries(
          needed.flatMap(({ variable, found }) => ("path" in found ? [[variable, found.path]] : [])),
        ),
      },
    },
  );
  const output = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream ?? "").text()));
  const exitCode = await child.exited;
  if (inBackground) console.error(output.join(""));
  return countTests({ report: await readFile(report, "utf8").catch(() => ""), files: group.files, exitCode });
};

const runInOrder = async (groups: readonly TestGroup[], inBackground: boolean): Promise<readonly TestCount[]> => {
  const counts: TestCount[] = [];
  for (const group of groups) counts.push(await run(group, inBackground));
  return counts;
};

/** Returns the output lines of the program that checks the recorded statements. */
const checkStatements = async (): Promise<readonly string[]> => {
  const check = Bun.spawn(
    [process.execPath, "--no-install", join(import.meta.dir, "../tests/check-statements.ts"), statements],
    {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  const output = await check.stdout.text();
  if ((await check.exited) !== 0) return ["The check of statements ended with an error."];
  return output.split("\n").filter((line) => line !== "");
};

const counts =
  lanes.length === 0
    ? [countTests({ report: "", files: [], exitCode: 0 })]
    : (await Promise.all(lanes.map((groups, index) => runInOrder(groups, index > 0)))).flat();
const sum = (of: (count: TestCount) => number): number => counts.reduce((all, count) => all + of(count), 0);
const canary = countHomes({ lines: await readFile(canaryCount, "utf8").catch(() => ""), files });
const slow = existsSync(statements) ? await checkStatements() : [];
await rm(folder, { recursive: true, force: true });

for (const failure of counts.flatMap(({ failures }) => failures)) console.log(failure);
for (const complaint of [...slow, ...counts.flatMap(({ complaints }) => complaints), ...canary.complaints])
  console.log(complaint);
if (canary.homes > 0) console.log(`${canary.homes} homes of journeys searched for a secret`);
for (const { tests, found } of needed) if ("why" in found) console.log(`The ${tests} were skipped: ${found.why}.`);
const skipped = sum((count) => count.skipped);
if (skipped > 0) console.log(`${skipped} skipped`);
const failed = sum((count) => count.failed) + canary.complaints.length + slow.length;
console.log(`${sum((count) => count.passed)} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
