/** The screen of an interactive chat, and a record of what it already shows. */
import type { ActivationId, EventId } from "@hearth/protocol";
import type { Output } from "../show/output.ts";
import type { Names } from "../show/names.ts";
import { nameLine, type RoomLine } from "../show/room-lines.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import type { ReplyPrinter } from "./printer.ts";
import type { Screen } from "./screen.ts";

export interface Board {
  /** Messages that are already on the screen. */
  readonly printedMessages: Set<EventId>;
  /** Messages whose replies are already on the screen. */
  readonly answeredMessages: Set<EventId>;
  /** Activations whose text was streamed to the screen. */
  readonly streamedActivations: Set<ActivationId>;
  readonly screen: Screen;
  readonly style: Output["style"];
  /** The printer of the reply that is being streamed. */
  currentPrinter: ReplyPrinter | undefined;
  /** Prints a note. A reply that is being streamed continues below it. */
  note(text: string): void;
  fail(error: { readonly message: string; readonly hint?: string | undefined }): void;
  toText(line: RoomLine): Promise<string>;
}

export interface BoardOptions {
  readonly screen: Screen;
  readonly style: Output["style"];
  readonly names: Names;
}

export const createBoard = ({ screen, style, names }: BoardOptions): Board => {
  const { dim, bold, red } = style;
  const board: Board = {
    printedMessages: new Set(),
    answeredMessages: new Set(),
    streamedActivations: new Set(),
    screen,
    style,
    currentPrinter: undefined,
    note: (text) =>
      board.currentPrinter === undefined ? screen.printLine(dim(text)) : board.currentPrinter.printNote(text),
    fail({ message, hint }) {
      screen.printLine(`${red("failed:")} ${safeLine(message)}`);
      if (hint !== undefined) board.note(`  ${safeLine(hint)}`);
    },
    async toText(line) {
      const title = await nameLine(line, names);
      return line.text === undefined ? dim(title) : `${bold(title)}\n${safeText(line.text).trimEnd()}`;
    },
  };
  return board;
};
