/** Describes the machine on which the command runs. */
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { ownFolders } from "../compiled/compiled.ts";
import type { Machine } from "./choose.ts";
import { createPrograms } from "./programs.ts";

/** This folder exists if systemd manages the machine, see sd_booted(3). */
const SYSTEMD_RUN_FOLDER = "/run/systemd/system";

export const describeThisMachine = (env: Machine["env"]): Machine => {
  const { uid, username, homedir } = userInfo();
  return {
    platform: process.platform,
    env,
    uid,
    userName: username,
    userFolder: env["HOME"] ?? homedir,
    hasSystemd: existsSync(SYSTEMD_RUN_FOLDER),
    programs: createPrograms(),
    launcher: findLauncher(env, process.execPath),
  };
};

/**
 * Returns the program that a service should start: the executable itself, because the cache into which
 * it unpacks its programs may be deleted. The variable may be that of another Hearth, so it must name
 * the running program.
 */
export const findLauncher = (env: Machine["env"], runningProgram: string): string =>
  env["HEARTH_EXECUTABLE"] === runningProgram ? runningProgram : join(ownFolders.root, "hearth");
