/** Describes the machine on which the command runs. */
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
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
  };
};
