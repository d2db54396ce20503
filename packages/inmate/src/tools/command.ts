/**
 * Shared parts of the tools that run commands: the environment, the working folder of a session,
 * and the description of results.
 */
import { isHearthError, type SessionId } from "@hearth/protocol";
import { MAX_OUTPUT_LENGTH, type ToolOutcome } from "@hearth/protocol/tools";
import type { SpawnResult } from "./spawn.ts";
import { plainText } from "./terminal.ts";
import type { SessionFolders, ToolContext } from "./tool.ts";

/** Maximum length of a command's output. It leaves room for the notes at the end. */
export const MAX_COMMAND_OUTPUT = MAX_OUTPUT_LENGTH - 500;

/** Returns the whole environment of a command, which inherits no variable of the house. */
export const commandEnvironment = (workspace: string, cwd: string): Readonly<Record<string, string>> => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin",
  HOME: workspace,
  PWD: cwd,
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  TERM: "dumb",
  NO_COLOR: "1",
});

/** Returns a note for the model if a command did not start in the session's working folder. */
export const startFolderNote = ({ atRoot, sessionFolders, session, workspace }: ToolContext): string =>
  atRoot && (sessionFolders.get(session) ?? workspace) !== workspace
    ? `[a person allowed it, so it began in ${workspace}, not where the last one left off]`
    : "";

/**
 * Runs a command in the session's working folder, or in the workspace if that folder no longer
 * exists or `atRoot` is set.
 */
export const runInSessionFolder = async <Result>(
  context: ToolContext,
  run: (cwd: string) => Promise<Result>,
): Promise<Result> => {
  const { sessionFolders, session, workspace, atRoot } = context;
  const folder = atRoot ? undefined : sessionFolders.get(session);
  if (folder === undefined) return run(workspace);
  try {
    return await run(folder);
  } catch (error) {
    if (!isHearthError(error, "tool.failed")) throw error;
    sessionFolders.delete(session);
    return run(workspace);
  }
};

/** Maximum number of sessions whose working folder is remembered. */
const MAX_FOLDERS = 1000;

export const rememberFolder = (folders: SessionFolders, session: SessionId, folder: string): void => {
  folders.delete(session);
  if (folders.size >= MAX_FOLDERS) folders.clear();
  folders.set(session, folder);
};

/** Describes a result for the model: the output, and how the command ended. */
export const describeResult = (result: SpawnResult, seconds: number, ...notes: readonly string[]): ToolOutcome => {
  const output = plainText(result.output).trimEnd();
  return {
    text: [output, describeEnd(result, seconds), ...notes].filter((part) => part !== "").join("\n") || "[no output]",
    failed: result.end !== "exited" || result.code !== 0,
  };
};

export const describeEnd = (result: SpawnResult, seconds: number): string => {
  switch (result.end) {
    case "stopped":
      return `[stopped after ${seconds} s. For longer runs set \`timeoutSeconds\`, at most 600]`;
    case "flooded":
      return "[stopped: too much output. Send it to a file or through `head`]";
    case "exited":
      if (result.signal !== undefined) return `[ended by ${result.signal}${limitOf(result.signal)}]`;
      return result.code === 0 ? "" : `[exit ${result.code}${limitOf(signalOf(result.code))}]`;
  }
};

/** Names the limit that a signal indicates. The kernel sends two signals to enforce limits. */
const limitOf = (signal: string | undefined): string => {
  if (signal === "SIGKILL") return ": it was killed, most likely because the cell's memory was used up";
  if (signal === "SIGXFSZ") return ": a file would have grown larger than the cell may write";
  return "";
};

/**
 * Returns the signal behind an exit code. A shell reports a signal that ended its command as 128
 * plus the signal's number.
 */
const signalOf = (code: number | undefined): string | undefined => {
  if (code === 137) return "SIGKILL";
  return code === 153 ? "SIGXFSZ" : undefined;
};
