/** Finds the folders of other programs on this machine, and reads them through an import process. */
import { createReadStream } from "node:fs";
import { mkdir, realpath, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { HearthError, type ImportPlace, isHearthError } from "@hearth/protocol";
import type { SourceFolders } from "../../../http/index.ts";
import type { Item, ListedItem } from "../../../http/imports/plan.ts";
import { runImportProcess } from "./import-request.ts";
import { listNames } from "./tree.ts";

export interface SourceFoldersOptions {
  /** The folder of the user who runs the house. */
  readonly userFolder?: string;
  /** Sends a request to an import process. Default: starts a process for each request. */
  readonly runImport?: typeof runImportProcess;
}

/** `home` is the home folder of the house. */
export const createSourceFolders = (
  home: string,
  { userFolder = homedir(), runImport = runImportProcess }: SourceFoldersOptions = {},
): SourceFolders => {
  const copy = join(home, "run/import.jsonl");
  const neverAborted = new AbortController().signal;
  return {
    async places() {
      const candidates: readonly ImportPlace[] = [
        { kind: "openclaw", folder: join(userFolder, ".openclaw") },
        { kind: "hermes", folder: join(userFolder, ".hermes") },
        { kind: "claude-code", folder: join(userFolder, ".claude") },
      ];
      const areFolders = await Promise.all(candidates.map(async ({ folder }) => isFolder(folder)));
      const places = candidates.filter((_, index) => areFolders[index] === true);
      return (await Promise.all(places.map(withAgents))).flat();
    },

    async list({ kind, folder }) {
      const request = { kind, folder: await resolveFolder(home, folder) };
      // The process runs our own code, so its answer has this type.
      return withImportError(folder, async () => (await runImport(request, neverAborted)) as readonly ListedItem[]);
    },

    async read({ kind, folder }, wanted, use) {
      const realFolder = await resolveFolder(home, folder);
      try {
        await withImportError(folder, async () => {
          await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
          // A daemon that was killed may have left a copy.
          await rm(copy, { force: true });
          await runImport({ kind, folder: realFolder, into: copy, wanted }, neverAborted);
        });
        await use(readLines(copy));
      } finally {
        await rm(copy, { force: true });
      }
    },
  };
};

/** Adds the folders of the agents to a home of OpenClaw that has several. */
const withAgents = async (place: ImportPlace): Promise<readonly ImportPlace[]> => {
  if (place.kind !== "openclaw") return [place];
  const agents = await listNames(place.folder, "agents");
  if (agents.length < 2) return [place];
  return [place, ...agents.map((id) => ({ kind: place.kind, folder: join(place.folder, "agents", id) }))];
};

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** The real path of a folder that may be imported. Throws `import.failed`. */
const resolveFolder = async (home: string, folder: string): Promise<string> => {
  if (!isAbsolute(folder)) throw refuse(`${folder} is not an absolute path.`, "Give a path that begins with /.");
  if (!(await isFolder(folder)))
    throw refuse(
      `There is no folder ${folder} that the house can open.`,
      "Check the path on the machine of the house.",
    );
  const realFolder = await realpath(folder);
  const homePath = await realpath(home);
  if (isWithin(homePath, realFolder) || isWithin(realFolder, homePath))
    throw refuse(`${folder} contains files of this house.`, "Give the folder of the other program.");
  return realFolder;
};

const isWithin = (folder: string, path: string): boolean => {
  const relativePath = relative(folder, path);
  return relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
};

const refuse = (problem: string, hint: string, cause?: unknown): HearthError =>
  new HearthError("import.failed", problem, { hint, cause });

const withImportError = async <Result>(folder: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (isHearthError(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw refuse(`${folder} cannot be read: ${why}`, "Nothing was imported. Check the folder, and try again.", error);
  }
};

/** Yields the parts of the copy, one at a time. Only a newline ends a line. */
async function* readLines(path: string): AsyncGenerator<Item> {
  let partialLine = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = `${partialLine}${chunk}`.split("\n");
    partialLine = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Item;
  }
}
