/**
 * `Spawn` on a machine: each command gets its own process group, inherits nothing and leaves no
 * processes.
 */
import { closeSync } from "node:fs";
import { HearthError } from "@hearth/protocol";
import { createOutputWindow } from "../../tools/output-window.ts";
import type { Spawn, SpawnEnd, SpawnRequest, SpawnResult } from "../../tools/spawn.ts";
import { endProcesses } from "./processes.ts";

/** Maximum size of a command's output in bytes. A command that writes more is stopped. */
const MAX_TOTAL_SIZE = 64 * 1024 * 1024;
/** Time to read remaining output after the command has ended. */
const DRAIN_MS = 500;
/** The descriptor for the child's output. The number before it is for a request's `fd3`. */
const OUTPUT_DESCRIPTOR = 4;
/**
 * Sends stdout and stderr to one pipe, which keeps their order. Only a shell can do that. It passes
 * the arguments literally. The pipe is not that of `stdout`: Bun 1.4.5 reads it until it is empty,
 * so that a fast writer on a busy machine causes a single chunk of hundreds of megabytes.
 */
const MERGE_COMMAND = ["/bin/sh", "-c", `exec "$@" >&${OUTPUT_DESCRIPTOR} 2>&1 ${OUTPUT_DESCRIPTOR}>&-`, "sh"];

/** `environment` is added to each command's environment and takes precedence. */
export const createBunSpawn = (environment: Readonly<Record<string, string>> = {}): Spawn => {
  const startCommand: Spawn["start"] = (request, signal) => {
    const runId = crypto.randomUUID();
    const child = spawnChild({ ...request, env: { ...request.env, ...environment } }, runId);
    let window = createOutputWindow(request.maxOutputSize);
    const ended = Promise.withResolvers<SpawnEnd>();
    const stop = (): void => ended.resolve("stopped");
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const output = collect(
      child.stdio[OUTPUT_DESCRIPTOR],
      (bytes) => window.push(bytes),
      () => ended.resolve("flooded"),
    );
    const fd3Output = request.fd3 === true ? collectFd3(child.stdio[3]) : undefined;
    const onExit = (): void => ended.resolve("exited");
    child.exited.then(onExit, onExit);

    const finish = async (): Promise<SpawnResult> => {
      const end = await ended.promise;
      signal.removeEventListener("abort", stop);
      await endProcesses(child.pid, runId);
      await Promise.race([Promise.all([child.exited, output.done, fd3Output?.done]), Bun.sleep(DRAIN_MS)]);
      output.close();
      fd3Output?.close();
      const signalName = child.signalCode === null ? undefined : String(child.signalCode);
      const result = { end, code: child.exitCode ?? undefined, signal: signalName, output: window.text() };
      return fd3Output === undefined ? result : { ...result, fd3: fd3Output.text() };
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
    start: startCommand,
    run: async (request, signal) =>
      signal.aborted
        ? { end: "stopped", code: undefined, signal: undefined, output: "" }
        : startCommand(request, signal).result,
  };
};

/** Maximum size of a command's output on descriptor 3, in bytes. */
const MAX_FD3_SIZE = 16 * 1024;

/** Collects the output on descriptor 3. A child process can keep it open after the command has ended. */
const collectFd3 = (descriptor: Descriptor): OutputReader & { text(): string } => {
  const window = createOutputWindow(MAX_FD3_SIZE);
  const reader = collect(
    descriptor,
    (bytes) => window.push(bytes),
    () => {},
  );
  return { ...reader, text: () => window.text() };
};

type Child = Bun.Subprocess<"ignore", "ignore", "ignore">;
/** A descriptor of this process that is connected to a descriptor of the child. */
type Descriptor = number | null | undefined;

const spawnChild = ({ argv, cwd, env, fd3 }: SpawnRequest, runId: string): Child => {
  try {
    return Bun.spawn([...MERGE_COMMAND, ...argv], {
      cwd,
      // `endProcesses` finds the processes of this run by this variable.
      env: { ...env, HEARTH_RUN: runId },
      stdio: ["ignore", "ignore", "ignore", fd3 === true ? "pipe" : "ignore", "pipe"],
      detached: true,
    });
  } catch (cause) {
    throw new HearthError("tool.failed", "Cannot start the command: the workspace or /bin/sh does not exist.", {
      cause,
    });
  }
};

interface OutputReader {
  readonly done: Promise<void>;
  close(): void;
}

/** Reads the descriptor up to the maximum size, and then closes it. A broken pipe counts as the end. */
const collect = (descriptor: Descriptor, push: (bytes: Uint8Array) => void, onFlood: () => void): OutputReader => {
  if (typeof descriptor !== "number") throw new TypeError("Bun.spawn returned no descriptor for a pipe");
  const reader = Bun.file(descriptor).stream().getReader();
  const read = async (): Promise<void> => {
    let total = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      push(value);
      total += value.length;
      if (total <= MAX_TOTAL_SIZE) continue;
      onFlood();
      // Stops reading at once, because the command could write gigabytes until its processes have ended.
      return reader.cancel();
    }
  };
  return {
    done: read()
      .catch(() => undefined)
      .finally(() => closeSync(descriptor)),
    close: () => {
      reader.cancel().catch(() => undefined);
    },
  };
};
