/**
 * Prints a streamed reply. Text that is sent again after a restart is not printed twice, and the
 * final text matches the message in the room.
 */
import { type DeltaEvent, withoutAddresses } from "@hearth/protocol";
import { safeLine, safeText } from "../show/safe-text.ts";
import { formatDuration } from "../show/time.ts";

export interface ReplyPrinter {
  delta(event: DeltaEvent): void;
  /** Handles a stream that starts again. Prints a note, unless the repeated text continues the current line. */
  restart(): void;
  /** Prints a note on a separate line. The reply continues below it. */
  printNote(text: string): void;
  /** Ends the last line. With the message's text, first prints the part that is missing on the screen. */
  end(text?: string): void;
}

const MAX_INPUT_LENGTH = 80;
/**
 * Matches the end of a piece that may begin the target of a citation, which is not printed, or a
 * surrogate pair.
 */
const UNFINISHED_END = /(?:\](?:\([^\s()]{0,500})?|[\ud800-\udbff])$/;

export const createReplyPrinter = (options: {
  readonly write: (text: string) => void;
  /** Prints a note outside the reply. */
  readonly note: (text: string) => void;
}): ReplyPrinter => {
  const { write, note } = options;
  /**
   * All text printed, and all text received since the last restart. They differ only during a
   * repeat.
   */
  let shownText = "";
  let receivedText = "";
  /** The text of the current round. Only the last round is the reply. */
  let roundText = "";
  let isAtLineStart = true;
  /** The beginning of a link's target, or of a surrogate pair, whose rest arrives with the next piece. */
  let pendingText = "";
  const inputs = new Map<string, string>();
  /** Calls that were printed, and the number of calls received since the last restart. */
  const printedCalls: string[] = [];
  let callCount = 0;
  let isRestartUnreported = false;

  const print = (text: string): void => {
    const fullText = withoutAddresses(pendingText + text);
    if (fullText === "") return;
    isAtLineStart = fullText.endsWith("\n");
    pendingText = UNFINISHED_END.exec(fullText)?.[0] ?? "";
    const printableText = fullText.slice(0, fullText.length - pendingText.length);
    if (printableText !== "") write(safeText(printableText));
  };

  const addText = (text: string): void => {
    receivedText += text;
    if (shownText.startsWith(receivedText)) return;
    if (receivedText.startsWith(shownText)) print(receivedText.slice(shownText.length));
    else {
      // The repeated text differs: keep what is printed and start the round on a new line.
      endLine();
      noteRestart();
      print(roundText + text);
    }
    shownText = receivedText;
  };

  /** Ends the line between two rounds. */
  const endRound = (): void => {
    receivedText += "\n";
    if (shownText.startsWith(receivedText)) return;
    endLine();
    shownText = receivedText;
  };

  const endLine = (): void => {
    if (!isAtLineStart) print("\n");
  };

  const noteRestart = (): void => {
    if (isRestartUnreported) note("(restarted)");
    isRestartUnreported = false;
  };

  return {
    delta(event) {
      switch (event.type) {
        case "round-start":
          if (receivedText !== "" && !receivedText.endsWith("\n")) endRound();
          roundText = "";
          break;
        case "text-delta":
          addText(event.text);
          roundText += event.text;
          break;
        case "retry": {
          const wait = formatDuration(Math.max(0, event.retryAt - event.at));
          note(`${safeLine(event.error.message)} Retrying in ${wait} (attempt ${event.attempt} of ${event.attempts}).`);
          break;
        }
        case "tool-start":
          inputs.set(event.call, toShort(event.input));
          break;
        case "tool-end": {
          const call = `${safeLine(event.name)} ${inputs.get(event.call) ?? ""}`;
          callCount += 1;
          // A repeated call was already printed.
          if (printedCalls[callCount - 1] === call) break;
          printedCalls.splice(callCount - 1, Infinity, call);
          endLine();
          noteRestart();
          note(`  ${call} ${event.failed ? "failed, " : ""}${formatDuration(event.durationMs)}`);
          break;
        }
        case "restart":
        case "end":
          break;
      }
    },
    restart() {
      receivedText = "";
      roundText = "";
      callCount = 0;
      isRestartUnreported = true;
      if (isAtLineStart) noteRestart();
    },
    printNote(text) {
      endLine();
      note(text);
    },
    end(text = "") {
      if (!shownText.trimEnd().endsWith(text.trimEnd())) {
        if (roundText !== "" && text.startsWith(roundText) && shownText.endsWith(roundText))
          print(text.slice(roundText.length));
        else {
          endLine();
          print(text);
        }
      }
      endLine();
    },
  };
};

/** Formats an input: `{"path":"a.md"}` becomes `a.md`. Several fields keep their names. */
const toShort = (input: unknown): string => {
  const fields = typeof input === "object" && input !== null && !Array.isArray(input) ? Object.entries(input) : [];
  const [onlyField] = fields;
  const text =
    fields.length === 1 && typeof onlyField?.[1] === "string"
      ? onlyField[1]
      : fields.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`).join(" ");
  const line = safeLine(text);
  return line.length <= MAX_INPUT_LENGTH ? line : `${line.slice(0, MAX_INPUT_LENGTH - 1)}…`;
};
