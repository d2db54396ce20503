/** What the tools that run commands share: the environment, the place where a session's commands are, and how an end is told. */
import { isHearthError, type SessionId } from "@hearth/protocol";
import { MAX_OUTPUT_LENGTH, type ToolOutcome } from "@hearth/protocol/tools";
import type { SpawnResult } from "./spawn.ts";
import { plainText } from "./terminal.ts";
import type { Places, ToolContext } from "./tool.ts";

/** Room for the notes at the end. */
export const MAX_COMMAND_OUTPUT = MAX_OUTPUT_LENGTH - 500;

/** All that a command finds in its environment. Nothing comes from the house's own. */
export const commandEnvironment = (workspace: string, cwd: string): Readonly<Record<string, string>> => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin",
  HOME: workspace,
  PWD: cwd,
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  TERM: "dumb",
  NO_COLOR: "1",
});

/** For the model, of a command that did not begin where it may think. */
export const tellMoved = ({ atRoot, places, session, workspace }: ToolContext): string =>
  atRoot && (places.get(session) ?? workspace) !== workspace
    ? `[a person allowed it, so it began in ${workspace}, not where the last one left off]`
    : "";

/** Where the session's last command left off; in the workspace if that has gone, or if it is to begin there. */
export const inPlace = async <Result>(context: ToolContext, run: (cwd: string) => Promise<Result>): Promise<Result> => {
  const { places, session, workspace, atRoot } = context;
  const place = atRoot ? undefined : places.get(session);
  if (place === undefined) return run(workspace);
  try {
    return await run(place);
  } catch (error) {
    if (!isHearthError(error, "tool.failed")) throw error;
    places.delete(session);
    return run(workspace);
  }
};

/** Sessions whose place is kept. */
const MAX_PLACES = 1000;

export const keepPlace = (places: Places, session: SessionId, place: string): void => {
  places.delete(session);
  if (places.size >= MAX_PLACES) places.clear();
  places.set(session, place);
};

/** For the model: what was written, and how it ended. */
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
      return `[stopped after ${seconds} s. A longer run: \`timeoutSeconds\`, at most 600]`;
    case "flooded":
      return "[stopped: it would not stop writing. Send the output to a file or through `head`]";
    case "exited":
      if (result.signal !== undefined) return `[ended by ${result.signal}${limitOf(result.signal)}]`;
      return result.code === 0 ? "" : `[exit ${result.code}${limitOf(signalOf(result.code))}]`;
  }
};

/** Nobody here sends these two by themselves: they are how the kernel holds a limit. */
const limitOf = (signal: string | undefined): string => {
  if (signal === "SIGKILL") return ": it was killed, most likely because the cell's memory was used up";
  if (signal === "SIGXFSZ") return ": a file would have grown larger than the cell may write";
  return "";
};

/** A shell tells of a signal that ended its command by a code of its own. */
const signalOf = (code: number | undefined): string | undefined => {
  if (code === 137) return "SIGKILL";
  return code === 153 ? "SIGXFSZ" : undefined;
};
