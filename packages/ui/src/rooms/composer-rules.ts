/** What the composer's keys mean, and which texts may go. Pure. */
import { MAX_MESSAGE_LENGTH } from "@hearth/protocol";

export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** An input method is still putting a word together; its Enter is no Enter. */
  readonly isComposing: boolean;
}

export interface ComposerState {
  readonly text: string;
  /** A finger rather than a mouse: the screen's keyboard has no Shift+Enter, and there is a button to send. */
  readonly isCoarse: boolean;
  readonly isRunning: boolean;
}

export type KeyMeaning = "send" | "edit-last" | "stop";

/** What a key does instead of typing; nothing for any other. */
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

/** The last tenth before the limit. */
const NEAR_LIMIT = MAX_MESSAGE_LENGTH * 0.9;

/** As it is sent: well-formed, without the empty lines around it. Indentation of the first line stays. */
export const toSend = (text: string): string =>
  text
    .toWellFormed()
    .replace(/^\s*\n/, "")
    .trimEnd();

export interface LengthWarning {
  readonly words: string;
  readonly isTooLong: boolean;
}

/** A plain warning near the longest text and beyond it. */
export const warnOfLength = (text: string): LengthWarning | undefined => {
  const { length } = toSend(text);
  if (length <= NEAR_LIMIT) return undefined;
  const left = MAX_MESSAGE_LENGTH - length;
  return left >= 0
    ? { words: `${left.toLocaleString("en")} characters left.`, isTooLong: false }
    : {
        words: `${(-left).toLocaleString("en")} characters too many. Shorten it, or send it in parts.`,
        isTooLong: true,
      };
};

/** A text after another one, which nobody wants to lose. */
export const joinTexts = (before: string, added: string): string =>
  before.trim() === "" ? added : `${before.trimEnd()}\n\n${added}`;

/** What stands below the composer. A text that is too long is the person's own affair, and comes first. */
export const noteOf = (
  warning: LengthWarning | undefined,
  isOffline: boolean,
  command: HouseCommand | undefined,
): string | undefined =>
  warning?.words ??
  command?.words ??
  (isOffline ? "Not connected: messages wait here and go out when the connection is back." : undefined);

/** A message that is for the house and not for an agent. */
export interface HouseCommand {
  readonly text: string;
  readonly words: string;
}

/** The one that begins as what was typed does, from the slash on. */
export const commandOf = (typed: string): HouseCommand | undefined =>
  typed.startsWith("/") ? commands.find(({ text }) => text.startsWith(typed.trimEnd().toLowerCase())) : undefined;

const commands: readonly HouseCommand[] = [
  { text: "/new", words: "/new begins a new session: agents read nothing of what was said before it." },
  { text: "/stop", words: "/stop ends what runs and waits in this room." },
];
