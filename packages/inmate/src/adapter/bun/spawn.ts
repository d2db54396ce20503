/** `Spawn` on a machine: a process group of its own, nothing inherited, nothing left. */
import { HearthError } from "@hearth/protocol";
import { createOutputWindow, type OutputWindow } from "../../tools/output-window.ts";
import type { Spawn, SpawnEnd, SpawnRequest } from "../../tools/spawn.ts";
import { endProcesses } from "./processes.ts";

/** Whoever writes more than this will not stop by himself. */
const MAX_TOTAL_SIZE = 64 * 1024 * 1024;
/** For what is in the pipe when everything is over. */
const DRAIN_MS = 500;
/** One pipe for both outputs keeps their order, and only a shell can lay it. The arguments stay arguments. */
const MERGE = ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh"];

export const createBunSpawn = (): Spawn => ({
  async run(request, signal) {
    if (signal.aborted) return { end: "stopped", code: undefined, signal: undefined, output: "" };
    const run = crypto.randomUUID();
    const child = start(request, run);
    const window = createOutputWindow(request.maxOutputSize);
    const ended = Promise.withResolvers<SpawnEnd>();
    const stop = (): void => ended.resolve("stopped");
    signal.addEventListener("abort", stop, { once: true });
    const output = collect(child.stdout, window, () => ended.resolve("flooded"));
    void child.exited.then(() => ended.resolve("exited"));
    const end = await ended.promise;
    signal.removeEventListener("abort", stop);
    await endProcesses(child.pid, run);
    await Promise.race([Promise.all([child.exited, output.done]), Bun.sleep(DRAIN_MS)]);
    output.close();
    const by = child.signalCode === null ? undefined : String(child.signalCode);
    return { end, code: child.exitCode ?? undefined, signal: by, output: window.text() };
  },
});

const start = ({ argv, cwd, env }: SpawnRequest, run: string): Bun.Subprocess<"ignore", "pipe", "ignore"> => {
  try {
    return Bun.spawn([...MERGE, ...argv], {
      cwd,
      // The mark by which `endProcesses` knows what this run started.
      env: { ...env, HEARTH_RUN: run },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      detached: true,
    });
  } catch (cause) {
    throw new HearthError("tool.failed", "No command could be started: the workspace or /bin/sh is not there.", {
      cause,
    });
  }
};

const collect = (
  stream: ReadableStream<Uint8Array>,
  window: OutputWindow,
  onFlood: () => void,
): { readonly done: Promise<void>; close(): void } => {
  const reader = stream.getReader();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      window.push(value);
      if (window.total > MAX_TOTAL_SIZE) onFlood();
    }
  };
  // A pipe that breaks ends like one that is closed.
  return { done: read().catch(() => undefined), close: () => void reader.cancel().catch(() => undefined) };
};
