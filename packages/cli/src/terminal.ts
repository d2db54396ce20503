/** The world as a command sees it: the terminal, the environment, and the network. The only place that reads them. */
import type { Clock, Fetch } from "@hearth/protocol";

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
  /** All of stdin, as text. */
  readInput(): Promise<string>;
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
  return {
    env: process.env,
    cwd: process.cwd(),
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    columns: () => process.stdout.columns ?? 80,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readInput: () => Bun.stdin.text(),
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
