/** How the shell tool runs a command: one process, everything it starts, and nothing of either left behind. */

export interface SpawnRequest {
  /** Program and arguments, each as it is: no shell looks at them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Output that is kept, in bytes: the first half and the last half of it. */
  readonly maxOutputSize: number;
}

/**
 * - `exited`: by itself, or a signal that was not ours
 * - `stopped`: the caller's signal aborted
 * - `flooded`: it was stopped because it would not stop writing
 */
export type SpawnEnd = "exited" | "stopped" | "flooded";

export interface SpawnResult {
  readonly end: SpawnEnd;
  /** Absent if a signal ended it. */
  readonly code: number | undefined;
  /** Name of the signal that ended it. */
  readonly signal: string | undefined;
  /** What it wrote to stdout and stderr, in order, as text. A cut is said where it is. */
  readonly output: string;
}

/**
 * Contract, checked by `spawnConformance`:
 * - whatever the command does is a value; `tool.failed` is thrown only if it could not be started at all
 * - stdin is empty, there is no terminal
 * - an aborted signal ends the command: asked at first, by force half a second later
 * - when `run` resolves nothing that the command started runs any more, also if the command itself ended well
 * - a child that holds on to the output does not hold up the call
 */
export interface Spawn {
  run(request: SpawnRequest, signal: AbortSignal): Promise<SpawnResult>;
}
