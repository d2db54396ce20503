/**
 * A terminal with a line to type on at its foot. While it is hushed the line is hidden: what is typed then is kept and
 * shows with the next prompt, and what is written stands as it is.
 */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from "node:readline";
import { Writable } from "node:stream";

export interface Screen {
  /** Writes at the cursor; only while hushed. */
  write(text: string): void;
  /** Writes whole lines, above the prompt if there is one. */
  say(text: string): void;
  prompt(): void;
  hush(): void;
  /** What stands on the line. */
  typed(): string;
  clearTyped(): void;
  close(): void;
}

export const createScreen = (options: {
  readonly prompt: string;
  /** Newest first. */
  readonly history: readonly string[];
  readonly onLine: (line: string) => void;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** Ctrl-D, or the terminal is gone. */
  readonly onClose: () => void;
}): Screen => {
  const { stdin, stdout } = process;
  let hushed = true;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hushed) stdout.write(chunk);
      done();
    },
  });
  // What readline asks of a terminal to know where a long line wraps.
  Object.defineProperties(output, {
    isTTY: { value: true },
    columns: { get: () => stdout.columns },
    rows: { get: () => stdout.rows },
  });
  const line = createInterface({
    input: stdin,
    output,
    terminal: true,
    prompt: options.prompt,
    history: [...options.history],
    historySize: 1_000,
    removeHistoryDuplicates: true,
  });
  const onResize = (): void => void output.emit("resize");
  stdout.on("resize", onResize);
  line.on("line", options.onLine);
  line.on("SIGINT", options.onInterrupt);
  line.on("close", options.onClose);

  return {
    write: (text) => void stdout.write(text),
    say(text) {
      if (hushed) {
        stdout.write(`${text}\n`);
        return;
      }
      moveCursor(stdout, 0, -line.getCursorPos().rows);
      cursorTo(stdout, 0);
      clearScreenDown(stdout);
      stdout.write(`${text}\n`);
      line.prompt(true);
    },
    prompt() {
      hushed = false;
      line.prompt(true);
    },
    hush() {
      hushed = true;
    },
    typed: () => line.line,
    clearTyped() {
      line.write(null, { ctrl: true, name: "e" });
      line.write(null, { ctrl: true, name: "u" });
    },
    close() {
      stdout.off("resize", onResize);
      line.close();
    },
  };
};
