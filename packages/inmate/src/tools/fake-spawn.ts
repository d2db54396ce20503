/** A spawn that starts nothing: the caller plays every command. */
import { createOutputWindow } from "./output-window.ts";
import type { Spawn, SpawnRequest, SpawnResult } from "./spawn.ts";

export type FakeCommand = { readonly output: string; /** To descriptor 3. */ readonly tells?: string } & (
  | { readonly code: number }
  | { readonly signal: string }
  /** Runs until it is stopped. */
  | { readonly hangs: true }
);

export interface FakeSpawn extends Spawn {
  readonly requests: readonly SpawnRequest[];
}

export const createFakeSpawn = (play: (request: SpawnRequest) => FakeCommand): FakeSpawn => {
  const requests: SpawnRequest[] = [];

  const begin: Spawn["start"] = (request, signal) => {
    const command = play(request);
    let window = createOutputWindow(request.maxOutputSize);
    window.push(new TextEncoder().encode(command.output));
    const finish = async (): Promise<SpawnResult> => {
      const told = request.tells === true ? { told: command.tells ?? "" } : {};
      if ("hangs" in command) {
        await aborted(signal);
        return { end: "stopped", code: undefined, signal: "SIGTERM", output: window.text(), ...told };
      }
      const [code, by] = "code" in command ? [command.code, undefined] : [undefined, command.signal];
      return { end: "exited", code, signal: by, output: window.text(), ...told };
    };
    return {
      take() {
        const text = window.text();
        window = createOutputWindow(request.maxOutputSize);
        return text;
      },
      ended: finish(),
    };
  };
  return {
    requests,
    start(request, signal) {
      requests.push(request);
      return begin(request, signal);
    },
    async run(request, signal) {
      requests.push(request);
      if (signal.aborted) return { end: "stopped", code: undefined, signal: undefined, output: "" };
      return begin(request, signal).ended;
    },
  };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
