/** Assembles the tools of an inmate on Bun. */
import type { Clock } from "@hearth/protocol";
import { createTools, type Tools } from "../../tools/index.ts";
import { createBunFiles } from "./files.ts";
import { compileBunGlob } from "./glob.ts";
import { createReadDocument } from "./read-document.ts";
import { createScalePicture } from "./scale-picture.ts";
import { createBunMachine } from "./machine.ts";
import { createBunSpawn } from "./spawn.ts";

export interface BunToolsOptions {
  readonly clock: Clock;
  /** Absolute path of the only folder that the tools see. */
  readonly workspace: string;
  /** Folder for temporary files. The default is that of the system. */
  readonly temporaryFolder?: string;
  /** The command that converts a document, to which the path is added. It is undefined in a cell without isolation. */
  readonly document?: readonly string[];
  /** The command that scales a picture down, to which the path and the limits are added. */
  readonly picture?: readonly string[];
}

export const createBunTools = ({ clock, workspace, temporaryFolder, document, picture }: BunToolsOptions): Tools => {
  const spawn = createBunSpawn(temporaryFolder === undefined ? {} : { TMPDIR: temporaryFolder, ...GIT_ENVIRONMENT });
  const options = {
    files: createBunFiles(workspace),
    spawn,
    machine: createBunMachine(workspace),
    compileGlob: compileBunGlob,
    clock,
    workspace,
  };
  if (document === undefined || picture === undefined) return createTools(options);
  const documents = createReadDocument({ spawn, command: document, workspace });
  const pictures = createScalePicture({ spawn, command: picture, workspace });
  return createTools(Object.assign(options, { documents, pictures }));
};

/**
 * Makes git ignore the machine's settings. An isolated cell cannot read them, and git fails on a
 * file that it cannot read.
 */
const GIT_ENVIRONMENT = { GIT_CONFIG_NOSYSTEM: "1" };
