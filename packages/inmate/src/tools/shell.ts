/**
 * Runs a shell command in the session's working folder with its own environment. It is not a
 * security boundary: the cell restricts access.
 */
import { HearthError } from "@hearth/protocol";
import { DEFAULT_SHELL_SECONDS, type ToolOutcome } from "@hearth/protocol/tools";
import { MAX_BACKGROUND_COMMANDS } from "./background.ts";
import {
  commandEnvironment,
  describeResult,
  runInSessionFolder,
  MAX_COMMAND_OUTPUT,
  startFolderNote,
  rememberFolder,
} from "./command.ts";
import type { SpawnRequest } from "./spawn.ts";
import { failure, type RunTool, success, type ToolContext } from "./tool.ts";

export const shell: RunTool<"shell"> = async (input, context) => {
  if (input.command.includes("\0")) throw new HearthError("tool.invalid", "The command contains a NUL character.");
  return input.background === true ? runInBackground(input.command, context) : runInForeground(input, context);
};

const runInForeground: RunTool<"shell"> = async ({ command, timeoutSeconds = DEFAULT_SHELL_SECONDS }, context) => {
  const { spawn, clock, workspace, signal, sessionFolders, session } = context;
  const timeoutMs = Math.min(timeoutSeconds * 1000, context.timeoutMs);
  const deadlineController = new AbortController();
  const finishedController = new AbortController();
  const expire = (): void => deadlineController.abort();
  clock.sleep(timeoutMs, finishedController.signal).then(expire, expire);
  const startedAt = clock.monotonic();
  const startNote = startFolderNote(context);
  try {
    const result = await runInSessionFolder(context, (cwd) =>
      spawn.run(
        { ...toRequest(`${REPORT_FOLDER}${command}`, cwd, context), fd3: true },
        AbortSignal.any([signal, deadlineController.signal]),
      ),
    );
    const folder = toFolder(result.fd3);
    if (folder !== undefined) rememberFolder(sessionFolders, session, folder);
    const seconds = Math.round((clock.monotonic() - startedAt) / 1000);
    return describeResult(
      result,
      seconds,
      folder === undefined || folder === workspace ? "" : `[now in ${folder}]`,
      startNote,
    );
  } finally {
    finishedController.abort();
  }
};

/**
 * Makes the shell report its last folder. It is on the first line, so that line numbers in the
 * shell's messages match the model's command. If the command sets an EXIT trap, the folder is not
 * updated.
 */
const REPORT_FOLDER = "trap 'pwd -P >&3' EXIT; ";

const runInBackground = async (command: string, context: ToolContext): Promise<ToolOutcome> => {
  const id = await runInSessionFolder(context, async (cwd) =>
    context.backgroundCommands.start(command, toRequest(command, cwd, context), context.activation),
  );
  if (id === undefined)
    return failure(`${MAX_BACKGROUND_COMMANDS} commands run in the background already. Stop one with \`processes\`.`);
  return success(`[runs in the background as ${id}; \`processes\` shows its output]`);
};

const toRequest = (command: string, cwd: string, { workspace, environment }: ToolContext): SpawnRequest => ({
  argv: ["/bin/sh", "-c", command],
  cwd,
  env: { ...commandEnvironment(workspace, cwd), ...environment },
  maxOutputSize: MAX_COMMAND_OUTPUT,
});
/**
 * Reads the reported folder. A command can write anything to descriptor 3, so only an absolute path
 * is accepted.
 */
const toFolder = (fd3: string | undefined): string | undefined => {
  const line = fd3?.replace(/\n$/, "");
  return line !== undefined && /^\/[^\0\n]{0,4000}$/.test(line) ? line : undefined;
};
