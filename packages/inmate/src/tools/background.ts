/**
 * Background commands. `shell` starts them, `processes` manages them, and they end with their
 * activation or the cell.
 */
import type { ActivationId, Clock } from "@hearth/protocol";
import type { BackgroundCommand, Spawn, SpawnRequest, SpawnResult } from "./spawn.ts";

/** Maximum number of running background commands in a cell. */
export const MAX_BACKGROUND_COMMANDS = 8;
/** Maximum number of ended commands that are kept until their output is read. */
const MAX_ENDED_COMMANDS = 16;

export interface BackgroundEntry {
  readonly id: number;
  readonly command: string;
  /** Milliseconds since the start, or the duration of an ended command. */
  readonly durationMs: number;
  /** Undefined while the command runs. */
  readonly result?: SpawnResult;
}

export interface BackgroundCommands {
  /**
   * Starts a command. Returns its number, or undefined if too many are running. Throws
   * `tool.failed` if it cannot be started.
   */
  start(command: string, request: SpawnRequest, activation: ActivationId): number | undefined;
  list(): readonly BackgroundEntry[];
  /** Returns the output since the last call. A call for an ended command removes the command. */
  readOutput(id: number): (BackgroundEntry & { readonly output: string }) | undefined;
  /** Stops a command. Resolves after its end, with whether it was running. */
  stop(id: number): Promise<boolean>;
  /** Ends the commands of a stopped activation. */
  stopActivation(activation: ActivationId): Promise<void>;
  stopAll(): Promise<void>;
}

interface CommandState {
  readonly command: string;
  readonly activation: ActivationId;
  readonly startedAt: number;
  readonly handle: BackgroundCommand;
  readonly stopper: AbortController;
  endedAt?: number;
  result?: SpawnResult;
}

export const createBackgroundCommands = (options: {
  readonly spawn: Spawn;
  readonly clock: Clock;
}): BackgroundCommands => {
  const { spawn, clock } = options;
  const states = new Map<number, CommandState>();
  let count = 0;

  const isRunning = ({ endedAt }: CommandState): boolean => endedAt === undefined;

  const toEntry = (id: number, { command, startedAt, endedAt, result }: CommandState): BackgroundEntry => ({
    id,
    command,
    durationMs: (endedAt ?? clock.monotonic()) - startedAt,
    ...(result === undefined ? {} : { result }),
  });

  const end = async (state: CommandState): Promise<void> => {
    state.stopper.abort();
    await state.handle.result;
  };

  const dropOldEnded = (): void => {
    const endedCommands = [...states].filter(([, state]) => !isRunning(state));
    const surplusCount = Math.max(0, endedCommands.length - MAX_ENDED_COMMANDS);
    for (const [id] of endedCommands.slice(0, surplusCount)) states.delete(id);
  };

  return {
    start(command, request, activation) {
      if ([...states.values()].filter(isRunning).length >= MAX_BACKGROUND_COMMANDS) return undefined;
      const stopper = new AbortController();
      const handle = spawn.start(request, stopper.signal);
      count += 1;
      const state: CommandState = { command, activation, startedAt: clock.monotonic(), handle, stopper };
      states.set(count, state);
      /** Records the end of the command. There is no result if the end could not be observed. */
      const recordEnd = (result?: SpawnResult): void => {
        if (result !== undefined) state.result = result;
        state.endedAt = clock.monotonic();
        dropOldEnded();
      };
      handle.result.then(recordEnd, () => recordEnd());
      return count;
    },

    list: () => [...states].map(([id, state]) => toEntry(id, state)),

    readOutput(id) {
      const state = states.get(id);
      if (state === undefined) return undefined;
      if (!isRunning(state)) states.delete(id);
      return { ...toEntry(id, state), output: state.handle.takeOutput() };
    },

    async stop(id) {
      const state = states.get(id);
      if (state === undefined || !isRunning(state)) return false;
      await end(state);
      return true;
    },

    async stopActivation(activation) {
      await Promise.all([...states.values()].filter((state) => state.activation === activation).map(end));
    },

    async stopAll() {
      await Promise.all([...states.values()].map(end));
    },
  };
};
