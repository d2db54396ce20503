/** Assembles the tools of an inmate on Bun. */
import type { Clock } from "@hearth/protocol";
import { createTools, type Tools } from "../../tools/index.ts";
import { createBunFiles } from "./files.ts";
import { compileBunGlob } from "./glob.ts";
import { createReadDocument } from "./read-document.ts";
import { createBunMachine } from "./machine.ts";
import { createBunSpawn } from "./spawn.ts";

export interface BunToolsOptions {
  readonly clock: Clock;
  /** Absolute path of the only folder that the tools see. */
  readonly workspace: string;
  /** Folder for temporary files, if not the system's. */
  readonly temporary?: string;
  /**
   * The command that converts the document at the path that is added to it. Only isolated cells have
   * one.
   */
  readonly document?: readonly string[];
}

export const createBunTools = ({ clock, workspace, temporary, document }: BunToolsOptions): Tools => {
  const spawn = createBunSpawn(temporary === undefined ? {} : { TMPDIR: temporary, ...OWN_SETTINGS });
  const options = {
    files: createBunFiles(workspace),
    spawn,
    machine: createBunMachine(workspace),
    compileGlob: compileBunGlob,
    clock,
    workspace,
  };
  if (document === undefined) return createTools(options);
  const documents = createReadDocument({ spawn, command: document, workspace });
  return createTools(Object.assign(options, { documents }));
};

/**
 * An isolated cell cannot read the machine's git settings, and git fails if the file is not
 * readable.
 */
const OWN_SETTINGS = { GIT_CONFIG_NOSYSTEM: "1" };
