/** Starts the process that memory lives in: without an environment, with nothing but its pipes. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Embedder } from "../../embedders/embedder.ts";
import type { MemoryProcess } from "../../process/memory-client.ts";

export interface MemoryProcessOptions {
  /** Indexes are in `AGENT/db/` below it. */
  readonly brains: string;
  /** "local" is the model of this machine; "none" compares words alone; any other is called over the pipe, for there is no network. */
  readonly embedder: "local" | "fake" | "none" | Pick<Embedder, "name" | "dimensions">;
}

const ENTRY = fileURLToPath(new URL("process.ts", import.meta.url));
const LEAVE_MS = 2000;
const MAX_LAST_WORDS = 2000;

export const startMemoryProcess = ({ brains, embedder }: MemoryProcessOptions): MemoryProcess => {
  const told = typeof embedder === "string" ? [embedder] : ["called", embedder.name, String(embedder.dimensions)];
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", "--smol", ENTRY, brains, ...told], {
    cwd: dirname(ENTRY),
    env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lastWords = readLast(child.stderr);
  return {
    bytes: child.stdout,
    async write(bytes) {
      try {
        const written = child.stdin.write(bytes);
        await child.stdin.flush();
        await written;
      } catch {
        // Nobody reads any more: it is ending, and `gone` says why.
      }
    },
    gone: child.exited.then(async (code) => {
      const words = await lastWords;
      return `it ended with ${child.signalCode ?? code}${words === "" ? "" : `: ${words}`}`;
    }),
    kill: () => child.kill("SIGKILL"),
    async close() {
      await child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), LEAVE_MS);
      await child.exited;
      clearTimeout(timer);
    },
  };
};

const readLast = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) text = (text + decoder.decode(bytes, { stream: true })).slice(-MAX_LAST_WORDS);
  return text.trim();
};
