/**
 * The inmate as a folder with a few files, which is all of Hearth that a cell gets to see. Made of our sources when they have changed since; a
 * start of a cell then reads one small file, compiled ahead, instead of a hundred.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy, HearthError } from "@hearth/protocol";

/** Absolute path of the file to start it by. Nothing else is in its folder. Throws `cell.unavailable` when it cannot be made. */
export type InmateProgram = () => Promise<string>;

const PREFIX = "inmate-";
const MAIN = "main.js";
const BUILD = fileURLToPath(new URL("inmate-build.ts", import.meta.url));

/** Beside what else is made of our sources, so that all homes and tests of a checkout share it. */
const OURS = fileURLToPath(new URL("../../../../../../node_modules/.hearth-inmate", import.meta.url));

/** `folder` keeps it where the checkout cannot be written to: the home's own, never the workspace. */
export const createInmateProgram = (folder: string, ours: string = OURS): InmateProgram => {
  let make = lazy(() => find(folder, ours));
  return async () => {
    const program = await make();
    if (await use(program)) return program;
    // Somebody cleared up. What the sources are by now is what there is to start.
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
  await removeOthers(program);
  return join(program, MAIN);
};

/** Says by its time that it is used. Whether it is still there. */
const use = async (program: string): Promise<boolean> => {
  const now = new Date();
  // A checkout that is somebody else's keeps its time; nobody here removes what is in it either.
  await utimes(dirname(program), now, now).catch(() => undefined);
  return existsSync(program);
};

/** A daemon, its tests and another daemon of later sources share a folder: what was used since stays. */
const UNUSED_MS = 24 * 60 * 60 * 1000;

/** Changes with the sources it is made of. Where they were installed they change with the lock file. */
const keyOf = async (entry: string): Promise<string> => {
  const hash = createHash("sha256")
    .update(Bun.version)
    .update(await readFile(BUILD));
  const protocol = dirname(Bun.resolveSync("@hearth/protocol", import.meta.dir));
  // packages/inmate/src/adapter/bun/main.ts
  const inmate = join(dirname(entry), "../..");
  for (const root of [inmate, protocol]) {
    for (const name of (await readdir(root, { recursive: true })).sort()) {
      if (!name.endsWith(".ts") || /\.(test|conformance)\.ts$/.test(name)) continue;
      const { mtimeMs, size } = await stat(join(root, name));
      hash.update(`${name}\0${mtimeMs}\0${size}\0`);
    }
  }
  return hash.digest("hex").slice(0, 16);
};

/** In a process of its own: the bundler's memory is not given back. Throws the system's own error where nothing can be written. */
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
      `The inmate's program could not be made: ${words.trim() || `code ${code}`}`,
      {
        hint: "See that the home folder can be written to, then run: hearth doctor",
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

/** Those of other sources that nobody has used for long, and what was begun then. */
const removeOthers = async (program: string): Promise<void> => {
  const folder = dirname(program);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(PREFIX) || path === program) continue;
    // One that is gone meanwhile is fine.
    const usedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now);
    if (Date.now() - usedAt > UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
};
