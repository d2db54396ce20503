/** Reads a secret at a terminal without echo. */
import { UsageError } from "./usage-error.ts";

/** The part of a terminal's stdin that the prompt uses. */
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

/**
 * Reads one line per question. Further pasted lines answer later questions. Throws `UsageError` on
 * Ctrl-C.
 */
export const createSecretPrompt = (keyboard: Keyboard, write: (text: string) => void) => {
  let rest = "";
  return async (question: string): Promise<string> => {
    const decoder = new TextDecoder();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let typed: string[] = [];

    const take = (text: string): void => {
      const characters = [...text];
      for (const [index, character] of characters.entries()) {
        if (character === INTERRUPT)
          return reject(
            new UsageError("Cancelled with Ctrl-C. Nothing was changed.", "Run the command again to enter a value."),
          );
        if (ENTER.has(character)) {
          rest = characters.slice(index + 1).join("");
          return resolve(typed.join(""));
        }
        if (RUBOUT.has(character)) typed = typed.slice(0, -1);
        else if (character >= " ") typed.push(character);
      }
    };
    const hear = (data: Uint8Array): void => take(decoder.decode(data, { stream: true }));

    // Echo goes off before the question appears, so that the first keys are hidden too.
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
