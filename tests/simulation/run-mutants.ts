/**
 * Applies each mutant to a copy of the packages and runs the enumeration and seeds against it until
 * one fails.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Edit, Mutant } from "./mutant.ts";

/** The result for a mutant. `by` names the check that failed. */
export type Fate =
  | { readonly kind: "killed"; readonly by: string; readonly why: string }
  | { readonly kind: "survived" }
  /** The text of an edit is not in its file exactly once. */
  | { readonly kind: "unfit"; readonly edit: Edit };

export interface Verdict {
  readonly mutant: Mutant;
  readonly fate: Fate;
  readonly seconds: number;
}

/** The unchanged engine. If a check fails on it, its other verdicts mean nothing. */
export const SOUND: Mutant = { name: "nothing is changed", rule: 0, edits: [] };

export const root: string = fileURLToPath(new URL("../..", import.meta.url));
const COPIED = [
  // Property tests need the preload to reach the lengths that they name.
  "bunfig.toml",
  "tests/preload.ts",
  "packages/protocol",
  "packages/testing",
  "packages/inmate",
  "packages/memory",
  "packages/warden",
  "tests/package.json",
  "tests/node_modules",
  "tests/simulation",
];
const SEEDS = 400;
/** Limit on processor time, which kills mutants that loop for ever, also on a busy machine. */
const LIMIT_CPU_SECONDS = 300;
/** Limit on wall time, which kills mutants that wait for ever. */
const LIMIT_MS = 1_800_000;

/** A long timeout, so that tests do not fail on a busy machine. */
const PATIENT = ["--timeout", "60000"] as const;

/** The checks to run against a mutant, by name. */
const CHECKS = {
  enumeration: ["--enumerate", "--singles"],
  seeds: ["--seeds", String(SEEDS)],
} as const;

/** Judges the mutants in parallel, with one copy per lane, and calls `hear` with each verdict. */
export const runMutants = async (
  mutants: readonly Mutant[],
  lanes: number,
  hear: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> => {
  const left = [...mutants];
  const verdicts: Verdict[] = [];
  const lane = async (): Promise<void> => {
    const copy = mkdtempSync(join(tmpdir(), "hearth-mutants-"));
    try {
      for (const path of COPIED)
        cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
      symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
        const began = performance.now();
        const fate = await judge(copy, mutant);
        const verdict = { mutant, fate, seconds: (performance.now() - began) / 1000 };
        verdicts.push(verdict);
        hear(verdict);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return verdicts;
};

/** The first edit whose text is not in its file exactly once. */
export const findUnfitEdit = async (folder: string, edits: readonly Edit[]): Promise<Edit | undefined> => {
  for (const edit of edits) {
    const file = Bun.file(join(folder, "packages", edit.file));
    if (!(await file.exists()) || (await file.text()).split(edit.from).length !== 2) return edit;
  }
  return undefined;
};

const judge = async (copy: string, { edits, first, tests, families }: Mutant): Promise<Fate> => {
  const touched = new Map<string, string>();
  try {
    for (const edit of edits) {
      const path = join(copy, "packages", edit.file);
      // An edit may change what an earlier edit of the same mutant wrote.
      const unfit = await findUnfitEdit(copy, [edit]);
      if (unfit !== undefined) return { kind: "unfit", edit: unfit };
      const text = await Bun.file(path).text();
      if (!touched.has(path)) touched.set(path, text);
      await Bun.write(
        path,
        text.replace(edit.from, () => edit.to),
      );
    }
    if (tests !== undefined) {
      const why = await failureOf(copy, tests);
      if (why !== undefined) return { kind: "killed", by: tests, why };
    }
    if (families !== undefined) {
      const why = await complaintOf(copy, [...CHECKS.seeds, "--families", families]);
      return why === undefined ? { kind: "survived" } : { kind: "killed", by: `seeds with ${families}`, why };
    }
    const checks = Object.entries(CHECKS);
    for (const [by, flags] of first === "seeds" ? checks.toReversed() : checks) {
      const why = await complaintOf(copy, flags);
      if (why !== undefined) return { kind: "killed", by, why };
    }
    return { kind: "survived" };
  } finally {
    for (const [path, text] of touched) await Bun.write(path, text);
  }
};

const limited = (words: readonly string[]): string[] => [
  ...["sh", "-c", `ulimit -t ${LIMIT_CPU_SECONDS}; exec "$@"`, "limited"],
  ...[process.execPath, "--no-install", ...words],
];

/** The name of the first test that failed, if one did. */
const failureOf = async (copy: string, tests: string): Promise<string | undefined> => {
  const child = Bun.spawn(limited(["test", "--bail", ...PATIENT, `./packages/${tests}`]), {
    cwd: copy,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: LIMIT_MS,
  });
  const [err, code] = await Promise.all([child.stderr.text(), child.exited]);
  return code === 0 ? undefined : (/\(fail\) (.*)/.exec(err)?.[1] ?? `it ended with ${code}`);
};

/** The first complaint of the simulation, or `undefined` if it passed. */
const complaintOf = async (copy: string, flags: readonly string[]): Promise<string | undefined> => {
  const child = Bun.spawn(
    limited([join(copy, "tests/simulation/main.ts"), ...flags, "--eager", "--workers=1", "--worker=0"]),
    {
      cwd: copy,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: LIMIT_MS,
    },
  );
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const failure = out.split("\n").find((line) => line.includes('"kind":"failure"'));
  if (failure !== undefined) {
    const { name, complaints } = JSON.parse(failure) as {
      readonly name: string;
      readonly complaints: readonly string[];
    };
    return `${name}: ${complaints[0]}`;
  }
  if (code === 0) return undefined;
  return child.signalCode === null
    ? `it ended with ${code}: ${err.trim().split("\n").at(-1)}`
    : "it reached the time limit";
};

if (import.meta.main) {
  const { mutants } = await import("./mutants.ts");
  const words = process.argv.slice(2);
  const chosen = mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const show = ({ mutant, fate, seconds }: Verdict): void => {
    const what =
      fate.kind === "killed"
        ? `killed by ${fate.by}: ${fate.why}`
        : fate.kind === "survived"
          ? "SURVIVED"
          : `UNFIT: ${fate.edit.file} does not contain this text exactly once: ${fate.edit.from}`;
    console.log(`${seconds.toFixed(1).padStart(5)} s  rule ${mutant.rule}  ${mutant.name}\n         ${what}`);
  };
  const verdicts = await runMutants([SOUND, ...chosen], 2, show);
  const killed = verdicts.filter(({ mutant, fate }) => mutant !== SOUND && fate.kind === "killed").length;
  const isSound = verdicts.some(({ mutant, fate }) => mutant === SOUND && fate.kind === "survived");
  console.log(
    `${killed} of ${chosen.length} mutants were killed${isSound ? "" : ", but the unchanged engine fails too"}`,
  );
  process.exit(isSound && killed === chosen.length ? 0 : 1);
}
