/**
 * Finds every place of the production code where a mutant can be made. oxlint parses; sites.js
 * reports.
 */
import { join } from "node:path";
import { lint } from "../house/source.ts";

export interface Site {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly line: number;
  readonly operator: string;
  /** UTF-16 offsets of the text to replace. */
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
}

/** Tests, suites, fixtures, fakes and build scripts are not production code. */
export const isProduction = (path: string): boolean =>
  /^packages\/\w+\/src\/.*\.tsx?$/.test(path) &&
  !/\.(test|conformance)\.|\.d\.ts$|\/fixtures\/|\/fake-[^/]*$|-fake\.ts$|\/fixture-[^/]*$|\/build\.ts$/.test(path);

/** Applies one mutant to the text of a file. */
export const mutate = (text: string, { start, end, to }: Site): string => text.slice(0, start) + to + text.slice(end);

/** Whether the mutant parses and changes the transpiled program. */
export const isFit = (path: string, text: string, site: Site): boolean => {
  const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
  try {
    return transpiler.transformSync(mutate(text, site)) !== transpiler.transformSync(text);
  } catch {
    return false;
  }
};

/** All sites below `folders`, by path and place. */
export const findSites = async (root: string, folders: readonly string[]): Promise<readonly Site[]> => {
  const diagnostics = await lint(root, ["-c", join(import.meta.dir, "sites.oxlintrc.json"), ...folders]);
  const texts = new Map<string, string>();
  const sites: Site[] = [];
  for (const { code, filename, labels, message } of diagnostics) {
    const path = filename.replaceAll("\\", "/");
    if (!isProduction(path)) continue;
    if (code !== "mutants(sites)") throw new Error(`${path}: ${message}`);
    const text = texts.get(path) ?? (await Bun.file(join(root, path)).text());
    texts.set(path, text);
    const { operator, start, end, to } = JSON.parse(message) as Pick<Site, "operator" | "start" | "end" | "to">;
    sites.push({ path, line: labels[0]?.span.line ?? 1, operator, start, end, from: text.slice(start, end), to });
  }
  return sites.sort((a, b) => (a.path === b.path ? compareSites(a, b) : a.path < b.path ? -1 : 1));
};

const compareSites = (a: Site, b: Site): number => a.start - b.start || a.end - b.end || (a.to < b.to ? -1 : 1);
