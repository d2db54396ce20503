/**
 * The scales of the signals. The weights were learned with these; another scale makes a weight mean
 * something else.
 */
import { expect, test } from "bun:test";
import { ownSignals } from "./signals.ts";

/**
 * Compared with the other candidates of the question. All others mean the same in every question.
 */
const RELATIVE = [
  "lexical",
  "own words",
  "rarest word",
  "whole",
  "sentence",
  "with previous",
  "window",
  "wide window",
  "topic",
  "topic in a sentence",
  "topic with previous",
  "topic in the window",
  "length",
];

test("each signal has the scale that its weight was learned with", () => {
  const relative = ownSignals.filter(({ scale }) => scale === "relative").map(({ name }): string => name);
  expect(relative).toEqual(RELATIVE);
});
