/**
 * Places the parts of the prompt that change within a day right before the message to answer, so
 * that everything before them stays cached.
 */
import type { Row } from "../../kernel/index.ts";
import type { Label, UserMessage } from "@hearth/protocol";
import { activationOf, answeredIn } from "./daily-log/log-entry.ts";
import { type ContextPart, HEARTBEAT_PART } from "./parts.ts";

/**
 * Converts the parts to messages. `shownAnswers` holds the activations whose answers the session
 * contains. The daily logs do not repeat these answers.
 */
export const toVolatileMessages = (
  parts: readonly ContextPart[],
  shownAnswers: ReadonlySet<string>,
): readonly UserMessage[] =>
  parts
    .filter(({ place }) => place === "late")
    .flatMap(({ name, text }) => {
      const visibleText = name === HEARTBEAT_PART ? text : removeAnswers(text, shownAnswers);
      return visibleText.trim() === "" ? [] : [{ role: "user", text: visibleText, note: noteOn(name) }];
    });

const removeAnswers = (log: string, shownAnswers: ReadonlySet<string>): string =>
  log
    .split("\n")
    // The id is compared first, because a log has many lines of other rooms.
    .filter((line) => !(shownAnswers.has(activationOf(line)) && shownAnswers.has(answeredIn(line) ?? "")))
    .join("\n");

/** Returns the note of the message that holds this part. */
export const noteOn = (name: string): string =>
  name === HEARTBEAT_PART
    ? "HEARTBEAT.md of your brain: what to look at now"
    : `your own log, ${name}: for you to know`;

/**
 * A report of the actions of the room's earlier turns that failed or were stopped, with its label.
 */
export interface Unfinished {
  readonly text: string;
  readonly label: Label;
}

/**
 * Returns the report, or undefined if no such turn called a tool. `start` is the offset after which
 * the turn's session begins.
 */
export type FindUnfinished = (
  activation: Row<"activations">,
  start: number,
  zone: string,
) => Promise<Unfinished | undefined>;

export const UNFINISHED_NOTE =
  "the house: what your earlier turns here did before they failed or were stopped. It may have taken effect: check before you repeat it";
