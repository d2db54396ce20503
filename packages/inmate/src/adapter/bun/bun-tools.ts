/** The tools of an inmate on Bun. */
import type { Clock } from "@hearth/protocol";
import { createTools, type Tools } from "../../tools/index.ts";
import { createBunFiles } from "./files.ts";
import { createBunMachine } from "./machine.ts";
import { createBunSpawn } from "./spawn.ts";

export interface BunToolsOptions {
  readonly clock: Clock;
  /** Absolute path of the only folder that they see. */
  readonly workspace: string;
  /** Where commands find room for what is temporary, if it is not where it always is. */
  readonly temporary?: string;
}

export const createBunTools = ({ clock, workspace, temporary }: BunToolsOptions): Tools =>
  createTools({
    files: createBunFiles(workspace),
    spawn: createBunSpawn(temporary === undefined ? {} : { TMPDIR: temporary, ...OWN_SETTINGS }),
    machine: createBunMachine(workspace),
    ...{ clock, workspace },
  });

/** Where there are walls the machine's settings are behind them, and a program that finds them closed gives up. */
const OWN_SETTINGS = { GIT_CONFIG_NOSYSTEM: "1" };
