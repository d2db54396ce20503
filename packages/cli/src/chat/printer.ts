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

const MAX_INPUT = 80;
/**
 * Matches the end of a piece that may begin the target of a citation, which is not printed, or a
 * surrogate pair.
 */
const UNFINISHED = /(?:\](?:\([^\s()]{0,500})?|[\ud800-\udbff])$/;

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
  let shown = "";
  let received = "";
  /** The text of the current round. Only the last round is the reply. */
  let round = "";
  let atLineStart = true;
  /** The beginning of a link's target, or of a surrogate pair, whose rest arrives with the next piece. */
  let pending = "";
  const inputs = new Map<string, string>();
  /** Calls that were printed, and the number of calls received since the last restart. */
  const printedCalls: string[] = [];
  let calls = 0;
  let isRestartUnreported = false;

  const print = (text: string): void => {
    const whole = withoutAddresses(pending + text);
    if (whole === "") return;
    atLineStart = whole.endsWith("\n");
    pending = UNFINISHED.exec(whole)?.[0] ?? "";
    const ready = whole.slice(0, whole.length - pending.length);
    if (ready !== "") write(safeText(ready));
  };

  const take = (text: string): void => {
    received += text;
    if (shown.startsWith(received)) return;
    if (received.startsWith(shown)) print(received.slice(shown.length));
    else {
      // The repeated text differs: keep what is printed and start the round on a new line.
      endLine();
      noteRestart();
      print(round + text);
    }
    shown = received;
  };

  /** Ends the line between two rounds. */
  const separate = (): void => {
    received += "\n";
    if (shown.startsWith(received)) return;
    endLine();
    shown = received;
  };

  const endLine = (): void => {
    if (!atLineStart) print("\n");
  };

  const noteRestart = (): void => {
    if (isRestartUnreported) note("(restarted)");
    isRestartUnreported = false;
  };

  return {
    delta(event) {
      switch (event.type) {
        case "round-start":
          if (received !== "" && !received.endsWith("\n")) separate();
          round = "";
          break;
        case "text-delta":
          take(event.text);
          round += event.text;
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
          calls += 1;
          // A repeated call was already printed.
          if (printedCalls[calls - 1] === call) break;
          printedCalls.splice(calls - 1, Infinity, call);
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
      received = "";
      round = "";
      calls = 0;
      isRestartUnreported = true;
      if (atLineStart) noteRestart();
    },
    printNote(text) {
      endLine();
      note(text);
    },
    end(text = "") {
      if (!shown.trimEnd().endsWith(text.trimEnd())) {
        if (round !== "" && text.startsWith(round) && shown.endsWith(round)) print(text.slice(round.length));
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
  const [only] = fields;
  const text =
    fields.length === 1 && typeof only?.[1] === "string"
      ? only[1]
      : fields.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`).join(" ");
  const line = safeLine(text);
  return line.length <= MAX_INPUT ? line : `${line.slice(0, MAX_INPUT - 1)}…`;
};
