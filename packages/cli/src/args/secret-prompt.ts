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
const BACKSPACE = new Set(["\u007f", "\b"]);
const INTERRUPT = "\u0003";

/**
 * Reads one line per question. Further pasted lines answer later questions. Throws `UsageError` on
 * Ctrl-C.
 */
export const createSecretPrompt = (keyboard: Keyboard, write: (text: string) => void) => {
  let unreadText = "";
  return async (question: string): Promise<string> => {
    const decoder = new TextDecoder();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let lineCharacters: string[] = [];

    const handleText = (text: string): void => {
      const inputCharacters = [...text];
      for (const [index, character] of inputCharacters.entries()) {
        if (character === INTERRUPT)
          return reject(
            new UsageError("Cancelled with Ctrl-C. Nothing was changed.", "Run the command again to enter a value."),
          );
        if (ENTER.has(character)) {
          unreadText = inputCharacters.slice(index + 1).join("");
          return resolve(lineCharacters.join(""));
        }
        if (BACKSPACE.has(character)) lineCharacters = lineCharacters.slice(0, -1);
        else if (character >= " ") lineCharacters.push(character);
      }
    };
    const onData = (data: Uint8Array): void => handleText(decoder.decode(data, { stream: true }));

    // Echo goes off before the question appears, so that the first keys are hidden too.
    keyboard.setRawMode(true);
    write(question);
    keyboard.on("data", onData);
    keyboard.resume();
    const pastedText = unreadText;
    unreadText = "";
    handleText(pastedText);
    try {
      return await promise;
    } finally {
      keyboard.off("data", onData);
      keyboard.pause();
      keyboard.setRawMode(false);
      write("\n");
    }
  };
};
