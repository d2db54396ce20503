/** Copies the checkout into a temporary folder, applies mutants to it and runs tests. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProduction } from "./sites.ts";

const LINKED = "node_modules";
const LEFT_OUT = [".git", LINKED];
/** A test that takes this long is stuck. */
const TEST_TIMEOUT_MS = 30_000;

export type TestOutcome =
  | { readonly kind: "passed"; readonly durationMs: number }
  /** `file` is missing if the runner failed without a failed test. */
  | { readonly kind: "failed"; readonly file?: string; readonly title: string }
  /** Stopped at a time limit: of the run, or of a test of `file`. */
  | { readonly kind: "stopped"; readonly file?: string; readonly durationMs: number };

export interface Copy {
  /** Holds the copy and the temporary files of its runs. */
  readonly folder: string;
  /** Replaces the text of a file until the returned function is called. */
  readonly put: (path: string, text: string) => Promise<() => Promise<void>>;
  /**
   * Runs test files in this order, until one fails or `limitMs` has passed. Ends all processes of
   * the run.
   */
  readonly test: (files: readonly string[], limitMs: number) => Promise<TestOutcome>;
  /** The first error of the type checker or the linter for a file. */
  readonly check: (path: string) => Promise<string | undefined>;
  /** Ends all runs and removes the copy. */
  readonly close: () => void;
}

export const makeCopy = (root: string, workers: number): Copy => {
  const base = mkdtempSync(join(tmpdir(), "hearth-mutants-"));
  const tree = join(base, "tree");
  // Files that tests leave in the temporary folder are removed with the copy.
  const temporary = join(base, "t");
  mkdirSync(temporary);
  for (const path of readdirSync(root).filter((name) => !LEFT_OUT.includes(name)))
    cpSync(join(root, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(root, LINKED), join(tree, LINKED));
  const bubblewrap = Bun.which("bwrap");
  const running = new Set<Bun.Subprocess>();
  /** The first error line of a tool, or `undefined` if it succeeds. */
  const complaintOf = async (tool: string, words: readonly string[]): Promise<string | undefined> => {
    const child = Bun.spawn([process.execPath, "--no-orphans", "--no-install", join(LINKED, tool), ...words], {
      ...{ cwd: tree, detached: true, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
    });
    running.add(child);
    try {
      const [said, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
      return exitCode === 0 ? undefined : (said.split("\n").find((line) => /error/i.test(line)) ?? said).trim();
    } finally {
      running.delete(child);
    }
  };
  const types = ["-p", "tsconfig.json", "--incremental", "--tsBuildInfoFile", join(base, "types.tsbuildinfo")];

  return {
    folder: base,
    put: async (path, text) => {
      if (!isProduction(path)) throw new Error(`${path} is not production code; a mutant of it proves nothing`);
      const file = join(tree, path);
      const original = await Bun.file(file).text();
      await Bun.write(file, text);
      return async () => void (await Bun.write(file, original));
    },

    test: async (files, limitMs) => {
      const began = performance.now();
      const child = Bun.spawn(
        [
          ...[process.execPath, "--no-orphans", "--no-install", "--no-env-file", "test", "--bail=1"],
          ...[`--parallel=${workers}`, `--timeout=${TEST_TIMEOUT_MS}`, ...files.map((file) => `./${file}`)],
        ],
        {
          cwd: tree,
          detached: true,
          stdin: "ignore",
          stdout: "ignore",
          stderr: "pipe",
          env: {
            ...process.env,
            TMPDIR: temporary,
            ...(bubblewrap === null ? {} : { HEARTH_BUBBLEWRAP: bubblewrap }),
          },
        },
      );
      running.add(child);
      const isOver = Promise.withResolvers<"over">();
      const timer = setTimeout(() => isOver.resolve("over"), limitMs);
      try {
        const ended = await Promise.race([Promise.all([child.stderr.text(), child.exited]), isOver.promise]);
        const durationMs = performance.now() - began;
        if (ended === "over") return { kind: "stopped", durationMs };
        const [said, exitCode] = ended;
        return exitCode === 0 ? { kind: "passed", durationMs } : readFailure(said, exitCode);
      } finally {
        clearTimeout(timer);
        endGroup(child);
        await child.exited;
        running.delete(child);
      }
    },

    check: async (path) =>
      (await complaintOf("typescript/bin/tsc", types)) ??
      (await complaintOf("oxlint/bin/oxlint", ["-f", "unix", path])),

    close: () => {
      for (const child of running) endGroup(child);
      rmSync(base, { recursive: true, force: true });
    },
  };
};

/** Ends the runner's process group, which contains all its processes. */
const endGroup = (child: Bun.Subprocess): void => {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // The group has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

/** Reads the first failed test and its file from the runner's output. */
export const readFailure = (said: string, exitCode: number): TestOutcome => {
  const lines = said.split("\n");
  let heading: string | undefined;
  for (const [index, line] of lines.entries()) {
    heading = /^(\S+\.test\.tsx?):$/.exec(line)?.[1] ?? heading;
    const title = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/.exec(line)?.[1];
    if (title === undefined) continue;
    const file = heading === undefined ? {} : { file: heading };
    return /this test timed out/.test(lines[index + 1] ?? "")
      ? { kind: "stopped", durationMs: TEST_TIMEOUT_MS, ...file }
      : { kind: "failed", title, ...file };
  }
  return { kind: "failed", title: `the runner ended with ${exitCode}` };
};
