/**
 * Builds the inmate as a folder with a few files, the only part of Hearth that a cell sees. Rebuilt
 * when the sources change. Starting a cell then loads one small compiled file instead of a hundred
 * sources.
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
 * `folder` is used when the checkout is read-only. It must belong to the home and never be the
 * workspace.
 */
export const createInmateProgram = (folder: string, ours: string = CHECKOUT_FOLDER): InmateProgram => {
  let make = lazy(() => find(folder, ours));
  return async () => {
    const program = await make();
    if (await use(program)) return program;
    // The program was deleted; build it from the present sources.
    make = lazy(() => find(folder, ours));
    return make();
  };
};

const find = async (folder: string, ours: string): Promise<string> => {
  const entry = Bun.resolveSync("@hearth/inmate/bun", import.meta.dir);
  const name = `${PREFIX}${await keyOf(entry)}`;
  const [first, second] = [join(ours, name), join(folder, name)];
  for (const known of [first, second]) if (existsSync(known)) return join(known, MAIN);
  const program = await build(entry, first).then(
    () => first,
    () => build(entry, second).then(() => second),
  );
  await removeUnusedBuilds(program);
  return join(program, MAIN);
};

/** Updates its time to mark it as used. Returns whether it still exists. */
const use = async (program: string): Promise<boolean> => {
  const now = new Date();
  // A checkout of another user keeps its time; this user cannot remove it either.
  await utimes(dirname(program), now, now).catch(() => undefined);
  return existsSync(program);
};

/**
 * A daemon, its tests and a daemon of later sources share a folder, so recently used builds stay.
 */
const UNUSED_MS = 24 * 60 * 60 * 1000;

/** Changes with the sources. For an installed copy, it changes with the lock file. */
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
 * Runs in a separate process, because the bundler does not release its memory. Throws the system's
 * own error when the folder cannot be written.
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
  const [code, words] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true });
    throw new HearthError(
      "cell.unavailable",
      `Could not build the inmate's program: ${words.trim() || `code ${code}`}`,
      {
        hint: "Check that the home folder is writable, then run: hearth doctor",
      },
    );
  }
  try {
    await rename(draft, program);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start has built the same program meanwhile.
    if (!existsSync(program)) throw error;
  }
};

/** Removes builds of other sources that were unused for long, and old drafts. */
const removeUnusedBuilds = async (program: string): Promise<void> => {
  const folder = dirname(program);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(PREFIX) || path === program) continue;
    // Another process may remove it meanwhile.
    const usedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now);
    if (Date.now() - usedAt > UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
};
