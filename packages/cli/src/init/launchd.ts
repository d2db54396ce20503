/** Runs the house as a launchd agent on macOS. See launchd.plist(5). */
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Programs, runOrThrow, type InitSystem, type UnitSpec } from "./init-system.ts";
import { createWatchedCommand } from "./watched-command.ts";
import { escapeXml } from "./xml.ts";

export interface LaunchdOptions {
  readonly programs: Programs;
  /** The user's home folder. */
  readonly userFolder: string;
  readonly uid: number;
}

const STOP_SECONDS = 90;
const RESTART_SECONDS = 10;
const MAX_OPEN_FILES = 65_536;
/** The umask 077 in decimal: only the user of the house can read its files. */
const UMASK = 63;

export const createLaunchd = ({ programs, userFolder, uid }: LaunchdOptions): InitSystem => {
  const domain = `gui/${uid}`;
  const fileOf = (name: string): string => join(userFolder, "Library/LaunchAgents", `${name}.plist`);
  const logOf = (name: string): string => join(userFolder, "Library/Logs", `${name}.log`);
  const unload = (name: string) => programs.run(["launchctl", "bootout", `${domain}/${name}`]);
  return {
    kind: "launchd",
    async install(spec) {
      const file = fileOf(spec.name);
      await mkdir(dirname(file), { recursive: true });
      await mkdir(dirname(logOf(spec.name)), { recursive: true });
      await Bun.write(file, createPlist(spec, logOf(spec.name)));
      // Unloading fails when the service is not loaded.
      await unload(spec.name);
      await runOrThrow(programs, ["launchctl", "enable", `${domain}/${spec.name}`]);
      await runOrThrow(programs, ["launchctl", "bootstrap", domain, file]);
      return ["The house starts when you log in to this Mac."];
    },
    async status(name) {
      const file = fileOf(name);
      if (!(await Bun.file(file).exists())) return { state: "not installed" };
      const { code, out } = await programs.run(["launchctl", "print", `${domain}/${name}`]);
      if (code !== 0) return { state: "stopped", file };
      const pid = /^\s*pid = (\d+)$/m.exec(out)?.[1];
      if (pid !== undefined) return { state: "running", file, pid: Number(pid) };
      const exit = /^\s*last exit code = (\d+)/m.exec(out)?.[1];
      return { state: exit === undefined || exit === "0" ? "stopped" : "failed", file };
    },
    logs: (name, { lines, follow }) => ["tail", "-n", String(lines), ...(follow ? ["-F"] : []), logOf(name)],
    async uninstall(name) {
      const file = fileOf(name);
      if (!(await Bun.file(file).exists())) return false;
      await unload(name);
      await rm(file);
      return true;
    },
  };
};

const createPlist = (spec: UnitSpec, log: string): string => {
  const toStringElement = (value: string): string => `<string>${escapeXml(value)}</string>`;
  // launchd has no watchdog.
  const command = [spec.program, "up", "--supervised", "--home", spec.home];
  const argv = createWatchedCommand(join(spec.home, "run/url"), command);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`hearth service install\`, which replaces this file when it runs again. -->
<plist version="1.0">
<dict>
  <key>Label</key>${toStringElement(spec.name)}
  <key>ProgramArguments</key>
  <array>
    ${argv.map(toStringElement).join("\n    ")}
  </array>
  <key>EnvironmentVariables</key>
  <dict><key>PATH</key>${toStringElement(spec.path)}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>${RESTART_SECONDS}</integer>
  <key>ExitTimeOut</key><integer>${STOP_SECONDS}</integer>
  <key>Umask</key><integer>${UMASK}</integer>
  <key>SoftResourceLimits</key>
  <dict><key>NumberOfFiles</key><integer>${MAX_OPEN_FILES}</integer></dict>
  <key>StandardOutPath</key>${toStringElement(log)}
  <key>StandardErrorPath</key>${toStringElement(log)}
</dict>
</plist>
`;
};
