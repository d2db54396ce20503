/** Keyboard shortcuts, length limits and notes of the composer. Pure. */
import { MAX_MESSAGE_LENGTH } from "@hearth/protocol";
import * as texts from "../text.ts";

export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** True while an input method composes text; its Enter key does not send. */
  readonly isComposing: boolean;
}

export interface ComposerState {
  readonly text: string;
  /** True on touch screens: their keyboard has no Shift+Enter, and there is a send button. */
  readonly isCoarse: boolean;
  readonly isRunning: boolean;
}

export type KeyMeaning = "send" | "edit-last" | "stop";

/** The action of a key; undefined for normal typing. */
export const meaningOf = (
  pressed: PressedKey,
  { text, isCoarse, isRunning }: ComposerState,
): KeyMeaning | undefined => {
  if (pressed.isComposing || pressed.altKey) return undefined;
  if (pressed.key === "Enter") {
    if (pressed.ctrlKey || pressed.metaKey) return "send";
    return pressed.shiftKey || isCoarse ? undefined : "send";
  }
  if (text !== "" || pressed.shiftKey || pressed.ctrlKey || pressed.metaKey) return undefined;
  if (pressed.key === "ArrowUp") return "edit-last";
  return pressed.key === "Escape" && isRunning ? "stop" : undefined;
};

/** The last tenth before the limit shows a warning. */
const NEAR_LIMIT = MAX_MESSAGE_LENGTH * 0.9;

/**
 * The text as it is sent: well-formed and without surrounding empty lines. Keeps the indentation of
 * the first line.
 */
export const toSend = (text: string): string =>
  text
    .toWellFormed()
    .replace(/^\s*\n/, "")
    .trimEnd();

export interface LengthWarning {
  readonly words: string;
  readonly isTooLong: boolean;
}

/** A warning near the length limit and beyond it. */
export const warnOfLength = (text: string): LengthWarning | undefined => {
  const { length } = toSend(text);
  if (length <= NEAR_LIMIT) return undefined;
  const left = MAX_MESSAGE_LENGTH - length;
  return left >= 0
    ? { words: texts.charactersLeft(left.toLocaleString("en")), isTooLong: false }
    : {
        words: texts.tooManyCharacters((-left).toLocaleString("en")),
        isTooLong: true,
      };
};

/** Appends text to existing text. */
export const joinTexts = (before: string, added: string): string =>
  before.trim() === "" ? added : `${before.trimEnd()}\n\n${added}`;

/** The note below the composer. A length warning comes first. */
export const noteOf = (
  warning: LengthWarning | undefined,
  isOffline: boolean,
  command: HouseCommand | undefined,
): string | undefined => warning?.words ?? command?.words ?? (isOffline ? texts.offline : undefined);

/** A slash command, handled by the house instead of an agent. */
export interface HouseCommand {
  readonly text: string;
  readonly words: string;
}

/** The command that starts with the typed text. */
export const commandOf = (typed: string): HouseCommand | undefined =>
  typed.startsWith("/") ? commands.find(({ text }) => text.startsWith(typed.trimEnd().toLowerCase())) : undefined;

const commands: readonly HouseCommand[] = [
  { text: "/new", words: texts.newCommandEffect },
  { text: "/stop", words: texts.stopCommandEffect },
];
