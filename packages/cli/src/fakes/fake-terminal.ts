/** A fake terminal that records output and lets a test interrupt. */
import { type Terminal, directFetch, sleep } from "../terminal.ts";

export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string };
  interrupt(): void;
  /** Resolves once stdout or stderr contains this text. */
  whenWritten(text: string): Promise<void>;
}

export const createFakeTerminal = (options: Partial<Terminal> & { readonly home?: string } = {}): FakeTerminal => {
  const { home, ...overrides } = options;
  const written = { out: "", err: "" };
  const listeners = new Set<() => void>();
  let watchers: { readonly text: string; readonly resolve: () => void }[] = [];
  const resolveWatchers = (): void => {
    watchers = watchers.filter(({ text, resolve }) => {
      const isWritten = written.out.includes(text) || written.err.includes(text);
      if (isWritten) resolve();
      return !isWritten;
    });
  };
  return {
    env: home === undefined ? {} : { HEARTH_HOME: home },
    cwd: "/",
    stdinIsTerminal: true,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: () => 80,
    out(text) {
      written.out += text;
      resolveWatchers();
    },
    async outBytes(bytes) {
      written.out += new TextDecoder().decode(bytes);
      resolveWatchers();
    },
    err(text) {
      written.err += text;
      resolveWatchers();
    },
    flush: () => Promise.resolve(),
    readInput: () => Promise.resolve(""),
    openFile: (path) => Promise.reject(new Error(`there is no file ${path}`)),
    readSecret: () => Promise.resolve(""),
    onInterrupt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    exit(code) {
      throw new Error(`the process ended with ${code}`);
    },
    fetch: directFetch,
    sleep,
    now: () => 1_000_000,
    createKey: () => crypto.randomUUID(),
    ...overrides,
    written,
    interrupt() {
      for (const listener of listeners) listener();
    },
    whenWritten: (text) =>
      new Promise((resolve) => {
        watchers.push({ text, resolve });
        resolveWatchers();
      }),
  };
};
