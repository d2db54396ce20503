/**
 * Lints the files that are due, as lint-cache.ts defines it, and all files if no run passed before.
 * The argument names the file that keeps the hashes of files that passed.
 */
import { dirname, join } from "node:path";
import { mkdir } from "node:fs/promises";
import { findDue, hashFiles, type Passed } from "./lint-cache.ts";

const root = join(import.meta.dir, "..");
const [place] = process.argv.slice(2);
if (place === undefined) throw new Error("usage: scripts/lint-changed.ts CACHE-FILE");

/** Files that git tracks or would add. Undefined without git, or outside a checkout. */
const listFiles = async (): Promise<readonly string[] | undefined> => {
  if (Bun.which("git") === null) return undefined;
  const child = Bun.spawn(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    stdout: "pipe",
    stderr: "ignore",
  });
  const paths = (await child.stdout.text()).split("\0").filter((path) => path !== "");
  return (await child.exited) === 0 ? paths : undefined;
};

const readTexts = async (paths: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const texts = await Promise.all(
    paths.map(async (path) => {
      const file = Bun.file(join(root, path));
      return (await file.exists()) ? ([[path, await file.text()]] as const) : [];
    }),
  );
  return new Map(texts.flat());
};

const readPassed = async (path: string): Promise<Passed> => {
  const file = Bun.file(path);
  return (await file.exists()) ? await file.json() : {};
};

/** Lints these files, or all. Files that the linter ignores may be among them, even alone. */
const run = async (paths: readonly string[]): Promise<number> => {
  const linter = join(root, "node_modules/oxlint/bin/oxlint");
  const options = paths.length === 0 ? [] : ["--no-error-on-unmatched-pattern", ...paths];
  const child = Bun.spawn([process.execPath, "--no-install", linter, ...options], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return child.exited;
};

const listed = await listFiles();
if (listed === undefined) process.exit(await run([]));
const present = hashFiles(await readTexts(listed));
const due = findDue(present, await readPassed(place));
const isMost = due.length > Object.keys(present).length / 2;
const code = due.length === 0 ? 0 : await run(isMost ? [] : due);
if (code === 0) {
  await mkdir(dirname(place), { recursive: true });
  await Bun.write(place, JSON.stringify(present));
}
process.exit(code);
