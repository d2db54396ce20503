/** Finds the home folder, and sends requests to its daemon. */
import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Fetch, HearthError } from "@hearth/protocol";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./args/usage-error.ts";

export const findHome = (path: string | undefined, { env, cwd }: Pick<Terminal, "env" | "cwd">): string => {
  const folder = path ?? env["HEARTH_HOME"] ?? "";
  if (path === "") throw new UsageError("--home is empty.", "Give a folder: --home DIR");
  if (folder !== "") return resolve(cwd, folder);
  const userFolder = env["HOME"] ?? homedir();
  if (userFolder === "")
    throw new UsageError(
      "Cannot find the home folder: HOME is not set.",
      "Give a folder with --home DIR, or set HEARTH_HOME.",
    );
  return join(userFolder, ".hearth");
};

/** The facts that a running daemon wrote to the home's `run/` folder. */
export interface RunFacts {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/**
 * Reads the facts. Returns undefined when no daemon of this home is running. Throws `auth.denied`
 * when its files cannot be read.
 */
export const readRunFacts = async (home: string): Promise<RunFacts | undefined> => {
  const readFact = async (name: string): Promise<string | undefined> => {
    try {
      return (await readFile(join(home, "run", name), "utf8")).trim();
    } catch (error) {
      if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
        return undefined;
      if (error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM"))
        throw await deniedError(home, error);
      throw error;
    }
  };
  // The daemon writes the address last, so the other files exist when it does.
  const url = await readFact("url");
  const token = await readFact("token");
  const pid = Number(await readFact("pid"));
  return url === undefined || token === undefined || !URL.canParse(url) ? undefined : { url, token, pid };
};

/** Whether a process of this machine runs. A zombie, which only waits for its parent, counts as ended. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process runs as another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const [state, threads] = readProcessState(pid);
  return state !== "Z" || threads > 1;
};

/**
 * Reads the state of a process's main thread, and its number of threads. See proc_pid_stat(5). The
 * main thread of a process that is ending can be a zombie (`Z`) while other threads still run.
 */
const readProcessState = (pid: number): readonly [state: string | undefined, threads: number] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [fields[0], Number(fields[17])];
  } catch {
    // The system has no /proc.
    return [undefined, 1];
  }
};

/** Returns the error for a home whose files the caller may not read. */
const deniedError = async (home: string, cause: Error): Promise<HearthError> => {
  const ownUid = process.getuid?.();
  const owner = await stat(home).then(
    ({ uid }) => uid,
    () => undefined,
  );
  if (owner === ownUid) {
    return new HearthError("auth.denied", `${home} belongs to you, but its permissions deny reading its files.`, {
      hint: `Give yourself permission: chmod -R u+rwX ${home}`,
      cause,
    });
  }
  const ownerName = owner === undefined ? "another user" : `"${await findUserName(owner)}"`;
  const userName = ownUid === undefined ? "a different user" : `"${await findUserName(ownUid)}"`;
  return new HearthError("auth.denied", `${home} belongs to ${ownerName}, but this command runs as ${userName}.`, {
    hint: "Run the command as that user, or choose your own home with --home DIR or HEARTH_HOME.",
    cause,
  });
};

const findUserName = async (uid: number): Promise<string> => {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const line = users.split("\n").find((candidate) => candidate.split(":")[2] === String(uid));
  return line?.split(":")[0] ?? `user ${uid}`;
};

/**
 * Returns a fetch that sends every request to the home's current daemon, with `key` or as the
 * owner. It reads the token and the port for each request, because a restart changes them and a
 * follower must survive it.
 */
export const createHomeFetch =
  (home: string, fetch: Fetch, key?: string): Fetch =>
  async (input, init) => {
    const facts = await readRunFacts(home);
    if (facts === undefined) throw new TypeError(`${join(home, "run/url")} is not there.`);
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${key ?? facts.token}`);
    return fetch(new URL(pathname + search, facts.url), { ...init, headers, redirect: "error" });
  };
