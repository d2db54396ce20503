/** The part of a container image that comes from Debian: files of packages that are installed on this machine. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { run } from "../run.ts";
import type { Entry } from "./layer.ts";

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly isInstalled: boolean;
  readonly provides: readonly string[];
  /** Names of alternatives, one of which is needed, for each dependency. */
  readonly needs: readonly (readonly string[])[];
}

/** Packages that install and remove other packages, which an image never does. */
const FOR_INSTALLS = new Set(["debconf", "debianutils", "dpkg", "init-system-helpers", "install-info", "openssl"]);
/**
 * Matches files that an image does not need. It keeps licences: `copyright` files, and the texts
 * that they refer to.
 */
const UNUSED =
  /^usr\/share\/(?:man|info|locale|lintian|bug|menu|doc-base|bash-completion|zsh)\/|^usr\/share\/doc\/(?![^/]+\/copyright$)/;
/** Folders that are links to `usr` in the image, as on every Debian since 12. */
export const MERGED = ["bin", "lib", "lib64", "sbin"];
const FORMAT = ["Package", "Version", "Architecture", "db:Status-Abbrev", "Provides", "Pre-Depends", "Depends"];
const DATABASE = "/var/lib/dpkg/info";

/** The packages of these names and all that they need, sorted. Throws if one is not installed. */
export const findDebianPackages = async (names: readonly string[]): Promise<readonly DebianPackage[]> => {
  if (Bun.which("dpkg-query") === null) {
    throw new Error(
      "A container image takes libraries from Debian packages, and this machine has no dpkg. " +
        "Make the release on Debian, or pass --no-image.",
    );
  }
  const format = `${FORMAT.map((field) => `\${${field}}`).join("\t")}\n`;
  return closureOf(names, parsePackages(await run(["dpkg-query", "-W", `-f=${format}`], "/")));
};

/** Reads the lines of `dpkg-query` with the fields of `FORMAT`. */
export const parsePackages = (text: string): readonly DebianPackage[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", version = "", architecture = "", status = "", provides = "", early = "", late = ""] =
        line.split("\t");
      return {
        name,
        version,
        architecture,
        isInstalled: status.trim() === "ii",
        provides: clausesOf(provides).flat(),
        needs: [...clausesOf(early), ...clausesOf(late)],
      };
    });

/** `libc6 (>= 2.34), awk | mawk` without its versions. */
const clausesOf = (text: string): readonly (readonly string[])[] =>
  text
    .split(",")
    .filter((clause) => clause.trim() !== "")
    .map((clause) => clause.split("|").map((each) => each.trim().replace(/[\s(:].*$/, "")));

export const closureOf = (names: readonly string[], known: readonly DebianPackage[]): readonly DebianPackage[] => {
  const installed = known.filter(({ isInstalled }) => isInstalled);
  const found = new Map<string, DebianPackage>();
  const add = (alternatives: readonly string[]): void => {
    if (alternatives.some((name) => FOR_INSTALLS.has(name))) return;
    const debianPackage =
      alternatives.flatMap((name) => installed.find((each) => each.name === name) ?? [])[0] ??
      installed.find(({ provides }) => provides.some((name) => alternatives.includes(name)));
    if (debianPackage === undefined) {
      const missing = alternatives.join(" or ");
      throw new Error(
        `A container image needs the Debian package ${missing}, which is not installed. ` +
          `Run: apt-get install ${alternatives[0] ?? ""}. Or pass --no-image.`,
      );
    }
    if (found.has(debianPackage.name)) return;
    found.set(debianPackage.name, debianPackage);
    for (const need of debianPackage.needs) add(need);
  };
  for (const name of names) add([name]);
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/**
 * The files and links of a package. Settings in `/etc` are left out: they are the machine's. Throws if a
 * file is not the one that the package brought.
 */
export const debianEntries = async ({ name, architecture }: DebianPackage): Promise<readonly Entry[]> => {
  const listed = await run(["dpkg-query", "-L", `${name}:${architecture}`], "/").catch(() =>
    run(["dpkg-query", "-L", name], "/"),
  );
  const hashes = readHashes(name, architecture);
  const entries: Entry[] = [];
  for (const line of new Set(listed.split("\n"))) {
    const path = mergedPath(line);
    if (!line.startsWith("/") || UNUSED.test(path)) continue;
    const stats = lstatSync(line, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() === true && !MERGED.includes(line.slice(1))) {
      entries.push({ kind: "link", path, target: readlinkSync(line) });
    }
    const expected = hashes.get(line.slice(1));
    if (expected === undefined) continue;
    if (stats?.isFile() !== true || hashOf(line) !== expected) throw changed(name, line);
    entries.push({ kind: "file", path, from: line, isProgram: (stats.mode & 0o100) !== 0 });
  }
  return entries;
};

const changed = (name: string, path: string): Error =>
  new Error(
    `${path} is not the file of the Debian package ${name}: it was changed or removed. ` +
      `Run: apt-get install --reinstall ${name}`,
  );

const mergedPath = (path: string): string => {
  const relative = path.slice(1);
  return MERGED.some((folder) => relative.startsWith(`${folder}/`)) ? `usr/${relative}` : relative;
};

/**
 * Reads the hashes of a package. They are MD5, because packages contain no others. They detect
 * accidental changes, but no attacks.
 */
const readHashes = (name: string, architecture: string): ReadonlyMap<string, string> => {
  const path = [`${name}:${architecture}.md5sums`, `${name}.md5sums`]
    .map((file) => join(DATABASE, file))
    .find((each) => existsSync(each));
  if (path === undefined) return new Map();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => [line.slice(34), line.slice(0, 32)]));
};

const hashOf = (path: string): string => createHash("md5").update(readFileSync(path)).digest("hex");
