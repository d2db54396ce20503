/** Finds the test files that load a production file: by an import, or in a process that they start. */
import { existsSync } from "node:fs";
import { basename, dirname, posix } from "node:path";

/** File → the files that load it. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

const FOLDERS = ["packages", "tests"];
/** Starts the command, as users and journeys do. */
const LAUNCHER = "hearth";
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/**
 * Tests that take minutes, or that check the repository instead of its behaviour. They still judge
 * the file that they are named after.
 */
const LEFT_OUT =
  /^tests\/(simulation|house|mutants|peers|power)\/|\/bun\/cells\/(.*\/)?(qemu|limits|escapes)[^/]*\.test\.ts$/;

/**
 * A file loads another if its code names it: in an import, or as the path of a program. A name is
 * relative to the file or to the root, or an entry of a package.
 */
export const readImporters = async (root: string): Promise<Importers> => {
  const sources = FOLDERS.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx,html}`).scanSync({ cwd: root })])
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.includes("node_modules/") && !path.includes("/dist/") && !path.endsWith(".d.ts"));
  const paths = new Set(existsSync(posix.join(root, LAUNCHER)) ? [...sources, LAUNCHER] : sources);
  const entries = await readEntries(root);
  const targetOf = (from: string, name: string): string | undefined =>
    [entries.get(name), posix.join(dirname(from), name), name].find((path) => path !== undefined && paths.has(path));
  const importers = new Map<string, Set<string>>();
  for (const path of paths) {
    for (const name of namesIn(path, await Bun.file(posix.join(root, path)).text())) {
      const target = targetOf(path, name);
      if (target === undefined || target === path) continue;
      (importers.get(target) ?? importers.set(target, new Set()).get(target))?.add(path);
    }
  }
  return importers;
};

/** Marks an import that the build of the UI runs. The transpiler would run it, too. */
const MACRO = / with \{ type: "macro" \}/g;

/** The words of a file that may name another file. Types and comments are omitted. */
const namesIn = (path: string, text: string): Iterable<string> => {
  const loader = path.endsWith(".tsx") ? "tsx" : "ts";
  const code = /\.tsx?$/.test(path) ? new Bun.Transpiler({ loader }).transformSync(text.replaceAll(MACRO, "")) : text;
  return new Set(code.match(/[\w@./-]+/g) ?? []);
};

/** Maps package entries such as `@hearth/warden/bun` to files. */
const readEntries = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const entries = new Map<string, string>();
  for (const path of new Bun.Glob("packages/*/package.json").scanSync({ cwd: root })) {
    const { name, exports = {} } = (await Bun.file(posix.join(root, path)).json()) as {
      readonly name: string;
      readonly exports?: Readonly<Record<string, string>>;
    };
    for (const [entry, file] of Object.entries(exports))
      entries.set(`${name}${entry.slice(1)}`, posix.join(dirname(path), file));
  }
  return entries;
};

/**
 * Reduces the distance per common word: `policy/budget-periods.ts` and
 * `tests/policy/budgets.test.ts` share a topic.
 */
const NEARER_BY_A_WORD = 6;
/** Reduces the distance of tests of the same area: `warden/src/policy` and `warden/tests/policy`. */
const NEARER_BY_THE_AREA = 4;
/** Reduces the distance of browser tests from pages: only they press a page's buttons. */
const NEARER_IN_THE_BROWSER = 20;
const isPage = (path: string): boolean => path.startsWith("packages/ui/src/") && path.endsWith(".tsx");
const isInBrowser = (test: string): boolean => test.startsWith("tests/browser/");

const COMMON_WORDS = new Set(["house", "warden", "with", "test", "ts", "tsx", "bun", "index"]);

/** The words of a file's name and folder, in the singular. */
const wordsOf = (path: string): ReadonlySet<string> =>
  new Set(
    [basename(dirname(path)), basename(path)]
      .flatMap((name) => name.split(/[-.]/))
      .filter((word) => !COMMON_WORDS.has(word))
      .map((word) => word.replace(/s$/, "")),
  );

const areaFolderOf = (path: string): string => path.replace("/tests/", "/src/").split("/").slice(0, 4).join("/");

/**
 * Test files that import a file, nearest first. The same name, folder, area or words reduce the
 * distance.
 */
export const testsNear = (importers: Importers, path: string): readonly string[] => {
  const distances = new Map([[path, 0]]);
  // Iteration of a map includes entries that are added meanwhile.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  const stem = basename(path).split(".")[0] ?? "";
  const own = wordsOf(path);
  const isNamesake = (test: string): boolean =>
    basename(test).startsWith(`${stem}.`) && dirname(test) === dirname(path);
  const rank = (test: string): number => {
    if (isNamesake(test)) return -Infinity;
    const shared = [...wordsOf(test)].filter((word) => own.has(word)).length;
    const inArea = areaFolderOf(test) === areaFolderOf(path) ? NEARER_BY_THE_AREA : 0;
    const inFolder = dirname(test) === dirname(path) ? 0.5 : 0;
    const inBrowser = isPage(path) && isInBrowser(test) ? NEARER_IN_THE_BROWSER : 0;
    return (distances.get(test) ?? 0) - NEARER_BY_A_WORD * shared - inArea - inFolder - inBrowser;
  };
  return [...distances.keys()]
    .filter((file) => isTest(file) && (isNamesake(file) || !LEFT_OUT.test(file)))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
};
