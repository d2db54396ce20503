/** Runs a command in the workspace, with an environment of its own. Not a wall: what it may reach is the cell's affair. */
import { HearthError } from "@hearth/protocol";
import { DEFAULT_SHELL_SECONDS, MAX_OUTPUT_LENGTH } from "@hearth/protocol/tools";
import type { SpawnResult } from "./spawn.ts";
import { plainText } from "./terminal.ts";
import type { RunTool } from "./tool.ts";

/** Room for the notes at the end. */
const MAX_SHELL_OUTPUT_SIZE = MAX_OUTPUT_LENGTH - 500;

export const shell: RunTool<"shell"> = async ({ command, timeoutSeconds = DEFAULT_SHELL_SECONDS }, context) => {
  const { spawn, clock, workspace, signal } = context;
  if (command.includes("\0")) throw new HearthError("tool.invalid", "The command has a NUL character in it.");
  const timeoutMs = Math.min(timeoutSeconds * 1000, context.timeoutMs);
  const deadline = new AbortController();
  const over = new AbortController();
  void clock.sleep(timeoutMs, over.signal).then(() => deadline.abort());
  const startedAt = clock.monotonic();
  try {
    const result = await spawn.run(
      {
        argv: ["/bin/sh", "-c", command],
        cwd: workspace,
        env: shellEnvironment(workspace),
        maxOutputSize: MAX_SHELL_OUTPUT_SIZE,
      },
      AbortSignal.any([signal, deadline.signal]),
    );
    const output = plainText(result.output).trimEnd();
    const note = describeEnd(result, Math.round((clock.monotonic() - startedAt) / 1000));
    return {
      text: [output, note].filter((part) => part !== "").join("\n") || "[no output]",
      failed: result.end !== "exited" || result.code !== 0,
    };
  } finally {
    over.abort();
  }
};

/** All that a command finds in its environment. Nothing comes from the house's own. */
const shellEnvironment = (workspace: string): Readonly<Record<string, string>> => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin",
  HOME: workspace,
  PWD: workspace,
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  TERM: "dumb",
  NO_COLOR: "1",
});

const describeEnd = (result: SpawnResult, seconds: number): string => {
  switch (result.end) {
    case "stopped":
      return `[stopped after ${seconds} s. A longer run: \`timeoutSeconds\`, at most 600]`;
    case "flooded":
      return "[stopped: it would not stop writing. Send the output to a file or through `head`]";
    case "exited":
      if (result.signal !== undefined) return `[ended by ${result.signal}]`;
      return result.code === 0 ? "" : `[exit ${result.code}]`;
  }
};
