/** Runs tools in the cell. It validates the model's input, limits the time, and always returns an outcome. */
import {
  type ActivationId,
  type Clock,
  HearthError,
  INBOX,
  isHearthError,
  isInboxName,
  untilAborted,
} from "@hearth/protocol";
import { capOutput, type CellToolName, findTool, readInput, tools, type ToolOutcome } from "@hearth/protocol/tools";
import { applyPatch } from "./apply-patch.ts";
import { edit } from "./edit.ts";
import type { Files } from "./files.ts";
import { git } from "./git.ts";
import { glob } from "./glob.ts";
import type { CompileGlob } from "./glob-pattern.ts";
import { grep } from "./grep.ts";
import { hardwareInfo } from "./hardware-info.ts";
import { image } from "./image.ts";
import { list } from "./list.ts";
import { parseFilePath, quotePath } from "./path.ts";
import { createBackgroundCommands } from "./background.ts";
import type { Machine } from "./machine.ts";
import { processes } from "./processes.ts";
import { read } from "./read.ts";
import { shell } from "./shell.ts";
import type { Spawn } from "./spawn.ts";
import { time } from "./time.ts";
import {
  failure,
  type ReadDocument,
  type ScalePicture,
  type RunTool,
  type SessionFolders,
  type ToolContext,
} from "./tool.ts";
import { write } from "./write.ts";

export interface ToolsOptions {
  readonly files: Files;
  readonly spawn: Spawn;
  readonly machine: Machine;
  readonly compileGlob: CompileGlob;
  readonly clock: Clock;
  /** Undefined if documents cannot be converted. */
  readonly documents?: ReadDocument;
  /** Undefined if pictures cannot be scaled down. */
  readonly pictures?: ScalePicture;
  /** Absolute path of the root of `files`. */
  readonly workspace: string;
}

export type CallContext = Pick<
  ToolContext,
  "signal" | "timeoutMs" | "key" | "again" | "atRoot" | "activation" | "session" | "environment"
>;

export interface Tools {
  /**
   * Runs a tool. Never throws: a failure is a failed outcome with an explanation for the model.
   * `input` is the unvalidated input of the model.
   */
  run(name: string, input: unknown, attempt: CallContext): Promise<ToolOutcome>;
  /** The files of messages in the workspace. */
  readonly inbox: {
    /** Writes a read-only file. */
    writeReceived(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
    /** Writes a file of the agent. */
    writePermanent(path: string, bytes: Uint8Array): Promise<void>;
    remove(path: string): Promise<void>;
    /** Removes all files of messages. The agent's own files stay. */
    clear(): Promise<void>;
  };
  /** Ends the activation's background commands. Without an activation, ends all of them. */
  stop(activation?: ActivationId): Promise<void>;
}

const implementations = {
  read,
  write,
  edit,
  apply_patch: applyPatch,
  list,
  glob,
  grep,
  shell,
  processes,
  git,
  image,
  hardware_info: hardwareInfo,
  time,
} as const satisfies {
  readonly [Name in CellToolName]: RunTool<Name>;
};

/** Whether the tool runs in the cell. Host tools do not. */
const isCellTool = (name: string): name is CellToolName => Object.hasOwn(implementations, name);

/** Time for an aborted tool to clean up before it is abandoned. */
const CLEANUP_GRACE_MS = 5000;

export const createTools = (options: ToolsOptions): Tools => {
  const backgroundCommands = createBackgroundCommands(options);
  const sessionFolders: SessionFolders = new Map();
  return {
    run: createRun({ ...options, files: withReadOnlyInbox(options.files), backgroundCommands, sessionFolders }),
    inbox: createInboxFolder(options.files),
    stop: (activation) =>
      activation === undefined ? backgroundCommands.stopAll() : backgroundCommands.stopActivation(activation),
  };
};

/** Prevents tools from changing the files of messages, and from writing files with such names. */
const withReadOnlyInbox = (files: Files): Files => {
  const check = (path: string): void => {
    const [folder, name = ""] = parseFilePath(path);
    if (folder !== INBOX || !isInboxName(name)) return;
    throw new HearthError("tool.path", `${quotePath(path)} is read-only: it is a file of a message.`, {
      hint: "Write a copy with another name.",
    });
  };
  return {
    ...files,
    async write(path, bytes) {
      check(path);
      return files.write(path, bytes);
    },
    async remove(path) {
      check(path);
      await files.remove(path);
    },
  };
};

/** Maximum number of files that `clear` removes. Messages cannot have placed more. */
const MAX_INBOX_FILES = 10_000;

const createInboxFolder = (files: Files): Tools["inbox"] => ({
  async writeReceived(path, bytes) {
    await files.write(path, bytes, "read-only");
  },
  async writePermanent(path, bytes) {
    await files.write(path, bytes);
  },
  remove: (path) => files.remove(path),
  async clear() {
    const entries = await files.list(INBOX, MAX_INBOX_FILES).then(
      ({ entries }) => entries,
      (error: unknown) => {
        if (isHearthError(error, "tool.not-found")) return [];
        throw error;
      },
    );
    for (const { name, kind } of entries)
      if (kind === "file" && isInboxName(name)) await files.remove(`${INBOX}/${name}`);
  },
});

interface RunOptions extends ToolsOptions {
  readonly backgroundCommands: ToolContext["backgroundCommands"];
  readonly sessionFolders: ToolContext["sessionFolders"];
}

const createRun =
  (options: RunOptions): Tools["run"] =>
  async (name, input, { signal, timeoutMs, ...context }) => {
    const tool = findTool(tools, name);
    if (tool === undefined || !isCellTool(tool.name)) return failure(`There is no tool ${JSON.stringify(name)}.`);
    const parsed = readInput(tool, input);
    if ("wrong" in parsed) return failure(parsed.wrong);
    if (signal.aborted) return failure("Stopped.");
    const timeLimit = createTimeLimit(options.clock, signal, timeoutMs);
    // `readInput` has validated the input with this tool's schema.
    const runTool = implementations[tool.name] as RunTool<CellToolName>;
    const work = runTool(parsed.data as never, { ...options, ...context, signal: timeLimit.signal, timeoutMs }).catch(
      toFailure,
    );
    try {
      const outcome = await Promise.race([work, timeLimit.graceOver]);
      if (outcome === undefined)
        return failure(signal.aborted ? "Stopped." : `${tool.name} took longer than ${timeoutMs / 1000} s.`);
      return { ...outcome, text: capOutput(outcome.text) };
    } finally {
      timeLimit.end();
    }
  };

interface TimeLimit {
  /** Aborts when the caller's signal aborts or the time is up. */
  readonly signal: AbortSignal;
  /** Resolves when the grace period after the abort has passed. */
  readonly graceOver: Promise<undefined>;
  end(): void;
}

const createTimeLimit = (clock: Clock, stop: AbortSignal, timeoutMs: number): TimeLimit => {
  const timeout = new AbortController();
  const finished = new AbortController();
  const signal = AbortSignal.any([stop, timeout.signal]);
  const expire = (): void => timeout.abort();
  clock.sleep(timeoutMs, finished.signal).then(expire, expire);
  const graceOver = untilAborted(signal).then(async (): Promise<undefined> => {
    await clock.sleep(CLEANUP_GRACE_MS, finished.signal);
  });
  return { signal, graceOver, end: () => finished.abort() };
};

const toFailure = (error: unknown): ToolOutcome => {
  if (!isHearthError(error)) return failure("The tool failed with an internal error. Try another way.");
  return failure(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
};
