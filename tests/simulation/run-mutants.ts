/**
 * Applies each mutant to a copy of the packages and runs the enumeration and seeds against it until
 * one fails.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Family } from "./families.ts";
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

/** The results for the mutant of a family, in houses that all have the family and that never do. */
export interface FamilyVerdict {
  readonly mutant: Mutant;
  readonly family: Family;
  readonly on: Fate;
  readonly off: Fate;
}

/** Whether the family detects the mutant, and nothing else does. */
export const isOnlyDetectedByFamily = ({ on, off }: FamilyVerdict): boolean =>
  on.kind === "killed" && off.kind === "survived";

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
const LANES = 2;
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

/** Judges the mutants in parallel, and calls `hear` with each verdict. */
export const runMutants = (
  mutants: readonly Mutant[],
  lanes: number,
  hear: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> =>
  inCopies(
    mutants,
    lanes,
    async (copy, mutant): Promise<Verdict> => {
      const began = performance.now();
      const fate = await judge(copy, mutant);
      return { mutant, fate, seconds: (performance.now() - began) / 1000 };
    },
    hear,
  );

/**
 * Runs the same seeds against each mutant that names its only family, with the family in every
 * house and without it.
 */
export const runFamilies = (
  mutants: readonly Mutant[],
  lanes: number,
  hear: (verdict: FamilyVerdict) => void,
  seeds = SEEDS,
): Promise<readonly FamilyVerdict[]> => {
  const count = ["--seeds", String(seeds)];
  const toFate = (why: string | undefined): Fate =>
    why === undefined ? { kind: "survived" } : { kind: "killed", by: "seeds", why };
  return inCopies(
    mutants.flatMap((mutant) => (mutant.only === undefined ? [] : [{ mutant, family: mutant.only }])),
    lanes,
    async (copy, { mutant, family }): Promise<FamilyVerdict> => {
      const { edits, families = family } = mutant;
      const found = await withEdits(copy, edits, async () => ({
        on: toFate(await complaintOf(copy, [...count, "--families", families])),
        off: toFate(await complaintOf(copy, [...count, "--without", family])),
      }));
      return "kind" in found ? { mutant, family, on: found, off: found } : { mutant, family, ...found };
    },
    hear,
  );
};

/** Judges the items in parallel, with one copy of the packages per lane. */
const inCopies = async <Item, Judged>(
  items: readonly Item[],
  lanes: number,
  judgeIn: (copy: string, item: Item) => Promise<Judged>,
  hear: (verdict: Judged) => void,
): Promise<readonly Judged[]> => {
  const left = [...items];
  const verdicts: Judged[] = [];
  const lane = async (): Promise<void> => {
    const copy = mkdtempSync(join(tmpdir(), "hearth-mutants-"));
    try {
      for (const path of COPIED)
        cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
      symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        const verdict = await judgeIn(copy, item);
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

const judge = (copy: string, { edits, first, tests, families }: Mutant): Promise<Fate> =>
  withEdits(copy, edits, async (): Promise<Fate> => {
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
  });

/** Runs the check against the copy with the edits, and undoes them. */
const withEdits = async <Result>(
  copy: string,
  edits: readonly Edit[],
  check: () => Promise<Result>,
): Promise<Result | Extract<Fate, { kind: "unfit" }>> => {
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
    return await check();
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

const showFate = (fate: Fate): string => {
  switch (fate.kind) {
    case "killed":
      return `killed by ${fate.by}: ${fate.why}`;
    case "survived":
      return "SURVIVED";
    case "unfit":
      return `UNFIT: ${fate.edit.file} does not contain this text exactly once: ${fate.edit.from}`;
  }
};

/** Judges every mutant whose name contains one of the words. Returns whether all were killed. */
const judgeAll = async (mutants: readonly Mutant[]): Promise<boolean> => {
  const show = ({ mutant, fate, seconds }: Verdict): void =>
    console.log(`${seconds.toFixed(1).padStart(5)} s  rule ${mutant.rule}  ${mutant.name}\n         ${showFate(fate)}`);
  const verdicts = await runMutants([SOUND, ...mutants], LANES, show);
  const killed = verdicts.filter(({ mutant, fate }) => mutant !== SOUND && fate.kind === "killed").length;
  const isSound = verdicts.some(({ mutant, fate }) => mutant === SOUND && fate.kind === "survived");
  console.log(
    `${killed} of ${mutants.length} mutants were killed${isSound ? "" : ", but the unchanged engine fails too"}`,
  );
  return isSound && killed === mutants.length;
};

/** Judges the mutants of families. Returns whether each is detected by its family alone. */
const judgeFamilies = async (mutants: readonly Mutant[]): Promise<boolean> => {
  const show = (verdict: FamilyVerdict): void => {
    const { mutant, family, on, off } = verdict;
    console.log(`${isOnlyDetectedByFamily(verdict) ? "ok  " : "FAIL"} ${family}: ${mutant.name}`);
    console.log(`     with ${family}: ${showFate(on)}\n     without: ${showFate(off)}`);
  };
  const verdicts = await runFamilies(mutants, LANES, show);
  const good = verdicts.filter(isOnlyDetectedByFamily).length;
  console.log(`${good} of ${verdicts.length} mutants were detected by their family alone`);
  return good === verdicts.length;
};

if (import.meta.main) {
  const { mutants } = await import("./mutants.ts");
  const words = process.argv.slice(2);
  const names = words.filter((word) => word !== "--families");
  const chosen = mutants.filter(
    ({ name, only }) => names.length === 0 || names.some((word) => name.includes(word) || only === word),
  );
  process.exit((await (words.includes("--families") ? judgeFamilies : judgeAll)(chosen)) ? 0 : 1);
}
