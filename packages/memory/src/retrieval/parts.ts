/** Groups the signals of a score into a few kinds that users understand. */
import type { ContextSignalName } from "./context-signals.ts";
import type { OwnSignal } from "./signals.ts";

export type ScorePart = "words" | "meaning" | "time" | "people" | "form" | "around" | "age";

/** The score part for the age of a chunk, if the config sets a half-life. */
export const AGE_SIGNAL = "age";

const partOf: Readonly<Record<OwnSignal | ContextSignalName | typeof AGE_SIGNAL, ScorePart>> = {
  lexical: "words",
  "own words": "words",
  coverage: "words",
  "window coverage": "words",
  "rarest word": "words",
  "word pairs": "words",
  whole: "meaning",
  sentence: "meaning",
  "with previous": "meaning",
  window: "meaning",
  "wide window": "meaning",
  topic: "meaning",
  "topic in a sentence": "meaning",
  "topic with previous": "meaning",
  "topic in the window": "meaning",
  speaker: "people",
  "speaks of self": "people",
  "speaks to the one named": "people",
  "name for who or where": "people",
  "name for what": "people",
  date: "time",
  "time for when": "time",
  late: "time",
  length: "form",
  "is a question": "form",
  "has a question": "form",
  reaction: "form",
  "number for how many": "form",
  "quote for a title": "form",
  picture: "form",
  "picture asked": "form",
  "first pass": "around",
  previous: "around",
  next: "around",
  "second before": "around",
  "second after": "around",
  "answers a question": "around",
  "answers what ends as one": "around",
  "asks well": "around",
  file: "around",
  "best of file": "around",
  "like the best": "around",
  "like one of the best": "around",
  [AGE_SIGNAL]: AGE_SIGNAL,
};

/** Sums the signals by kind. The sum of the parts is the score. */
export const toParts = (
  contributions: Readonly<Record<string, number>>,
): Readonly<Partial<Record<ScorePart, number>>> => {
  const parts: Partial<Record<ScorePart, number>> = {};
  for (const [signal, contribution] of Object.entries(contributions)) {
    const part = isSignal(signal) ? partOf[signal] : "form";
    parts[part] = (parts[part] ?? 0) + contribution;
  }
  return parts;
};

const isSignal = (name: string): name is keyof typeof partOf => Object.hasOwn(partOf, name);
