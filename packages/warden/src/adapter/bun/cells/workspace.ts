/** The workspace that a cell is to have, held while there is the cell: no name leads from it to another folder. */
import { HearthError } from "@hearth/protocol";
import type { Cell } from "../../../cells/backend.ts";
import { identityOf, openPlainFolder, type PlainFolder } from "../plain-folder.ts";

export interface HeldWorkspace {
  /** A path to the very folder, for this process and those that it starts. */
  readonly at: string;
  /** See `identityOf`. */
  readonly identity: string;
}

/** Opens a cell with it, and lets go of it when the cell has gone. Throws `cell.unavailable` where a link stands on the way. */
export const withWorkspace = async <Opened extends Cell>(
  path: string,
  open: (workspace: HeldWorkspace) => Promise<Opened>,
): Promise<Opened> => {
  const folder = hold(path);
  try {
    // The last step is no link any more.
    const at = `${folder.at.replace(/^\/proc\/self\//, `/proc/${process.pid}/`)}/.`;
    const cell = await open({ at, identity: identityOf(at) });
    const letGo = (): void => folder[Symbol.dispose]();
    cell.gone.then(letGo, letGo);
    return cell;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
};

const hold = (path: string): PlainFolder => {
  const names = path.split("/").filter((name) => name !== "");
  try {
    return openPlainFolder("/", names);
  } catch (cause) {
    throw elsewhere(path, cause);
  }
};

export const elsewhere = (path: string, cause?: unknown): HearthError =>
  new HearthError("cell.unavailable", `The workspace ${path} is not to be had: something else stands on the way.`, {
    hint: "Take away the link or file in the agent's workspace that stands in the folder's place.",
    cause,
  });
