/**
 * A reply as it comes, on a terminal. What is sent again after a restart is not printed twice, and what stands there at
 * the end is what the room holds.
 */
import type { DeltaEvent } from "@hearth/protocol";
import { safeLine, safeText } from "../safe-text.ts";
import { span } from "../time.ts";

export interface ReplyPrinter {
  delta(event: DeltaEvent): void;
  /** What was shown so far comes again; says so, unless it goes on in the middle of the line. */
  restart(): void;
  /** A note of somebody else's, on a line of its own; the reply goes on below it. */
  aside(text: string): void;
  /** Ends the last line. With the message's text, makes sure that it stands there. */
  end(text?: string): void;
}

const MAX_INPUT = 80;

export const createReplyPrinter = (options: {
  readonly write: (text: string) => void;
  /** A line beside the reply. */
  readonly note: (text: string) => void;
}): ReplyPrinter => {
  const { write, note } = options;
  /** All that is printed, and all that has come since the last restart: the same, unless it comes again. */
  let shown = "";
  let come = "";
  /** The text of the present round: only the last one's is the reply. */
  let round = "";
  let atLineStart = true;
  /** The first half of a character whose second comes with the next piece. */
  let half = "";
  const inputs = new Map<string, string>();
  /** Calls that are noted, and how many of them have come since the last restart. */
  const noted: string[] = [];
  let calls = 0;
  let sayRestart = false;

  const print = (text: string): void => {
    const whole = half + text;
    half = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : "";
    const ready = half === "" ? whole : whole.slice(0, -1);
    if (ready === "") return;
    write(safeText(ready));
    atLineStart = ready.endsWith("\n");
  };

  const take = (text: string): void => {
    const comesAgain = come.length < shown.length;
    come += text;
    if (comesAgain && shown.startsWith(come)) return;
    if (!comesAgain) print(text);
    else if (come.startsWith(shown)) print(come.slice(shown.length));
    else {
      // It comes out otherwise this time: what stands there is left, and the round begins on a line of its own.
      endLine();
      noteRestart();
      print(round + text);
    }
    shown = come;
  };

  /** Between two rounds. What stands between them on the screen has ended the line already. */
  const separate = (): void => {
    const comesAgain = come.length < shown.length;
    come += "\n";
    if (comesAgain && shown.startsWith(come)) return;
    endLine();
    shown = come;
  };

  const endLine = (): void => {
    if (!atLineStart) print("\n");
  };

  const noteRestart = (): void => {
    if (sayRestart) note("(starting over)");
    sayRestart = false;
  };

  return {
    delta(event) {
      switch (event.type) {
        case "round-start":
          if (come !== "" && !come.endsWith("\n")) separate();
          round = "";
          break;
        case "text-delta":
          take(event.text);
          round += event.text;
          break;
        case "retry": {
          const wait = span(Math.max(0, event.retryAt - event.at));
          note(`${safeLine(event.error.message)} Retrying in ${wait} (attempt ${event.attempt} of ${event.attempts}).`);
          break;
        }
        case "tool-start":
          inputs.set(event.call, toShort(event.input));
          break;
        case "tool-end": {
          const call = `${safeLine(event.name)} ${inputs.get(event.call) ?? ""}`;
          calls += 1;
          // One that comes again was noted before.
          if (noted[calls - 1] === call) break;
          noted.splice(calls - 1, Infinity, call);
          endLine();
          noteRestart();
          note(`  ${call} ${event.failed ? "failed, " : ""}${span(event.durationMs)}`);
          break;
        }
        case "restart":
        case "end":
          break;
      }
    },
    restart() {
      come = "";
      round = "";
      calls = 0;
      sayRestart = true;
      if (atLineStart) noteRestart();
    },
    aside(text) {
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

/** `{"path":"a.md"}` → `a.md`; several fields keep their names. */
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
