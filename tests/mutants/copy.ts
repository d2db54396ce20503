/** Copies the checkout into a temporary folder, applies mutants to it and runs tests. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProduction } from "./sites.ts";

const MODULES = "node_modules";
const LEFT_OUT = [".git", MODULES];
const DERIVED = /^\.hearth-(inmate|vm|compiled)$/;
/** Variables with the paths of programs, and their commands. Without them, the tests that need them are skipped. */
const PROGRAMS = {
  HEARTH_BUBBLEWRAP: ["bwrap"],
  HEARTH_CHROMIUM: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
};

export type TestOutcome =
  /** `durations`: milliseconds of each file. */
  | { readonly kind: "passed"; readonly durations: ReadonlyMap<string, number> }
  /** `file` is missing if the runner failed without a failed test. */
  | { readonly kind: "failed"; readonly file?: string; readonly title: string }
  /** Stopped at a time limit: of the run, or of a test of `file`. */
  | { readonly kind: "stopped"; readonly file?: string };

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
  /** The files with type errors. */
  readonly mistyped: () => Promise<ReadonlySet<string>>;
  /** Ends all runs and removes the copy. */
  readonly close: () => void;
}

/**
 * Type configuration of the copy → the one that it extends, and its files. Unused names are not errors, because a
 * mutant that drops a call may leave its import unused.
 */
const TYPES = {
  "tsconfig.mutants.json": {
    extends: "./tsconfig.json",
    include: ["packages/*/src/**/*.ts"],
    exclude: ["packages/ui/src", "**/*.test.ts"],
  },
  "tsconfig.mutants-ui.json": {
    extends: "./tsconfig.ui.json",
    include: ["packages/ui/src/**/*.ts", "packages/ui/src/**/*.tsx"],
    exclude: [
      ...["packages/ui/src/adapter/bun", "packages/ui/src/adapter/worker/notices.ts"],
      ...["packages/ui/src/adapter/worker/worker.ts", "**/*.test.ts", "**/*.test.tsx"],
    ],
  },
};

export const makeCopy = (root: string): Copy => {
  const base = mkdtempSync(join(tmpdir(), "hearth-mutants-"));
  const tree = join(base, "tree");
  // Files that tests leave in the temporary folder are removed with the copy.
  const temporary = join(base, "t");
  mkdirSync(temporary);
  for (const path of readdirSync(root).filter((name) => !LEFT_OUT.includes(name)))
    cpSync(join(root, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
  // What Hearth derives from its sources is in `node_modules/.hearth-*`. Each copy has its own.
  mkdirSync(join(tree, MODULES));
  for (const name of readdirSync(join(root, MODULES)).filter((name) => !DERIVED.test(name)))
    symlinkSync(join(root, MODULES, name), join(tree, MODULES, name));
  for (const [name, options] of Object.entries(TYPES))
    writeFileSync(
      join(tree, name),
      JSON.stringify({ ...options, compilerOptions: { noUnusedLocals: false, noUnusedParameters: false } }),
    );
  const running = new Set<Bun.Subprocess>();
  const env = {
    ...process.env,
    TMPDIR: temporary,
    ...Object.fromEntries(
      Object.entries(PROGRAMS).flatMap(([name, commands]) => {
        const found = commands.map((command) => Bun.which(command)).find((path) => path !== null);
        return found === undefined ? [] : [[name, found]];
      }),
    ),
  };
  const timings = join(base, "timings.json");

  return {
    folder: base,
    put: async (path, text) => {
      if (!isProduction(path)) throw new Error(`${path} is not production code; a mutant of it proves nothing`);
      const file = join(tree, path);
      const original = await Bun.file(file).text();
      const { atime, mtime } = statSync(file);
      await Bun.write(file, text);
      return async () => {
        await Bun.write(file, original);
        // Programs that were built from the original can be used again.
        utimesSync(file, atime, mtime);
      };
    },

    test: async (files, limitMs) => {
      rmSync(timings, { force: true });
      const child = Bun.spawn(
        [
          ...[process.execPath, "--no-orphans", "--no-install", "--no-env-file", "test", "--bail=1", "--parallel=1"],
          ...[`--timings=${timings}`, "--update-timings", `--timeout=${Math.ceil(limitMs)}`],
          ...files.map((file) => `./${file}`),
        ],
        { cwd: tree, detached: true, stdin: "ignore", stdout: "ignore", stderr: "pipe", env },
      );
      running.add(child);
      const isOver = Promise.withResolvers<"over">();
      const timer = setTimeout(() => isOver.resolve("over"), limitMs);
      try {
        const ended = await Promise.race([Promise.all([child.stderr.text(), child.exited]), isOver.promise]);
        if (ended === "over") return { kind: "stopped" };
        const [said, exitCode] = ended;
        return exitCode === 0
          ? { kind: "passed", durations: await readDurations(timings) }
          : readFailure(said, exitCode);
      } finally {
        clearTimeout(timer);
        endGroup(child);
        await child.exited;
        running.delete(child);
      }
    },

    mistyped: async () => {
      const found = new Set<string>();
      for (const name of Object.keys(TYPES)) {
        const child = Bun.spawn(
          [
            ...[process.execPath, "--no-orphans", "--no-install", join(MODULES, "typescript/bin/tsc"), "-p", name],
            ...["--pretty", "false", "--incremental", "--tsBuildInfoFile", join(base, `${name}.tsbuildinfo`)],
          ],
          { cwd: tree, detached: true, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
        );
        running.add(child);
        try {
          const [said, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
          const paths = [...said.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, path = ""]) => path);
          if (exitCode !== 0 && paths.length === 0) throw new Error(`tsc ended with ${exitCode}: ${said}`);
          for (const path of paths) found.add(path);
        } finally {
          running.delete(child);
        }
      }
      return found;
    },

    close: () => {
      for (const child of running) endGroup(child);
      rmSync(base, { recursive: true, force: true });
    },
  };
};

const readDurations = async (timings: string): Promise<ReadonlyMap<string, number>> => {
  const { files } = (await Bun.file(timings).json()) as { readonly files: Readonly<Record<string, number>> };
  return new Map(Object.entries(files));
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
      ? { kind: "stopped", ...file }
      : { kind: "failed", title, ...file };
  }
  return { kind: "failed", title: `the runner ended with ${exitCode}` };
};
