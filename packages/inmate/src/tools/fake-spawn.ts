/** A fake `Spawn` that starts no processes. A function of the test returns the result of each command. */
import { untilAborted } from "@hearth/protocol";
import { createOutputWindow } from "./output-window.ts";
import type { Spawn, SpawnRequest, SpawnResult } from "./spawn.ts";

export type FakeCommand = { readonly output: string; /** Output on descriptor 3. */ readonly fd3?: string } & (
  | { readonly code: number }
  | { readonly signal: string }
  /** The command runs until it is stopped. */
  | { readonly hangs: true }
);

export interface FakeSpawn extends Spawn {
  readonly requests: readonly SpawnRequest[];
}

export const createFakeSpawn = (play: (request: SpawnRequest) => FakeCommand): FakeSpawn => {
  const requests: SpawnRequest[] = [];

  const startCommand: Spawn["start"] = (request, signal) => {
    const command = play(request);
    let window = createOutputWindow(request.maxOutputSize);
    window.push(new TextEncoder().encode(command.output));
    const finish = async (): Promise<SpawnResult> => {
      const fd3Output = request.fd3 === true ? { fd3: command.fd3 ?? "" } : {};
      if ("hangs" in command) {
        await untilAborted(signal);
        return { end: "stopped", code: undefined, signal: "SIGTERM", output: window.text(), ...fd3Output };
      }
      const [code, signalName] = "code" in command ? [command.code, undefined] : [undefined, command.signal];
      return { end: "exited", code, signal: signalName, output: window.text(), ...fd3Output };
    };
    return {
      takeOutput() {
        const text = window.text();
        window = createOutputWindow(request.maxOutputSize);
        return text;
      },
      result: finish(),
    };
  };
  return {
    requests,
    start(request, signal) {
      requests.push(request);
      return startCommand(request, signal);
    },
    async run(request, signal) {
      requests.push(request);
      if (signal.aborted) return { end: "stopped", code: undefined, signal: undefined, output: "" };
      return startCommand(request, signal).result;
    },
  };
};
