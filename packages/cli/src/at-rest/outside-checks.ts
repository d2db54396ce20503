/** Checks a home whose house is not running. It changes nothing. */
import { access, constants, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "@hearth/protocol";
import { findHome } from "../home.ts";
import type { Terminal } from "../terminal.ts";
import { examineConfig } from "./config-at-rest.ts";

/** Files that mark a folder as a Hearth home. */
const HOME_FILES = ["hearth.toml", "hearth.db"];

export const checkStoppedHouse = async (
  home: string,
  terminal: Pick<Terminal, "env" | "cwd">,
): Promise<readonly Check[]> => {
  const startCommand = home === findHome(undefined, terminal) ? "hearth up" : `hearth up --home ${home}`;
  return [
    { name: "runtime", ok: true, detail: `Bun ${Bun.version}, ${process.platform} ${process.arch}` },
    await checkFolder(home, startCommand),
    await checkConfig(join(home, "hearth.toml"), startCommand),
    { name: "house", ok: false, detail: "not running", fix: `Start it: ${startCommand}` },
  ];
};

const checkFolder = async (home: string, startCommand: string): Promise<Check> => {
  const createFailedCheck = (detail: string, fix: string): Check => ({ name: "home", ok: false, detail, fix });
  try {
    if (!(await stat(home)).isDirectory())
      return createFailedCheck(`${home} is not a folder`, "Give a folder: --home DIR");
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    const names = await readdir(home);
    if (names.length > 0 && !HOME_FILES.some((fileName) => names.includes(fileName))) {
      return createFailedCheck(
        `${home} is not a Hearth home: it contains ${names.slice(0, 3).join(", ")}`,
        "Give an empty or new folder: --home DIR",
      );
    }
    return { name: "home", ok: true, detail: `${home} exists and is writable` };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT")
      return createFailedCheck(`${home} does not exist yet`, `Start the house to create it: ${startCommand}`);
    return createFailedCheck(
      `${home} is not writable (${code})`,
      "Make it writable for your user, or give another folder: --home DIR",
    );
  }
};

const checkConfig = async (path: string, startCommand: string): Promise<Check> => {
  try {
    await access(path, constants.R_OK);
    const problem = await examineConfig(path);
    if (problem === undefined) return { name: "config", ok: true, detail: `${path} is valid` };
    const fix = problem.hint ?? `Correct ${path}.`;
    return { name: "config", ok: false, detail: problem.message, fix };
  } catch (error) {
    const code = codeOf(error);
    const name = "config";
    return code === "ENOENT" || code === "ENOTDIR"
      ? { name, ok: false, detail: `${path} does not exist`, fix: `Start the house to create it: ${startCommand}` }
      : { name, ok: false, detail: `${path} cannot be read (${code})`, fix: `Make it readable: chmod u+r ${path}` };
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
