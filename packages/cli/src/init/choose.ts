/** Chooses the service manager of this machine. */
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { createLaunchd } from "./launchd.ts";
import type { Programs, InitSystem } from "./init-system.ts";
import { createSystemd } from "./systemd.ts";
import { createWsl } from "./wsl.ts";

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  /** The name of the caller, and the caller's home folder in the system. */
  readonly userName: string;
  readonly userFolder: string;
  /** Whether systemd manages this machine. */
  readonly hasSystemd: boolean;
  readonly programs: Programs;
  /** The file that starts Hearth: the executable, or the launcher of a checkout. */
  readonly launcher: string;
}

/**
 * Chooses the service manager. `system` selects the machine's systemd instead of the caller's.
 * Throws `request.invalid` when the machine has no such manager.
 */
export const chooseInitSystem = (machine: Machine, { system }: { readonly system: boolean }): InitSystem => {
  const { platform, env, uid, userFolder, hasSystemd, programs } = machine;
  if (system && !hasSystemd)
    throw new HearthError("request.invalid", "--system needs systemd, which does not manage this machine.", {
      hint: "For a user service, omit --system.",
    });
  if (system && uid !== 0)
    throw new HearthError("request.invalid", "Only root can change the services of this machine.", {
      hint: "Run the command with sudo, or omit --system for a user service.",
    });
  if (system) return createSystemd({ programs, folder: "/etc/systemd/system", system });
  if (platform === "darwin") return createLaunchd({ programs, userFolder, uid });
  if (hasSystemd) {
    const configFolder = env["XDG_CONFIG_HOME"] ?? join(userFolder, ".config");
    return createSystemd({ programs, folder: join(configFolder, "systemd/user"), system });
  }
  const distribution = env["WSL_DISTRO_NAME"];
  if (distribution !== undefined) return createWsl({ programs, userFolder, distribution });
  throw new HearthError("request.invalid", "This machine has no service manager that Hearth knows.", {
    hint: "Hearth knows systemd, launchd, and under WSL the Task Scheduler. Another manager can run: hearth up --supervised",
  });
};
