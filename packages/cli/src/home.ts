/** The home folder as other programs than the daemon see it: where it is, and how to reach the daemon of it. */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Fetch, HearthError } from "@hearth/protocol";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export const findHome = (given: string | undefined, { env, cwd }: Pick<Terminal, "env" | "cwd">): string => {
  const named = given ?? env["HEARTH_HOME"] ?? "";
  if (given === "") throw new UsageError("--home is empty.", "Name a folder: --home DIR");
  if (named !== "") return resolve(cwd, named);
  const user = env["HOME"] ?? homedir();
  if (user === "")
    throw new UsageError("There is no home folder: HOME is not set.", "Name one: --home DIR, or set HEARTH_HOME.");
  return join(user, ".hearth");
};

/** What a running daemon wrote into `run/`. */
export interface RunFacts {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Nothing when no daemon of this home has said that it runs. Throws `auth.denied` when its files may not be read. */
export const readRunFacts = async (home: string): Promise<RunFacts | undefined> => {
  const read = async (name: string): Promise<string | undefined> => {
    try {
      return (await readFile(join(home, "run", name), "utf8")).trim();
    } catch (error) {
      if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
        return undefined;
      if (error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM"))
        throw await toDenied(home, error);
      throw error;
    }
  };
  // The address is written last: where it is, the rest is.
  const url = await read("url");
  const token = await read("token");
  const pid = Number(await read("pid"));
  return url === undefined || token === undefined || !URL.canParse(url) ? undefined : { url, token, pid };
};

/** A home is its owner's alone. */
const toDenied = async (home: string, cause: Error): Promise<HearthError> => {
  const me = process.getuid?.();
  const owner = await stat(home).then(
    ({ uid }) => uid,
    () => undefined,
  );
  if (owner === me) {
    return new HearthError("auth.denied", `${home} is yours, and yet its files may not be read.`, {
      hint: `Give yourself the right: chmod -R u+rwX ${home}`,
      cause,
    });
  }
  const whose = owner === undefined ? "another account" : await nameOf(owner);
  const who = me === undefined ? "another" : await nameOf(me);
  return new HearthError("auth.denied", `${home} is the home of ${whose}, and you are ${who}.`, {
    hint: "Run this as the account that owns it, or name a home of your own: --home DIR, or set HEARTH_HOME.",
    cause,
  });
};

const nameOf = async (uid: number): Promise<string> => {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const line = users.split("\n").find((candidate) => candidate.split(":")[2] === String(uid));
  return line?.split(":")[0] ?? `user ${uid}`;
};

/**
 * Sends every request to the daemon that runs now, with this key or as its owner, whatever address the client began with:
 * each start has a token of its own and maybe another port, and a follower outlives starts.
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
