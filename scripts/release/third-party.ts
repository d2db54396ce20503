/** The third-party packages that a house runs, laid out as one `node_modules` folder. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Platform } from "./platforms.ts";

interface PackageFile {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Placed {
  readonly version: string;
  readonly from: string;
}

/** The workspaces whose dependencies a running house loads. Those of the UI are in its bundle. */
const LOADED = ["cli", "client", "documents", "inmate", "memory", "protocol", "warden"];
const OURS = "@hearth/";
/** Matches types, maps and pages, which no program reads. Licences have other names. */
const UNREAD = /\.(?:[cm]?tsx?|map|flow|md|markdown|tsbuildinfo)$/i;
const NATIVE = /\/onnxruntime-node\/bin\/napi-v\d+\/([^/]+)(?:\/([^/]+))?/;

export const copyThirdParty = async (root: string, folder: string, platform: Platform): Promise<void> => {
  for (const [path, { from }] of placeAll(root, LOADED)) {
    await cp(from, join(folder, "node_modules", path), {
      recursive: true,
      dereference: true,
      filter: (source) => isUsed(`/${relative(dirname(from), source).split(sep).join("/")}`, platform),
    });
  }
};

/** `NAME@VERSION` of each package that is in a release, also those in the bundle of the UI. */
export const releasedPackages = (root: string): ReadonlySet<string> =>
  new Set([...placeAll(root, [...LOADED, "ui"])].map(([path, { version }]) => `${nameOf(path)}@${version}`));

/** The dependencies that npm installs for the package `hearth`. */
export const npmDependencies = (root: string) => {
  const dependencies: Record<string, string> = {};
  const optionalDependencies: Record<string, string> = {};
  for (const name of LOADED) {
    const found = readPackage(join(root, "packages", name));
    Object.assign(dependencies, found.dependencies);
    Object.assign(optionalDependencies, found.optionalDependencies);
  }
  Object.assign(optionalDependencies, readPackage(root).optionalDependencies);
  const sorted = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([name]) => !name.startsWith(OURS))
        .sort(([entry], [other]) => (entry < other ? -1 : 1)),
    );
  return { dependencies: sorted(dependencies), optionalDependencies: sorted(optionalDependencies) };
};

const placeAll = (root: string, workspaces: readonly string[]): ReadonlyMap<string, Placed> => {
  const placed = new Map<string, Placed>();
  for (const name of workspaces) place(placed, "", join(root, "packages", name));
  return placed;
};

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("/node_modules/") + 1).replace("node_modules/", "");

const isUsed = (path: string, platform: Platform): boolean => {
  if (UNREAD.test(path) || /^\/[^/]+\/node_modules(?:\/|$)/.test(path)) return false;
  const native = NATIVE.exec(path);
  if (native === null) return true;
  const [, os, arch] = native;
  return os === platform.os && (arch === undefined || arch === platform.arch);
};

/** Places the dependencies of the package in `from`, which is at `at`, as far up as versions allow. */
const place = (placed: Map<string, Placed>, at: string, from: string): void => {
  const { dependencies, optionalDependencies, peerDependencies } = readPackage(from);
  const needed = new Set(
    [dependencies, optionalDependencies, peerDependencies].flatMap((each) => Object.keys(each ?? {})),
  );
  for (const name of [...needed].sort()) {
    if (name.startsWith(OURS)) continue;
    const found = findPackage(from, name);
    if (found === undefined) {
      if (dependencies?.[name] === undefined) continue;
      throw new Error(`${name}, which ${from} needs, is not installed. Run npm ci, then try again.`);
    }
    const { version } = readPackage(found);
    const seen = lookUp(placed, at, name);
    if (seen?.version === version) continue;
    const path = seen === undefined ? name : join(at, "node_modules", name);
    placed.set(path, { version, from: found });
    place(placed, path, found);
  }
};

/** The package that a program in `at` would load by this name. */
const lookUp = (placed: ReadonlyMap<string, Placed>, at: string, name: string): Placed | undefined => {
  for (let folder = at; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = placed.get(join(folder, "node_modules", name));
    if (found !== undefined) return found;
    if (!folder.includes("/node_modules/")) break;
  }
  return placed.get(name);
};

const readPackage = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageFile;

const findPackage = (from: string, name: string): string | undefined => {
  for (let folder = realpathSync(from); dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    if (existsSync(path)) return realpathSync(path);
  }
  return undefined;
};
