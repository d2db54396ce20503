/**
 * Runs git in the session's working folder, without a prompt, a pager, or hooks of the repository.
 */
import {
  commandEnvironment,
  describeResult,
  runInSessionFolder,
  MAX_COMMAND_OUTPUT,
  startFolderNote,
} from "./command.ts";
import { failure, type RunTool } from "./tool.ts";

const SETTINGS = ["-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat", "-c", "core.fsmonitor=false"] as const;
const NON_INTERACTIVE = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  GIT_EDITOR: "true",
  GIT_CONFIG_NOSYSTEM: "1",
} as const;
/** Exit code of a shell that cannot find the program. */
const EXIT_NOT_FOUND = 127;

export const git: RunTool<"git"> = async ({ args }, context) => {
  const { clock, spawn, signal, workspace, environment } = context;
  if (args.some((arg) => arg.includes("\0"))) return failure("An argument contains a NUL character.");
  const startedAt = clock.monotonic();
  const result = await runInSessionFolder(context, (cwd) =>
    spawn.run(
      {
        argv: ["git", ...SETTINGS, ...args],
        cwd,
        env: { ...commandEnvironment(workspace, cwd), ...environment, ...NON_INTERACTIVE },
        maxOutputSize: MAX_COMMAND_OUTPUT,
      },
      signal,
    ),
  );
  if (result.code === EXIT_NOT_FOUND) return failure("git is not installed in this cell.");
  return describeResult(result, Math.round((clock.monotonic() - startedAt) / 1000), startFolderNote(context));
};
