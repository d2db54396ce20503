/** The home folder: finds or creates it, restricts it to its owner, and locks it for one daemon. */
import { Database } from "bun:sqlite";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";

export interface Home {
  readonly folder: string;
  /** Absolute path of a file in the home. */
  path(name: string): string;
  /** Publishes how other programs of this machine reach the daemon. */
  announce(facts: { readonly url: string; readonly token: string }): void;
  /** Removes the published information and unlocks the folder. */
  release(): void;
}

/**
 * The folder whose contents replace those of the home at its next start, and the folder of the
 * contents that were replaced last.
 */
export const REPLACEMENT = "replacement";
export const REPLACED = "replaced";
/** Names in every home of Hearth. A non-empty folder without them belongs to another program. */
const MARKS = ["hearth.toml", "hearth.db", REPLACEMENT];
/**
 * The marks of a home whose restore or import has not ended, and of a home that was restored or
 * imported since its last start.
 */
export const RESTORING = "restoring";
export const RESTORED = "restored";
const RUN_FILES = ["url", "pid", "token"] as const;

/**
 * Opens the home. The folder is locked until `release`, or until the process ends in any way.
 * Throws `home.read-only`, `home.foreign` or `home.in-use`.
 */
export const openHome = (folder: string): Home => {
  const path = (name: string): string => join(folder, name);
  const existingNames = makeFolder(folder);
  if (existingNames.includes(RESTORING)) {
    throw new HearthError(
      "home.foreign",
      `The restore or import into ${folder} was interrupted, so its files are incomplete.`,
      {
        hint: `Run it again: hearth restore --from DIR --home ${folder}, or hearth import hearth DIR --home ${folder}`,
      },
    );
  }
  if (existingNames.length > 0 && !MARKS.some((mark) => existingNames.includes(mark))) {
    throw new HearthError(
      "home.foreign",
      `${folder} is not a home of Hearth: it contains ${existingNames.slice(0, 3).join(", ")}.`,
      {
        hint: "Choose an empty or new folder: hearth up --home DIR, or set HEARTH_HOME.",
      },
    );
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // The mode may allow what the disk refuses, so try a write.
    writeFileSync(path(".write-check"), "", { mode: 0o600 });
    rmSync(path(".write-check"));
    chmodSync(folder, 0o700);
    for (const name of ["run", "logs", "brains"]) mkdirSync(path(name), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw readOnlyError(folder, cause);
  }
  const lock = lockRunFile(path("run/lock"), folder);
  const removeRunFiles = (): void => {
    for (const name of RUN_FILES)
      for (const file of [name, `${name}.next`]) rmSync(path(`run/${file}`), { force: true });
  };
  try {
    // A killed daemon may have left these files.
    removeRunFiles();
    // Reserves space for these files on a disk that becomes full.
    for (const name of RUN_FILES) writeFileSync(path(`run/${name}.next`), "\n", { mode: 0o600 });
  } catch (cause) {
    lock.close();
    throw cause;
  }
  return {
    folder,
    path,
    announce({ url, token }) {
      const write = (name: (typeof RUN_FILES)[number], text: string): void => {
        writeFileSync(path(`run/${name}.next`), `${text}\n`, { mode: 0o600 });
        renameSync(path(`run/${name}.next`), path(`run/${name}`));
      };
      write("token", token);
      write("pid", String(process.pid));
      write("url", url);
    },
    release() {
      removeRunFiles();
      lock.close();
    },
  };
};

const makeFolder = (folder: string): readonly string[] => {
  try {
    const firstCreated = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (firstCreated !== undefined) syncNames(folder, firstCreated);
    return readdirSync(folder);
  } catch (cause) {
    if (codeOf(cause) === "EEXIST" || codeOf(cause) === "ENOTDIR") {
      throw new HearthError("home.foreign", `${folder} is not a folder.`, {
        hint: "Choose a folder: hearth up --home DIR.",
        cause,
      });
    }
    throw readOnlyError(folder, cause);
  }
};

/**
 * A name is durable once its parent folder is synced. Syncs from the deepest new folder up to the
 * first.
 */
const syncNames = (deepest: string, first: string): void => {
  for (let path = deepest; path.length >= first.length; path = dirname(path)) {
    const parent = openSync(dirname(path), "r");
    fsyncSync(parent);
    closeSync(parent);
  }
};

/**
 * SQLite's lock is an operating system lock, which ends with its process, so there are no stale
 * locks.
 */
const lockRunFile = (path: string, folder: string): Database => {
  try {
    return lockFile(path);
  } catch (error) {
    if (codeOf(error) !== "SQLITE_NOTADB") throw lockError(folder, path, error);
  }
  // Another program wrote into the file. SQLite reads the file only after it got the lock, so no
  // process holds it, so the file is emptied.
  try {
    truncateSync(path);
    return lockFile(path);
  } catch (error) {
    throw lockError(folder, path, error);
  }
};

/** Locks a file for this process. Throws `SQLITE_BUSY` while another process has it. */
export const lockFile = (path: string): Database => {
  const lock = new Database(path);
  try {
    chmodSync(path, 0o600);
    lock.run("pragma journal_mode = memory");
    lock.run("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
};

const lockError = (folder: string, path: string, cause: unknown): HearthError =>
  codeOf(cause).startsWith("SQLITE_BUSY")
    ? new HearthError("home.in-use", `Another Hearth is running with the home ${folder}.`, {
        hint: "Use it (hearth status), stop it (hearth stop), or start this one with another home: hearth up --home DIR.",
        cause,
      })
    : new HearthError(
        "home.read-only",
        `Hearth cannot lock its home: ${path} could not be opened (${codeOf(cause)}).`,
        {
          hint: "Check that no Hearth runs with this home, remove that file, and start again.",
          cause,
        },
      );

const readOnlyError = (folder: string, cause: unknown): HearthError =>
  new HearthError("home.read-only", `Hearth cannot write to its home ${folder} (${codeOf(cause)}).`, {
    hint: "Give your user permission to write the folder, or choose another: hearth up --home DIR.",
    cause,
  });

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
