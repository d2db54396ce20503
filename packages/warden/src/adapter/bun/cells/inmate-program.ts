/**
 * Builds the inmate as a folder with a few files, the only part of Hearth that a cell sees. The
 * folder is rebuilt when the sources change. The start of a cell then loads one small compiled file
 * instead of a hundred sources.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy, HearthError } from "@hearth/protocol";

/**
 * Returns the absolute path of the file to start. Its folder contains nothing else. Throws
 * `cell.unavailable` when the build fails.
 */
export type InmateProgram = () => Promise<string>;

const PREFIX = "inmate-";
const MAIN = "main.js";
const BUILD = fileURLToPath(new URL("inmate-build.ts", import.meta.url));

/** A folder of the checkout, shared by all its homes and tests. */
const CHECKOUT_FOLDER = fileURLToPath(new URL("../../../../../../node_modules/.hearth-inmate", import.meta.url));

/**
 * Creates the program. `folder` is used when the checkout is read-only. It must belong to the home
 * and never be the workspace.
 */
export const createInmateProgram = (folder: string, ours: string = CHECKOUT_FOLDER): InmateProgram => {
  let make = lazy(() => findOrBuild(folder, ours));
  return async () => {
    const program = await make();
    if (await markUsed(program)) return program;
    // The program was deleted, so it is built from the present sources.
    make = lazy(() => findOrBuild(folder, ours));
    return make();
  };
};

const findOrBuild = async (folder: string, ours: string): Promise<string> => {
  const entry = Bun.resolveSync("@hearth/inmate/bun", import.meta.dir);
  const name = `${PREFIX}${await keyOf(entry)}`;
  const [checkoutBuild, homeBuild] = [join(ours, name), join(folder, name)];
  for (const existing of [checkoutBuild, homeBuild]) if (existsSync(existing)) return join(existing, MAIN);
  const program = await build(entry, checkoutBuild).then(
    () => checkoutBuild,
    () => build(entry, homeBuild).then(() => homeBuild),
  );
  await removeUnusedBuilds(program);
  return join(program, MAIN);
};

/** Updates the program's time to mark it as used. Returns whether the program still exists. */
const markUsed = async (program: string): Promise<boolean> => {
  const now = new Date();
  // A checkout of another user keeps its time, and this user cannot remove it either.
  await utimes(dirname(program), now, now).catch(() => undefined);
  return existsSync(program);
};

/**
 * A daemon, its tests and a daemon of later sources share a folder, so recently used builds stay.
 */
const MAX_UNUSED_MS = 24 * 60 * 60 * 1000;

/** Returns a key that changes with the sources. For an installed copy, it changes with the lock file. */
const keyOf = async (entry: string): Promise<string> => {
  const hash = createHash("sha256")
    .update(Bun.version)
    .update(await readFile(BUILD));
  const protocol = dirname(Bun.resolveSync("@hearth/protocol", import.meta.dir));
  // packages/inmate/src/adapter/bun/main.ts
  const inmate = join(dirname(entry), "../..");
  const documents = dirname(Bun.resolveSync("@hearth/documents", entry));
  hash.update(await readFile(join(documents, "../package.json")));
  for (const root of [inmate, protocol, documents]) {
    for (const name of (await readdir(root, { recursive: true })).sort()) {
      if (!name.endsWith(".ts") || /\.(test|conformance)\.ts$/.test(name)) continue;
      const { mtimeMs, size } = await stat(join(root, name));
      hash.update(`${name}\0${mtimeMs}\0${size}\0`);
    }
  }
  return hash.digest("hex").slice(0, 16);
};

/**
 * Builds in a separate process, because the bundler does not release its memory. Throws the
 * system's own error when the folder cannot be written.
 */
const build = async (entry: string, program: string): Promise<void> => {
  const draft = `${program}.${crypto.randomUUID()}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", BUILD, entry, draft], {
    cwd: dirname(entry),
    env: { PATH: "/usr/bin:/bin", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [code, errorOutput] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true });
    throw new HearthError(
      "cell.unavailable",
      `Could not build the inmate's program: ${errorOutput.trim() || `code ${code}`}`,
      {
        hint: "Check that the home folder is writable, then run: hearth doctor",
      },
    );
  }
  try {
    await rename(draft, program);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start has built the same program at the same time.
    if (!existsSync(program)) throw error;
  }
};

/** Removes builds of other sources that were unused for long, and old drafts. */
const removeUnusedBuilds = async (program: string): Promise<void> => {
  const folder = dirname(program);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(PREFIX) || path === program) continue;
    // Another process may remove the file at the same time.
    const usedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now);
    if (Date.now() - usedAt > MAX_UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
};
