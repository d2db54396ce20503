/**
 * A terminal with an input line at the bottom. While the input line is hidden, typed
 * text is kept and appears with the next prompt.
 */
import { clearScreenDown, createInterface, cursorTo, moveCursor } from "node:readline";
import { Writable } from "node:stream";

export interface Screen {
  /** Writes at the cursor. Valid only while the input line is hidden. */
  write(text: string): void;
  /** Writes whole lines above the prompt, if it is shown. */
  printLine(text: string): void;
  prompt(): void;
  hideInput(): void;
  /** The text on the input line. */
  inputText(): string;
  clearInput(): void;
  close(): void;
}

export const createScreen = (options: {
  readonly prompt: string;
  /** Newest first. */
  readonly history: readonly string[];
  readonly onLine: (line: string) => void;
  /** Called on Ctrl-C. */
  readonly onInterrupt: () => void;
  /** Called on Ctrl-D, and when the terminal is closed. */
  readonly onClose: () => void;
}): Screen => {
  const { stdin, stdout } = process;
  let isInputHidden = true;
  const output = new Writable({
    write(chunk, _encoding, callback) {
      if (!isInputHidden) stdout.write(chunk);
      callback();
    },
  });
  // readline needs these to know where a long line wraps.
  Object.defineProperties(output, {
    isTTY: { value: true },
    columns: { get: () => stdout.columns },
    rows: { get: () => stdout.rows },
  });
  const lineReader = createInterface({
    input: stdin,
    output,
    terminal: true,
    prompt: options.prompt,
    history: [...options.history],
    historySize: 1_000,
    removeHistoryDuplicates: true,
  });
  const onResize = (): void => {
    output.emit("resize");
  };
  stdout.on("resize", onResize);
  lineReader.on("line", options.onLine);
  lineReader.on("SIGINT", options.onInterrupt);
  lineReader.on("close", options.onClose);

  return {
    write: (text) => {
      stdout.write(text);
    },
    printLine(text) {
      if (isInputHidden) {
        stdout.write(`${text}\n`);
        return;
      }
      moveCursor(stdout, 0, -lineReader.getCursorPos().rows);
      cursorTo(stdout, 0);
      clearScreenDown(stdout);
      stdout.write(`${text}\n`);
      lineReader.prompt(true);
    },
    prompt() {
      isInputHidden = false;
      lineReader.prompt(true);
    },
    hideInput() {
      isInputHidden = true;
    },
    inputText: () => lineReader.line,
    clearInput() {
      lineReader.write(null, { ctrl: true, name: "e" });
      lineReader.write(null, { ctrl: true, name: "u" });
    },
    close() {
      stdout.off("resize", onResize);
      lineReader.close();
    },
  };
};
