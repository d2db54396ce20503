/** How the shell tool runs a command: one process, everything it starts, and nothing of either left behind. */

export interface SpawnRequest {
  /** Program and arguments, each as it is: no shell looks at them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Output that is kept, in bytes: the first half and the last half of it. */
  readonly maxOutputSize: number;
  /** What the command writes to descriptor 3 comes back as `told`, if it is short. */
  readonly tells?: boolean;
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
  /** What it wrote to descriptor 3, where it was asked to. */
  readonly told?: string;
}

/** A command that runs on while other things are done. */
export interface Background {
  /** What it wrote since the last look, as `maxOutputSize` allows. */
  take(): string;
  /** Resolves once nothing of it runs any more. Its `output` is what was not taken. */
  readonly ended: Promise<SpawnResult>;
}

/**
 * Contract, checked by `spawnConformance`:
 * - whatever the command does is a value; `tool.failed` is thrown only if it could not be started at all
 * - stdin is empty, there is no terminal
 * - an aborted signal ends the command: asked at first, by force half a second later
 * - when `run` resolves nothing that the command started runs any more, also if the command itself ended well
 * - a child that holds on to the output does not hold up the call
 * - one in the background is ended by its signal in the same way, and by nothing else but itself
 */
export interface Spawn {
  run(request: SpawnRequest, signal: AbortSignal): Promise<SpawnResult>;
  start(request: SpawnRequest, signal: AbortSignal): Background;
}
