/** A command's only access to the terminal, the environment, the clock and the network. */
import type { UploadSource } from "@hearth/client";
import type { Clock, Fetch } from "@hearth/protocol";
import { createSecretPrompt } from "./args/secret-prompt.ts";
import { UsageError } from "./args/usage-error.ts";

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's working directory. */
  readonly cwd: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  columns(): number;
  out(text: string): void;
  /** Writes bytes to stdout. Resolves once the reader has taken them. */
  outBytes(bytes: Uint8Array): Promise<void>;
  err(text: string): void;
  /** Resolves once the reader has taken all output. */
  flush(): Promise<void>;
  /** Reads all of stdin as text. Throws `UsageError` when it is not UTF-8. */
  readInput(): Promise<string>;
  /** Opens a file to upload by its path, or stdin for `-`. Throws `UsageError` when it cannot be read. */
  openFile(path: string): Promise<UploadSource>;
  /** Reads a line at the terminal without echo. Throws `UsageError` on Ctrl-C. */
  readSecret(question: string): Promise<string>;
  /**
   * Calls the listener on SIGINT, SIGTERM or SIGHUP instead of ending the process. Returns a
   * function that removes the listener.
   */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process at once, even with open handles. */
  exit(code: number): never;
  readonly fetch: Fetch;
  readonly sleep: Clock["sleep"];
  now(): number;
  createKey(): string;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const createTerminal = (): Terminal => {
  // A reader that closes the pipe early (`| head`) is not an error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: Error & { code?: string }) => process.exit(error.code === "EPIPE" ? 0 : 1));
  }
  // Waits for every write, because the callback of an empty write can come before earlier writes are flushed.
  const writes = new Set<Promise<void>>();
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    if (text === "") return;
    const writePromise = new Promise<void>((resolve) => stream.write(text, () => resolve()));
    writes.add(writePromise);
    writePromise.then(() => writes.delete(writePromise)).catch(reportError);
  };
  return {
    env: process.env,
    cwd: process.cwd(),
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    columns: () => process.stdout.columns ?? 80,
    out: (text) => write(process.stdout, text),
    outBytes: (bytes) => new Promise((resolve) => process.stdout.write(bytes, () => resolve())),
    err: (text) => write(process.stderr, text),
    flush: async () => void (await Promise.all(writes)),
    readInput: async () => toText(await Bun.stdin.bytes()),
    openFile: async (path) => (await import("./args/open-file.ts")).openFile(path, process.cwd()),
    readSecret: createSecretPrompt(process.stdin, (text) => write(process.stderr, text)),
    onInterrupt(listener) {
      for (const signal of SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of SIGNALS) process.off(signal, listener);
      };
    },
    exit: (code) => process.exit(code),
    fetch: directFetch,
    sleep,
    now: () => Date.now(),
    createKey: () => crypto.randomUUID(),
  };
};

/** Decodes UTF-8 strictly: replacement characters would change the text. */
const toText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError("stdin is not UTF-8 text.", "Convert it first, for example: iconv -f latin1 -t utf-8");
  }
};

/** Fetches without a proxy: the house is on this machine, and a proxy must not see its token. */
export const directFetch: Fetch = (input, init) => fetch(input, { ...init, proxy: false });

export const sleep: Clock["sleep"] = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener("abort", finish);
  });
