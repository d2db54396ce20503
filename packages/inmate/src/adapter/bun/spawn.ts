/** `Spawn` on a machine: a process group of its own, nothing inherited, nothing left. */
import { HearthError } from "@hearth/protocol";
import { createOutputWindow } from "../../tools/output-window.ts";
import type { Spawn, SpawnEnd, SpawnRequest, SpawnResult } from "../../tools/spawn.ts";
import { endProcesses } from "./processes.ts";

/** Whoever writes more than this will not stop by himself. */
const MAX_TOTAL_SIZE = 64 * 1024 * 1024;
/** For what is in the pipe when everything is over. */
const DRAIN_MS = 500;
/** One pipe for both outputs keeps their order, and only a shell can lay it. The arguments stay arguments. */
const MERGE = ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh"];

/** `environment` is added to every command's own, and counts more. */
export const createBunSpawn = (environment: Readonly<Record<string, string>> = {}): Spawn => {
  const begin: Spawn["start"] = (request, signal) => {
    const run = crypto.randomUUID();
    const child = start({ ...request, env: { ...request.env, ...environment } }, run);
    let window = createOutputWindow(request.maxOutputSize);
    const ended = Promise.withResolvers<SpawnEnd>();
    const stop = (): void => ended.resolve("stopped");
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const output = collect(
      child.stdout,
      (bytes) => window.push(bytes),
      () => ended.resolve("flooded"),
    );
    const told = request.tells === true ? listen(child.stdio[3]) : undefined;
    const exited = (): void => ended.resolve("exited");
    child.exited.then(exited, exited);

    const finish = async (): Promise<SpawnResult> => {
      const end = await ended.promise;
      signal.removeEventListener("abort", stop);
      await endProcesses(child.pid, run);
      await Promise.race([Promise.all([child.exited, output.done, told?.done]), Bun.sleep(DRAIN_MS)]);
      output.close();
      told?.close();
      const by = child.signalCode === null ? undefined : String(child.signalCode);
      const result = { end, code: child.exitCode ?? undefined, signal: by, output: window.text() };
      return told === undefined ? result : { ...result, told: told.text() };
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
    start: begin,
    run: async (request, signal) =>
      signal.aborted
        ? { end: "stopped", code: undefined, signal: undefined, output: "" }
        : begin(request, signal).ended,
  };
};

/** Longest word of a command on its own descriptor. */
const MAX_TOLD_SIZE = 16 * 1024;

/** The other descriptor, whose far end a child may hold on to. */
const listen = (descriptor: unknown): Collected & { text(): string } => {
  const window = createOutputWindow(MAX_TOLD_SIZE);
  if (typeof descriptor !== "number") return { done: Promise.resolve(), close: () => {}, text: () => "" };
  const collected = collect(
    Bun.file(descriptor).stream(),
    (bytes) => window.push(bytes),
    () => {},
  );
  return { ...collected, text: () => window.text() };
};

const start = ({ argv, cwd, env, tells }: SpawnRequest, run: string): Bun.Subprocess<"ignore", "pipe", "ignore"> => {
  try {
    return Bun.spawn([...MERGE, ...argv], {
      cwd,
      // The mark by which `endProcesses` knows what this run started.
      env: { ...env, HEARTH_RUN: run },
      stdio: tells === true ? ["ignore", "pipe", "ignore", "pipe"] : ["ignore", "pipe", "ignore"],
      detached: true,
    });
  } catch (cause) {
    throw new HearthError("tool.failed", "No command could be started: the workspace or /bin/sh is not there.", {
      cause,
    });
  }
};

interface Collected {
  readonly done: Promise<void>;
  close(): void;
}

const collect = (
  stream: ReadableStream<Uint8Array>,
  push: (bytes: Uint8Array) => void,
  onFlood: () => void,
): Collected => {
  const reader = stream.getReader();
  let total = 0;
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      push(value);
      total += value.length;
      if (total > MAX_TOTAL_SIZE) onFlood();
    }
  };
  // A pipe that breaks ends like one that is closed.
  return {
    done: read().catch(() => undefined),
    close: () => {
      reader.cancel().catch(() => undefined);
    },
  };
};
