/** The allowed imports between packages and areas, and the check. Type-only imports count too. */
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { findCycles } from "./cycles.ts";
import type { Import, Package, SourceFile, Tree } from "./source.ts";

/** The packages that the cores of each package may import. */
const packageMap: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  // For tests only: no package's cores may import it.
  testing: ["protocol"],
  // Its parsers run in cells only.
  documents: ["protocol"],
  inmate: ["protocol", "documents"],
  memory: ["protocol"],
  warden: ["protocol"],
  client: ["protocol"],
  ui: ["client", "protocol"],
  cli: ["client", "protocol"],
};

/** Exceptions: files that may import further packages. */
const joints: readonly { readonly at: RegExp; readonly may: readonly string[] }[] = [
  { at: /^packages\/warden\/src\/adapter\/bun\//, may: ["inmate", "memory", "ui"] },
  { at: /^packages\/cli\/src\/commands\/up(\.ts|\/)/, may: ["warden", "inmate"] },
  // These read or repair the files of a home, most of them without a running daemon.
  {
    at: /^packages\/cli\/src\/at-rest\/(audit|backups|config|exports|security|storage|upgrades)-at-rest\.ts$/,
    may: ["warden"],
  },
];

/**
 * The layers of each package from top to bottom. A name is a folder or file of `src`. An import
 * never points up.
 */
const floorMap: Readonly<Record<string, readonly (readonly string[])[]>> = {
  inmate: [["adapter"], ["inmate.ts"], ["loop"], ["egress", "hello.ts", "prompt", "tools"]],
  documents: [
    ["convert.ts", "chart.ts"],
    ["formats"],
    ["markdown.ts", "page-reader.ts", "text.ts", "xml.ts", "zip.ts"],
    ["limits.ts", "refusal.ts"],
  ],
  memory: [["adapter"], ["memory.ts"], ["process", "retrieval"], ["embedders", "index"], ["chunks"]],
  warden: [
    ["adapter"],
    ["warden.ts"],
    ["warden-options.ts"],
    ["http"],
    ["turns"],
    ["agents"],
    ["channels"],
    ["cells"],
    ["policy"],
    ["models"],
    ["people"],
    ["kernel"],
  ],
  ui: [
    ["adapter"],
    ["app"],
    ["runs", "inbox", "showcase"],
    ["search", "brain", "jobs", "rooms", "welcome", "settings", "login", "restore"],
    ["approvals"],
    ["lists"],
    ["models"],
    ["text"],
    ["house"],
    ["design"],
    ["language"],
  ],
};

/**
 * Areas of the warden. Other areas and `warden.ts` import an area through `index.ts`, or through
 * `lazy.ts` for parts that a start does not load.
 */
const AREAS = /^packages\/warden\/src\/(http|channels|turns|agents|cells|policy|models|people|kernel)\//;
const ENTRY = /^packages\/warden\/src\/\w+\/(index|lazy)\.ts$/;
/** Adapters and fakes implement single parts, so they may bypass the entries. */
const isBoundToEntries = (path: string): boolean =>
  AREAS.test(path) && !/\/(fixtures|fakes)\/|\/fake-[^/]*$/.test(path);

const PLATFORM = /^(node:|bun$|bun:|bun-types|cloudflare:)/;
const BUILTIN = new Set(builtinModules);

/** Tests and suites belong to no layer and may use the platform. */
const isTest = (path: string): boolean => /\.(test|conformance)\.tsx?$/.test(path);
const isCore = (path: string): boolean =>
  path.startsWith("packages/") &&
  !/^packages\/(cli|testing|\w+\/tests)\//.test(path) &&
  !path.includes("/adapter/") &&
  !isTest(path);

/** Returns one sentence, with its place, per import that breaks the map. */
export const findStrays = (tree: Tree): readonly string[] => {
  const edges = new Map<string, Set<string>>();
  const strays: string[] = [];
  for (const file of tree.files) {
    const home = packageOf(tree.packages, file.path);
    const place = floorOf(file.path);
    if (place?.floor === -1 && !isTest(file.path)) strays.push(`${file.path} is in no layer of ${place.unit}`);
    for (const found of file.imports) {
      const stray = (why: string): void => {
        strays.push(`${file.path}:${found.line} imports ${found.source ?? "something computed"}: ${why}`);
      };
      if (found.source === undefined) {
        if (isCore(file.path)) stray("a core may not compute imports");
      } else if (found.source.startsWith(".")) {
        const target = posix.join(posix.dirname(file.path), found.source);
        const why = judgeRelative(tree, file.path, target, home);
        if (why === undefined) (edges.get(file.path) ?? edges.set(file.path, new Set()).get(file.path))?.add(target);
        else stray(why);
      } else {
        const why = judgeBare(tree, file, found, home);
        if (why !== undefined) stray(why);
      }
    }
  }
  for (const cycle of findCycles(edges)) strays.push(`a cycle of files: ${cycle.join(" → ")}`);
  for (const cycle of findCycles(liftToFolders(edges))) strays.push(`a cycle of folders: ${cycle.join(" → ")}`);
  return strays;
};

const judgeRelative = (tree: Tree, from: string, target: string, home: Package | undefined): string | undefined => {
  if (packageOf(tree.packages, target) !== home) return "it leaves its package by a relative path";
  if (!tree.paths.has(target)) return "the file does not exist (paths end in .ts)";
  if (isTest(from)) return undefined;
  if (isTest(target)) return "only tests may import tests";
  const here = floorOf(from);
  const there = floorOf(target);
  if (here === undefined || there === undefined || here.floor === -1 || there.floor === -1) return undefined;
  if (there.floor < here.floor) return `it points up, from ${here.unit} to ${there.unit}`;
  const entersArea = here.unit !== there.unit && isBoundToEntries(from) && AREAS.test(target);
  return entersArea && !ENTRY.test(target) ? `it bypasses the entry of ${there.unit}` : undefined;
};

const judgeBare = (
  tree: Tree,
  file: SourceFile,
  { source = "" }: Import,
  home: Package | undefined,
): string | undefined => {
  if (PLATFORM.test(source) || BUILTIN.has(source.split("/")[0] ?? "")) {
    return isCore(file.path) ? "a core may not import the platform" : undefined;
  }
  const name = source
    .split("/")
    .slice(0, source.startsWith("@") ? 2 : 1)
    .join("/");
  const isDeclared =
    Object.hasOwn(home?.dependencies ?? {}, name) ||
    (Object.hasOwn(home?.devDependencies ?? {}, name) && (isTest(file.path) || !file.path.startsWith("packages/")));
  if (!isDeclared) return `${name} is not declared in ${home?.folder || "."}/package.json`;

  const target = tree.packages.find((candidate) => candidate.name === name);
  if (target === undefined) return undefined;
  const entry = target.exports[`.${source.slice(name.length)}`];
  if (entry === undefined) return `${name} exports no ${source.slice(name.length + 1)}`;
  if (!tree.paths.has(posix.join(target.folder, entry))) return `${entry} of ${name} does not exist`;
  if (isTest(file.path) || !file.path.startsWith("packages/")) return undefined;
  const [, from = ""] = file.path.split("/");
  const to = target.folder.slice("packages/".length);
  const may = [...(packageMap[from] ?? []), ...joints.flatMap((joint) => (joint.at.test(file.path) ? joint.may : []))];
  return may.includes(to) ? undefined : `${from} may not import ${to} here`;
};

/** The innermost package that contains the path, or the root. */
const packageOf = (packages: readonly Package[], path: string): Package | undefined =>
  packages.find(({ folder }) => folder !== "" && path.startsWith(`${folder}/`)) ??
  packages.find(({ folder }) => folder === "");

/** The layer of a path, counted from the top. -1 if the map does not contain it. */
const floorOf = (path: string): { readonly unit: string; readonly floor: number } | undefined => {
  const [top, name = "", src, unit = ""] = path.split("/");
  const floors = floorMap[name];
  if (top !== "packages" || src !== "src" || floors === undefined) return undefined;
  return { unit: `${name}/${unit}`, floor: floors.findIndex((floor) => floor.includes(unit)) };
};

/** Maps file imports to imports between the folders of one package. */
const liftToFolders = (edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, ReadonlySet<string>> => {
  const folders = new Map<string, Set<string>>();
  for (const [from, targets] of edges) {
    const here = floorOf(from)?.unit;
    if (here === undefined || isTest(from)) continue;
    for (const target of targets) {
      const there = floorOf(target)?.unit;
      if (there === undefined || there === here) continue;
      folders.set(here, (folders.get(here) ?? new Set()).add(there));
    }
  }
  return folders;
};
