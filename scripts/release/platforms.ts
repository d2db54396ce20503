/** The platforms of a release, and the Bun runtime of each. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { extract } from "tar";

export interface Platform {
  readonly name: string;
  /** `process.platform` and `process.arch` there. */
  readonly os: "linux" | "darwin";
  readonly arch: "x64" | "arm64";
  /** The npm package of the runtime. */
  readonly runtime: string;
}

/** The house needs a POSIX shell and signals, so Windows runs the Linux executable in WSL. */
export const platforms: readonly Platform[] = [
  { name: "linux-x64", os: "linux", arch: "x64", runtime: "@oven/bun-linux-x64" },
  { name: "linux-arm64", os: "linux", arch: "arm64", runtime: "@oven/bun-linux-aarch64" },
  { name: "darwin-x64", os: "darwin", arch: "x64", runtime: "@oven/bun-darwin-x64" },
  { name: "darwin-arm64", os: "darwin", arch: "arm64", runtime: "@oven/bun-darwin-aarch64" },
];

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

/**
 * Absolute path of the platform's runtime: the installed one, or the npm package of the version in
 * package-lock.json, whose hash must match. It stays in `node_modules` for the next release.
 */
export const findRuntime = async (root: string, { runtime }: Platform): Promise<string> => {
  const installed = join(root, "node_modules", runtime, "bin/bun");
  if (existsSync(installed)) return installed;
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const locked = lock.packages[`node_modules/${runtime}`];
  if (locked === undefined) throw new Error(`package-lock.json has no ${runtime}. Add it with npm install.`);
  const place = join(root, "node_modules/.hearth-runtimes");
  const kept = join(place, `${runtime.slice("@oven/".length)}-${locked.version}`);
  if (existsSync(kept)) return join(kept, "package/bin/bun");
  await mkdir(place, { recursive: true });
  const draft = await mkdtemp(join(place, "draft-"));
  try {
    await fetchPackage(`${runtime}@${locked.version}`, locked.integrity, draft);
    await rename(draft, kept);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return join(kept, "package/bin/bun");
};

/** npm reads its own cache first. */
const fetchPackage = async (name: string, integrity: string, folder: string): Promise<void> => {
  const npm = Bun.spawn(["npm", "pack", name, "--silent", "--prefer-offline", "--pack-destination", folder], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [file, why, code] = await Promise.all([npm.stdout.text(), npm.stderr.text(), npm.exited]);
  if (code !== 0) throw new Error(`npm cannot fetch ${name}: ${why.trim()}. Connect to the registry, then try again.`);
  const path = join(folder, file.trim());
  const found = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
  if (found !== integrity) {
    throw new Error(
      `${name} has the hash ${found}, and package-lock.json says ${integrity}. Do not use this registry.`,
    );
  }
  await extract({ file: path, cwd: folder });
  await rm(path);
};
