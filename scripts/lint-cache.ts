/**
 * Finds the files that the linter must read again. Rules about types read the files that a file
 * imports, so a file is due if its text changed, or the text of a file that it imports, directly or
 * indirectly.
 */
import { createHash } from "node:crypto";
import { posix } from "node:path";

/** Text by path. Paths are relative to the root, with slashes. */
export type Texts = ReadonlyMap<string, string>;

/** The hash with which each file last passed. */
export type Passed = Readonly<Record<string, string>>;

const CODE = /\.([mc]?[jt]s|[jt]sx)$/;
/** Files that decide how every file is linted, or that declare types which no import names. */
const FOR_ALL =
  /(^|\/)(\.oxlintrc\.json|\.gitignore|package(-lock)?\.json|tsconfig[^/]*\.json)$|\.d\.ts$|^scripts\/lint-/;
const DECLARES_FOR_ALL = /\bdeclare\s+(global|module)\b/;
/** Matches every text in quotes that may name a file of this repository. */
const REFERENCE = /["'`](\.{1,2}\/[^"'`\n]+|@hearth\/[^"'`\n]+)["'`]/g;

const hashOf = (parts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest("base64");
};

/** Hashes of all files of code, each over its text and the texts of all files that it reaches. */
export const hashFiles = (texts: Texts): Passed => {
  const own = new Map([...texts].map(([path, text]) => [path, hashOf([path, text])]));
  const isForAll = (path: string, text: string): boolean =>
    FOR_ALL.test(path) || (CODE.test(path) && DECLARES_FOR_ALL.test(text));
  const shared = hashOf([...texts].flatMap(([path, text]) => (isForAll(path, text) ? [own.get(path) ?? ""] : [])));
  const exports = readExports(texts);
  const code = [...texts].filter(([path]) => CODE.test(path));
  const imports = new Map(code.map(([path, text]) => [path, referencesOf(path, text, texts, exports)]));
  return Object.fromEntries(
    code.map(([path]) => {
      // The iteration of a set includes paths that are added during it.
      const reached = new Set([path]);
      for (const each of reached) for (const target of imports.get(each) ?? []) reached.add(target);
      return [path, hashOf([shared, ...[...reached].map((each) => own.get(each) ?? "").toSorted()])];
    }),
  );
};

/** The paths whose present hash differs from the one with which they passed. */
export const findDue = (present: Passed, passed: Passed): readonly string[] =>
  Object.keys(present).filter((path) => present[path] !== passed[path]);

/** The file of each specifier that a package of this repository exports. */
const readExports = (texts: Texts): ReadonlyMap<string, string> =>
  new Map(
    [...texts].flatMap(([path, text]) => {
      if (posix.basename(path) !== "package.json") return [];
      const { name = "", exports = {} } = JSON.parse(text) as { name?: string; exports?: Record<string, string> };
      return Object.entries(exports).map(([entry, file]) => [
        posix.join(name, entry),
        posix.join(posix.dirname(path), file),
      ]);
    }),
  );

const referencesOf = (
  path: string,
  text: string,
  texts: Texts,
  exports: ReadonlyMap<string, string>,
): readonly string[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, specifier = ""]) => {
    const target = specifier.startsWith(".")
      ? posix.join(posix.dirname(path), specifier)
      : exports.get(posix.normalize(specifier));
    return target !== undefined && texts.has(target) ? [target] : [];
  });
