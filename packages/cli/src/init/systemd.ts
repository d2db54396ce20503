/** Runs the house as a systemd unit under the caller's manager or the system's manager. */
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { type Programs, runOrThrow, type InitSystem, type UnitState } from "./init-system.ts";
import { createUnit } from "./systemd-unit.ts";

export interface SystemdOptions {
  readonly programs: Programs;
  /** The folder for unit files. */
  readonly folder: string;
  /** Whether the unit belongs to the system's manager instead of the caller's. */
  readonly system: boolean;
}

export const createSystemd = ({ programs, folder, system }: SystemdOptions): InitSystem => {
  const scope = system ? [] : ["--user"];
  const systemctl = (...args: readonly string[]): Promise<string> =>
    runOrThrow(programs, ["systemctl", ...scope, ...args]);
  const fileOf = (name: string): string => join(folder, `${name}.service`);

  /** Lets the user's manager start at boot instead of at login. */
  const linger = async (user: string): Promise<readonly string[]> => {
    if (system) return [];
    const { code } = await programs.run(["loginctl", "enable-linger", user]);
    if (code === 0) return [];
    return [
      "The house starts when you log in to this machine, not when it boots.",
      `To start it at boot, run: sudo loginctl enable-linger ${user}`,
    ];
  };

  return {
    kind: system ? "systemd-system" : "systemd-user",
    async install(spec) {
      const file = fileOf(spec.name);
      await mkdir(dirname(file), { recursive: true });
      await Bun.write(file, createUnit(spec, { system }));
      await systemctl("daemon-reload");
      await systemctl("enable", spec.name);
      const notes = await linger(spec.user);
      await systemctl("restart", spec.name);
      return notes;
    },
    async status(name) {
      const facts = readProperties(
        await systemctl("show", name, "--property=LoadState,ActiveState,MainPID,NRestarts,FragmentPath"),
      );
      if (facts["LoadState"] !== "loaded") return { state: "not installed" };
      const pid = Number(facts["MainPID"]);
      return {
        state: toState(facts["ActiveState"]),
        file: facts["FragmentPath"] ?? fileOf(name),
        restarts: Number(facts["NRestarts"]),
        ...(pid === 0 ? {} : { pid }),
      };
    },
    logs: (name, { lines, follow }) => [
      "journalctl",
      ...scope,
      `--unit=${name}`,
      `--lines=${lines}`,
      ...(follow ? ["--follow"] : ["--no-pager"]),
    ],
    async uninstall(name) {
      if (!(await Bun.file(fileOf(name)).exists())) return false;
      await systemctl("disable", "--now", name);
      await rm(fileOf(name));
      await systemctl("daemon-reload");
      // Clears an earlier failure. The command fails when there is no failure to clear.
      await programs.run(["systemctl", ...scope, "reset-failed", name]);
      return true;
    },
  };
};

/** Parses lines of the form `Name=value`. */
const readProperties = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

/** Converts the state of a unit, see systemctl(1). */
const toState = (activeState: string | undefined): UnitState => {
  switch (activeState) {
    case "active":
    case "reloading":
    case "deactivating":
      return "running";
    case "activating":
      return "starting";
    case "failed":
      return "failed";
    case "inactive":
      return "stopped";
    default:
      throw new HearthError("service.failed", `systemctl reported an unknown state: ${activeState ?? "none"}`);
  }
};
