/**
 * Runs the house in WSL as a task of the Windows Task Scheduler, where WSL runs without systemd.
 * The programs of Windows can be called from WSL. See "Task Scheduler Schema" in Microsoft's
 * documentation.
 */
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Programs, runOrThrow, type InitSystem, type UnitSpec } from "./init-system.ts";
import { createWatchedCommand } from "./watched-command.ts";
import { escapeXml } from "./xml.ts";

export interface WslOptions {
  readonly programs: Programs;
  /** The user's home folder in WSL. */
  readonly userFolder: string;
  /** The name of the WSL distribution. */
  readonly distribution: string;
}

const PROGRAM = "schtasks.exe";

export const createWsl = ({ programs, userFolder, distribution }: WslOptions): InitSystem => {
  const folder = join(userFolder, ".local/state/hearth");
  const fileOf = (name: string): string => join(folder, `${name}.xml`);
  const logOf = (name: string): string => join(folder, `${name}.log`);
  return {
    kind: "task-scheduler",
    async install(spec) {
      const file = fileOf(spec.name);
      await mkdir(dirname(file), { recursive: true });
      await Bun.write(file, toUtf16(createTask(spec, distribution, logOf(spec.name))));
      const windowsFile = (await runOrThrow(programs, ["wslpath", "-w", file])).trim();
      // Ending fails when the task does not run.
      await programs.run([PROGRAM, "/End", "/TN", spec.name]);
      await runOrThrow(programs, [PROGRAM, "/Create", "/F", "/TN", spec.name, "/XML", windowsFile]);
      await runOrThrow(programs, [PROGRAM, "/Run", "/TN", spec.name]);
      return ["The house starts when you log in to Windows."];
    },
    async status(name) {
      const file = fileOf(name);
      const { code, out } = await programs.run([PROGRAM, "/Query", "/TN", name, "/FO", "CSV", "/NH"]);
      if (code !== 0 || !(await Bun.file(file).exists())) return { state: "not installed" };
      // The state is the last column, in the language of Windows. Only the English words are recognised.
      const state = /"([^"]*)"\s*$/.exec(out.trim())?.[1];
      return { state: state === "Running" ? "running" : "stopped", file };
    },
    logs: (name, { lines, follow }) => ["tail", "-n", String(lines), ...(follow ? ["-F"] : []), logOf(name)],
    async uninstall(name) {
      if (!(await Bun.file(fileOf(name)).exists())) return false;
      await programs.run([PROGRAM, "/End", "/TN", name]);
      await runOrThrow(programs, [PROGRAM, "/Delete", "/F", "/TN", name]);
      await rm(fileOf(name));
      return true;
    },
  };
};

/** Quotes a word for a POSIX shell. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const createTask = (spec: UnitSpec, distribution: string, log: string): string => {
  const houseCommand = [spec.program, "up", "--supervised", "--home", spec.home];
  // The Task Scheduler has no watchdog.
  const watchedCommand = createWatchedCommand(join(spec.home, "run/url"), houseCommand).map(quoteForShell).join(" ");
  const command = `PATH=${quoteForShell(spec.path)} exec ${watchedCommand} >>${quoteForShell(log)} 2>&1`;
  // Windows splits this line at spaces; a backslash escapes a double quote.
  const quoteForWindows = (text: string): string => `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  const argumentLine = [
    "-d",
    quoteForWindows(distribution),
    "-u",
    quoteForWindows(spec.user),
    "--exec",
    "/bin/sh",
    "-c",
    quoteForWindows(command),
  ].join(" ");
  return `<?xml version="1.0" encoding="UTF-16"?>
<!-- Written by \`hearth service install\`, which replaces this file when it runs again. -->
<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>${escapeXml(`Hearth (${spec.home})`)}</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Principals>
    <Principal id="Author"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Hidden>true</Hidden>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec><Command>wsl.exe</Command><Arguments>${escapeXml(argumentLine)}</Arguments></Exec>
  </Actions>
</Task>
`;
};

/** Encodes a text as UTF-16 with a byte order mark, which `schtasks` requires. */
const toUtf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`, "utf16le");
