/** The screen of an interactive chat, and a record of what it already shows. */
import type { ActivationId, EventId } from "@hearth/protocol";
import type { Output } from "../show/output.ts";
import type { Names } from "../show/names.ts";
import { type RoomLine, titleOf } from "../show/room-lines.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import type { ReplyPrinter } from "./printer.ts";
import type { Screen } from "./screen.ts";

export interface Board {
  /** Messages that are already on the screen. */
  readonly printed: Set<EventId>;
  /** Messages whose replies are already on the screen. */
  readonly answered: Set<EventId>;
  /** Activations whose text was streamed to the screen. */
  readonly streamed: Set<ActivationId>;
  readonly screen: Screen;
  readonly style: Output["style"];
  /** The printer of the reply that is being streamed. */
  printing: ReplyPrinter | undefined;
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
    printed: new Set(),
    answered: new Set(),
    streamed: new Set(),
    screen,
    style,
    printing: undefined,
    note: (text) => (board.printing === undefined ? screen.say(dim(text)) : board.printing.aside(text)),
    fail({ message, hint }) {
      screen.say(`${red("failed:")} ${safeLine(message)}`);
      if (hint !== undefined) board.note(`  ${safeLine(hint)}`);
    },
    async toText(line) {
      const title = titleOf(line, safeLine(await names.of(line.by)));
      return line.text === undefined ? dim(title) : `${bold(title)}\n${safeText(line.text).trimEnd()}`;
    },
  };
  return board;
};
