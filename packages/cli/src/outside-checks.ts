/** What can be checked of a house that does not run: what it starts with, and the folder it lives in. Changes nothing. */
import { access, constants, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "@hearth/protocol";
import { findHome } from "./home.ts";
import type { Terminal } from "./terminal.ts";

/** What a home of Hearth has in it. */
const MARKS = ["hearth.toml", "hearth.db"];

export const checkFromOutside = async (
  home: string,
  terminal: Pick<Terminal, "env" | "cwd">,
): Promise<readonly Check[]> => {
  const start = home === findHome(undefined, terminal) ? "hearth up" : `hearth up --home ${home}`;
  return [
    { name: "runtime", ok: true, detail: `Bun ${Bun.version}, ${process.platform} ${process.arch}` },
    await checkFolder(home, start),
    await checkConfig(join(home, "hearth.toml"), start),
    { name: "house", ok: false, detail: "not running", fix: `Start it: ${start}` },
  ];
};

const checkFolder = async (home: string, start: string): Promise<Check> => {
  const bad = (detail: string, fix: string): Check => ({ name: "home", ok: false, detail, fix });
  try {
    if (!(await stat(home)).isDirectory()) return bad(`${home} is not a folder`, "Name a folder: --home DIR");
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    const names = await readdir(home);
    if (names.length > 0 && !MARKS.some((mark) => names.includes(mark))) {
      return bad(
        `${home} is not a home of Hearth: it holds ${names.slice(0, 3).join(", ")}`,
        "Name an empty or a new folder: --home DIR",
      );
    }
    return { name: "home", ok: true, detail: `${home} is there and can be written` };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return bad(`${home} is not there yet`, `The first start makes it: ${start}`);
    return bad(`${home} cannot be written (${code})`, "Make it writable for you, or name another: --home DIR");
  }
};

const checkConfig = async (path: string, start: string): Promise<Check> => {
  try {
    await access(path, constants.R_OK);
    return { name: "config", ok: true, detail: `${path} is there` };
  } catch (error) {
    const code = codeOf(error);
    const name = "config";
    return code === "ENOENT" || code === "ENOTDIR"
      ? { name, ok: false, detail: `${path} is not there`, fix: `A start writes one: ${start}` }
      : { name, ok: false, detail: `${path} cannot be read (${code})`, fix: `Make it readable: chmod u+r ${path}` };
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
