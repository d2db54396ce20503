/** Folders of other programs on this machine: which exist, and what an import process reads in them. */
import { createReadStream } from "node:fs";
import { mkdir, realpath, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { HearthError, type ImportPlace, isHearthError } from "@hearth/protocol";
import type { SourceFolders } from "../../../http/index.ts";
import type { Item, ListedItem } from "../../../http/imports/plan.ts";
import { askImportProcess } from "./import-request.ts";
import { listNames } from "./tree.ts";

export interface SourceFoldersOptions {
  /** The folder of the user who runs the house. */
  readonly userFolder?: string;
  /** Asks an import process. Default: starts one. */
  readonly ask?: typeof askImportProcess;
}

/** `home`: the home folder of the house. */
export const createSourceFolders = (
  home: string,
  { userFolder = homedir(), ask = askImportProcess }: SourceFoldersOptions = {},
): SourceFolders => {
  const copy = join(home, "run/import.jsonl");
  const never = new AbortController().signal;
  return {
    async places() {
      const known: readonly ImportPlace[] = [
        { kind: "openclaw", folder: join(userFolder, ".openclaw") },
        { kind: "hermes", folder: join(userFolder, ".hermes") },
        { kind: "claude-code", folder: join(userFolder, ".claude") },
      ];
      const exist = await Promise.all(known.map(async ({ folder }) => isFolder(folder)));
      const places = known.filter((_, index) => exist[index] === true);
      return (await Promise.all(places.map(withAgents))).flat();
    },

    async list({ kind, folder }) {
      const request = { kind, folder: await resolveFolder(home, folder) };
      // The process runs our own code, so its answer has this type.
      return orFail(folder, async () => (await ask(request, never)) as readonly ListedItem[]);
    },

    async read({ kind, folder }, wanted, use) {
      const real = await resolveFolder(home, folder);
      try {
        await orFail(folder, async () => {
          await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
          // Left by a daemon that was killed.
          await rm(copy, { force: true });
          await ask({ kind, folder: real, into: copy, wanted }, never);
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
  const real = await realpath(folder);
  const homePath = await realpath(home);
  if (isWithin(homePath, real) || isWithin(real, homePath))
    throw refuse(`${folder} contains files of this house.`, "Give the folder of the other program.");
  return real;
};

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const refuse = (problem: string, hint: string, cause?: unknown): HearthError =>
  new HearthError("import.failed", problem, { hint, cause });

const orFail = async <Result>(folder: string, work: () => Promise<Result>): Promise<Result> => {
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
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Item;
  }
}
