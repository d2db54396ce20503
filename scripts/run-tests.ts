/**
 * Runs the test files in parallel and counts from the runner's own report, never from its exit code alone:
 * a file without tests, one that dies while loading and one that ends the process all count as failed.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTests } from "./test-report.ts";

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
            "--reporter=junit",
            `--reporter-outfile=${report}`,
          ],
          ...options,
          ...files.map((file) => `./${file}`),
        ],
        { stdin: "ignore", stdout: "inherit", stderr: "inherit" },
      ).exited;
const count = countTests({
  report: await readFile(report, "utf8").catch(() => ""),
  files,
  exitCode,
});
await rm(folder, { recursive: true, force: true });

for (const complaint of count.complaints) console.log(complaint);
if (count.skipped > 0) console.log(`${count.skipped} skipped`);
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 ? 0 : 1);
