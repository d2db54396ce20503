/** `Spawn` runs a command, and leaves none of its processes behind. */

export interface SpawnRequest {
  /** The program and its arguments, passed literally without a shell. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. The command inherits no other variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Maximum output to keep, in bytes: the first and the last half of it. */
  readonly maxOutputSize: number;
  /** Also captures the command's output on descriptor 3, up to a size limit. */
  readonly fd3?: boolean;
}

/**
 * How a command ended:
 * - `exited`: on its own, or by a signal that was not ours
 * - `stopped`: the caller's signal aborted
 * - `flooded`: it was stopped because it wrote too much
 */
export type SpawnEnd = "exited" | "stopped" | "flooded";

export interface SpawnResult {
  readonly end: SpawnEnd;
  /** The exit code. It is undefined if a signal ended the command. */
  readonly code: number | undefined;
  /** Name of the signal that ended the command. */
  readonly signal: string | undefined;
  /** stdout and stderr in order, as text. A note replaces the dropped middle of a long output. */
  readonly output: string;
  /** The output on descriptor 3, if the request asked for it. */
  readonly fd3?: string;
}

/** A running background command. */
export interface BackgroundCommand {
  /** Returns the output since the last call, within `maxOutputSize`. */
  takeOutput(): string;
  /** Resolves after the command and its children have ended. Its `output` is the part that was not taken. */
  readonly result: Promise<SpawnResult>;
}

/**
 * Runs commands.
 *
 * Contract, checked by `spawnConformance`:
 * - every outcome of a command is a value; `tool.failed` is thrown only if it cannot be started
 * - stdin is empty, and there is no terminal
 * - an aborted signal ends the command: SIGTERM first, SIGKILL half a second later
 * - when `run` resolves, no process that the command started is running, even if the command
 *   succeeded
 * - a child that keeps the output open does not delay the call
 * - a background command is ended by its signal in the same way, and otherwise runs until it ends
 *   on its own
 */
export interface Spawn {
  run(request: SpawnRequest, signal: AbortSignal): Promise<SpawnResult>;
  start(request: SpawnRequest, signal: AbortSignal): BackgroundCommand;
}
