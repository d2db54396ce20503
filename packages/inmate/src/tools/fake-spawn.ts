/** A spawn that starts nothing: the caller plays every command. */
import { createOutputWindow } from "./output-window.ts";
import type { Spawn, SpawnRequest } from "./spawn.ts";

export type FakeCommand =
  | { readonly output: string; readonly code: number }
  | { readonly output: string; readonly signal: string }
  /** Writes this and then runs until it is stopped. */
  | { readonly output: string; readonly hangs: true };

export interface FakeSpawn extends Spawn {
  readonly requests: readonly SpawnRequest[];
}

export const createFakeSpawn = (play: (request: SpawnRequest) => FakeCommand): FakeSpawn => {
  const requests: SpawnRequest[] = [];
  return {
    requests,
    async run(request, signal) {
      requests.push(request);
      if (signal.aborted) return { end: "stopped", code: undefined, signal: undefined, output: "" };
      const command = play(request);
      const window = createOutputWindow(request.maxOutputSize);
      window.push(new TextEncoder().encode(command.output));
      const output = window.text();
      if ("code" in command) return { end: "exited", code: command.code, signal: undefined, output };
      if ("signal" in command) return { end: "exited", code: undefined, signal: command.signal, output };
      await aborted(signal);
      return { end: "stopped", code: undefined, signal: "SIGTERM", output };
    },
  };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
