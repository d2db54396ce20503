/** Asks for a secret at a terminal: what is typed is not shown. */
import { UsageError } from "./usage-error.ts";

/** As much of a terminal's stdin as it takes. */
export interface Keyboard {
  setRawMode(isRaw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: "data", listener: (data: Uint8Array) => void): unknown;
  off(event: "data", listener: (data: Uint8Array) => void): unknown;
}

const ENTER = new Set(["\r", "\n", "\u0004"]);
const RUBOUT = new Set(["\u007f", "\b"]);
const INTERRUPT = "\u0003";

/** Reads line by line: what was pasted beyond one is the answer to the next question. Throws `UsageError` at Ctrl-C. */
export const createSecretPrompt = (keyboard: Keyboard, write: (text: string) => void) => {
  let rest = "";
  return async (question: string): Promise<string> => {
    const decoder = new TextDecoder();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let typed: string[] = [];

    const take = (text: string): void => {
      const characters = [...text];
      for (const [index, character] of characters.entries()) {
        if (character === INTERRUPT) return reject(new UsageError("Nothing was changed.", "It was ended by Ctrl-C."));
        if (ENTER.has(character)) {
          rest = characters.slice(index + 1).join("");
          return resolve(typed.join(""));
        }
        if (RUBOUT.has(character)) typed = typed.slice(0, -1);
        else if (character >= " ") typed.push(character);
      }
    };
    const hear = (data: Uint8Array): void => take(decoder.decode(data, { stream: true }));

    // First of all: what is typed as soon as the question stands there is not shown either.
    keyboard.setRawMode(true);
    write(question);
    keyboard.on("data", hear);
    keyboard.resume();
    const before = rest;
    rest = "";
    take(before);
    try {
      return await promise;
    } finally {
      keyboard.off("data", hear);
      keyboard.pause();
      keyboard.setRawMode(false);
      write("\n");
    }
  };
};
