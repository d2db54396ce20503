/** Runs a command at a pseudo-terminal, as a person does. */
import { found } from "@hearth/protocol/until";
import { LAUNCHER } from "./daemon.ts";

export interface AtTerminal extends AsyncDisposable {
  /** Everything on the screen so far, with control sequences. */
  screen(): string;
  /** Waits until the screen shows this text after the previous one, then types the keys. */
  answer(shown: string, keys: string): Promise<void>;
  readonly pid: number;
  readonly exited: Promise<number>;
}

export const keys = { enter: "\r", up: "\u001b[A", down: "\u001b[B", interrupt: "\u0003" } as const;

export const atTerminal = (words: readonly string[], env: Readonly<Record<string, string>> = {}): AtTerminal => {
  const decoder = new TextDecoder();
  let screen = "";
  let position = 0;
  const child = Bun.spawn([LAUNCHER, ...words], {
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/nonexistent", LANG: "C.UTF-8", TERM: "xterm", ...env },
    terminal: {
      cols: 120,
      rows: 40,
      data(_terminal, data) {
        screen += decoder.decode(data, { stream: true });
      },
    },
  });
  return {
    screen: () => screen,
    pid: child.pid,
    exited: child.exited,
    async answer(shown, typed) {
      position = await found(() => {
        const at = screen.indexOf(shown, position);
        if (at !== -1) return at + shown.length;
        if (child.exitCode !== null) throw new Error(`The command ended before "${shown}": ${screen}`);
        return undefined;
      });
      child.terminal?.write(typed);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      child.terminal?.close();
    },
  };
};
