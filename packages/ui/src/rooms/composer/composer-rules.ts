/** Keyboard shortcuts, length limits and notes of the composer. Pure. */
import { MAX_MESSAGE_LENGTH } from "@hearth/protocol";
import { formatNumber } from "../../language/locale.ts";
import * as texts from "../text.ts";

export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether an input method composes text. Its Enter key does not send. */
  readonly isComposing: boolean;
}

export interface ComposerState {
  readonly text: string;
  /**
   * Whether the screen is a touch screen. There Enter does not send, because the keyboard has no
   * Shift+Enter.
   */
  readonly isCoarse: boolean;
  readonly isRunning: boolean;
}

export type KeyMeaning = "send" | "edit-last" | "stop";

/** Returns the action of a key press, or undefined for normal typing. */
export const meaningOf = (
  pressedKey: PressedKey,
  { text, isCoarse, isRunning }: ComposerState,
): KeyMeaning | undefined => {
  if (pressedKey.isComposing || pressedKey.altKey) return undefined;
  if (pressedKey.key === "Enter") {
    if (pressedKey.ctrlKey || pressedKey.metaKey) return "send";
    return pressedKey.shiftKey || isCoarse ? undefined : "send";
  }
  if (pressedKey.shiftKey || pressedKey.ctrlKey || pressedKey.metaKey) return undefined;
  if (pressedKey.key === "Escape" && isRunning) return "stop";
  return pressedKey.key === "ArrowUp" && text === "" ? "edit-last" : undefined;
};

/** From this length on, the composer shows a warning. */
const NEAR_LIMIT = MAX_MESSAGE_LENGTH * 0.9;

/**
 * Returns the text to send: well-formed Unicode without empty lines at its start and end. The
 * indentation of the first line stays.
 */
export const toMessageText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/^\s*\n/, "")
    .trimEnd();

export interface LengthWarning {
  readonly words: string;
  readonly isTooLong: boolean;
}

/** Returns a warning for a text near or beyond the length limit. */
export const warnOfLength = (text: string): LengthWarning | undefined => {
  const { length } = toMessageText(text);
  if (length <= NEAR_LIMIT) return undefined;
  const remainingLength = MAX_MESSAGE_LENGTH - length;
  return remainingLength >= 0
    ? { words: texts.charactersLeft(formatNumber(remainingLength)), isTooLong: false }
    : {
        words: texts.tooManyCharacters(formatNumber(-remainingLength)),
        isTooLong: true,
      };
};

/** Appends `addition` to the text, after an empty line. */
export const joinTexts = (text: string, addition: string): string =>
  text.trim() === "" ? addition : `${text.trimEnd()}\n\n${addition}`;

/** Returns the note below the composer. A length warning takes precedence. */
export const noteOf = (warning: LengthWarning | undefined, isOffline: boolean): string | undefined =>
  warning?.words ?? (isOffline ? texts.offline : undefined);
