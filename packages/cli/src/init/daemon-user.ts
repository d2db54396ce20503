/** Finds the user that a service runs as, and the home that it serves. */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../args/usage-error.ts";
import type { Machine } from "./choose.ts";
import { toUnitName } from "./init-system.ts";

export interface DaemonUser {
  readonly name: string;
  readonly uid: number;
  /** The user's home folder in the system. */
  readonly folder: string;
}

/**
 * Finds the user. A user service runs as the caller. A system service runs as the named user, or
 * else as the user who called `sudo`. Throws `UsageError` when there is neither.
 */
export const findDaemonUser = async (
  { env, programs, userName, userFolder, uid }: Machine,
  { system, requestedName }: { readonly system: boolean; readonly requestedName: string | undefined },
): Promise<DaemonUser> => {
  if (!system) {
    if (requestedName !== undefined) throw new UsageError("--as needs --system.", "A user service runs as you.");
    return { name: userName, uid, folder: userFolder };
  }
  const name = requestedName ?? env["SUDO_USER"] ?? "";
  if (name === "") throw new UsageError("The house needs a user to run as.", "Name one: --as USER");
  const { code, out } = await programs.run(["getent", "passwd", name]);
  const [, , id = "", , , folder = ""] = out.trim().split(":");
  if (code !== 0 || folder === "")
    throw new UsageError(`This machine has no user ${name}.`, `To create it, run: useradd --create-home ${name}`);
  return { name, uid: Number(id), folder };
};

export interface ServedHome {
  /** Absolute path. */
  readonly home: string;
  /** The name of the service for this home. */
  readonly service: string;
}

/**
 * Finds the home of a service. `home` comes from the command line or the environment, or is the
 * caller's default.
 */
export const findServedHome = (home: string, machine: Machine, user: DaemonUser, system: boolean): ServedHome => {
  const defaultHome = join(user.folder, ".hearth");
  if (home !== defaultHome && home !== join(machine.userFolder, ".hearth")) return { home, service: toUnitName(home) };
  return { home: defaultHome, service: system ? `hearth-${user.name}` : "hearth" };
};

/** Throws `UsageError` when the home, or the folder that it will be in, belongs to another user. */
export const requireOwnHome = async (home: string, { name, uid }: DaemonUser): Promise<void> => {
  const [homeStats, parentStats] = await Promise.all(
    [home, dirname(home)].map((path) => stat(path).catch(() => undefined)),
  );
  if ((homeStats ?? parentStats)?.uid === uid) return;
  throw new UsageError(
    `${homeStats === undefined ? `The folder ${dirname(home)}` : home} does not belong to ${name}, who runs the house.`,
    "Name the home with --home DIR, or its owner with --as USER.",
  );
};
