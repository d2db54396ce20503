/**
 * Starts the memory process with an almost empty environment and pipes for stdin, stdout and
 * stderr.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Embedder } from "../../embedders/embedder.ts";
import type { MemoryProcess } from "../../process/memory-client.ts";

export interface MemoryProcessOptions {
  /** Indexes are in `AGENT/db/` below this folder. */
  readonly brains: string;
  /**
   * "local" runs a model on this machine. "none" compares only words. The process has no network,
   * so it calls any other embedder over the pipe.
   */
  readonly embedder: "local" | "fake" | "none" | Pick<Embedder, "name" | "dimensions">;
}

const ENTRY = fileURLToPath(new URL("process.ts", import.meta.url));
const EXIT_TIMEOUT_MS = 2000;
const MAX_STDERR_LENGTH = 2000;

export const startMemoryProcess = ({ brains, embedder }: MemoryProcessOptions): MemoryProcess => {
  const embedderOptions =
    typeof embedder === "string" ? [embedder] : ["called", embedder.name, String(embedder.dimensions)];
  const child = Bun.spawn(
    [process.execPath, "--no-install", "--no-env-file", "--smol", ENTRY, brains, ...embedderOptions],
    {
      cwd: dirname(ENTRY),
      env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const stderrTail = readTail(child.stderr);
  return {
    bytes: child.stdout,
    async write(bytes) {
      try {
        const written = child.stdin.write(bytes);
        await child.stdin.flush();
        await written;
      } catch {
        // The process is exiting. `exitReason` resolves with the reason.
      }
    },
    exitReason: child.exited.then(async (code) => {
      const output = await stderrTail;
      return `it ended with ${child.signalCode ?? code}${output === "" ? "" : `: ${output}`}`;
    }),
    kill: () => child.kill("SIGKILL"),
    async close() {
      await child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), EXIT_TIMEOUT_MS);
      await child.exited;
      clearTimeout(timer);
    },
  };
};

const readTail = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) text = (text + decoder.decode(bytes, { stream: true })).slice(-MAX_STDERR_LENGTH);
  return text.trim();
};
