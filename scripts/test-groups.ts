/** Divides the test files into groups. Each group is one call of the runner. */

export interface TestGroup {
  readonly name: string;
  readonly files: readonly string[];
  /** The runner's flags for the files of the group. */
  readonly flags: readonly string[];
  /** Whether the group runs at low priority, because its tests compute and have no deadlines. */
  readonly isPatient: boolean;
}

/** Tests that compute for minutes. */
const COMPUTES = "tests/simulation/";
/** Tests of the repository. They share one process, which reads the repository once. */
const HOUSE = "tests/house/";
/** Tests that load the embedder, a native library with which Bun 1.4.5 crashes in a process of many files. */
const EMBEDS = "packages/memory/";
/**
 * Tests of Hearth as a separate program. They keep no state in their own process, so several files
 * may share it: loading the modules again for each file takes half a second.
 */
const USES_PROGRAM = /^tests\/(browser|journeys|public)\//;
/** A test that counts the listeners of its whole process, so it runs alone. */
const COUNTS_LISTENERS = "packages/warden/tests/kernel/steady.test.ts";

/**
 * The package, or the area of the warden, whose test files share a process and their modules.
 * Loading the modules for each file takes longer than most of these tests. The division is by
 * folder, so that each run has the same files in a process, in the same order.
 */
const sharedFolderOf = (file: string): string | undefined =>
  file.includes("/adapter/") || file.startsWith(EMBEDS) || file === COUNTS_LISTENERS
    ? undefined
    : /^packages\/(warden\/src\/[^/]+|[^/]+)(?=\/)/.exec(file)?.[0];

/** Groups that run at the same time. The groups of one list run one after another. */
export const groupTests = (files: readonly string[], cores: number): readonly (readonly TestGroup[])[] => {
  const own = (name: string, isIn: (file: string) => boolean, isPatient: boolean, ...flags: readonly string[]) => ({
    name,
    files: files.filter(isIn),
    flags,
    isPatient,
  });
  const isComputing = (file: string): boolean => file.startsWith(COMPUTES);
  const isOfHouse = (file: string): boolean => file.startsWith(HOUSE);
  const isOfProgram = (file: string): boolean => USES_PROGRAM.test(file);
  const isAlone = (file: string): boolean =>
    !isComputing(file) && !isOfHouse(file) && !isOfProgram(file) && sharedFolderOf(file) === undefined;
  const shared = [...new Set(files.map(sharedFolderOf).filter((folder) => folder !== undefined))];
  return [
    // Most of these tests wait more than they compute, so more of them run at once than there are cores.
    [
      own("alone", isAlone, false, `--parallel=${cores * 2}`),
      own("program", isOfProgram, false, `--parallel=${cores * 2}`, "--no-isolate"),
    ],
    shared.map((folder) => own(folder, (file) => sharedFolderOf(file) === folder, false, "--no-isolate")),
    [own("computing", isComputing, true, `--parallel=${cores}`)],
    [own("house", isOfHouse, true, "--no-isolate")],
  ]
    .map((groups) => groups.filter((group) => group.files.length > 0))
    .filter((groups) => groups.length > 0);
};
