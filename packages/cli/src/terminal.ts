/** The world as a command sees it: the terminal, the environment, and the network. The only place that reads them. */
import type { Clock, Fetch } from "@hearth/protocol";
import { createSecretPrompt } from "./secret-prompt.ts";
import { UsageError } from "./usage-error.ts";

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person stands. */
  readonly cwd: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  columns(): number;
  out(text: string): void;
  err(text: string): void;
  /** Resolves once all that was written has been taken, however slow its reader is. */
  taken(): Promise<void>;
  /** All of stdin, as text. Throws `UsageError` when it is none. */
  readInput(): Promise<string>;
  /** Asks for a line at the terminal that is not shown. Throws `UsageError` when it is given up. */
  readSecret(question: string): Promise<string>;
  /** Calls on each SIGINT, SIGTERM or SIGHUP instead of ending the process, until what it returns is called. */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process at once, whatever is still open. */
  exit(code: number): never;
  readonly fetch: Fetch;
  readonly sleep: Clock["sleep"];
  now(): number;
  freshKey(): string;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const createTerminal = (): Terminal => {
  // A reader that went away (`| head`) is no failure of ours.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: Error & { code?: string }) => process.exit(error.code === "EPIPE" ? 0 : 1));
  }
  // An empty write is called back before what stands in front of it has gone: each write is waited for by itself.
  const writes = new Set<Promise<void>>();
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    if (text === "") return;
    const written = new Promise<void>((resolve) => stream.write(text, () => resolve()));
    writes.add(written);
    void written.then(() => writes.delete(written));
  };
  return {
    env: process.env,
    cwd: process.cwd(),
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    columns: () => process.stdout.columns ?? 80,
    out: (text) => write(process.stdout, text),
    err: (text) => write(process.stderr, text),
    taken: async () => void (await Promise.all(writes)),
    readInput: async () => toText(await Bun.stdin.bytes()),
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
    freshKey: () => crypto.randomUUID(),
  };
};

/** Bytes that mean nothing would arrive as other text than was sent. */
const toText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(
      "What stdin holds is not text in UTF-8.",
      "Convert it first, as with: iconv -f latin1 -t utf-8",
    );
  }
};

/** The house is on this machine: what HTTP_PROXY says is not about it, and a proxy must not see its token. */
export const directFetch: Fetch = (input, init) => fetch(input, { ...init, proxy: false });

export const sleep: Clock["sleep"] = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
