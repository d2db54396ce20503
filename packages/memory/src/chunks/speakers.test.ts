import { expect, test } from "bun:test";
import { toSentences } from "./sentences.ts";
import { speakerOf } from "./speakers.ts";
import { toTexts } from "./texts.ts";

test.each([
  ["Anna: I was there.", "Anna"],
  ["**Anna Maria Berg:** I was there.", "Anna Maria Berg"],
  ["- Ben: later\n- so it was", "Ben"],
  ["## Talk\n\nAnna: I was there.", "Anna"],
  ["Anna: hello\nBen: hello", undefined],
  ["He said: no.", undefined],
  ["Note: the boiler is old.", undefined],
  ["Anna:", undefined],
  ["It was late.\nAnna: hello", undefined],
])("the speaker of %p is %p", (text, speaker) => {
  expect(speakerOf(text)).toBe(speaker);
});

test("short sentences are joined to their neighbours, and no text is lost", () => {
  expect(toSentences("Wow! That is a very long way to go. It rained the whole day. Sad.")).toEqual([
    "Wow! That is a very long way to go.",
    "It rained the whole day. Sad.",
  ]);
  expect(toSentences("  ")).toEqual([]);
  expect(toSentences("Yes.")).toEqual(["Yes."]);
});

test("the texts for vectors contain the speaker, the date and the heading", () => {
  const chunk = { text: "It was the feed pipe.", headings: ["House", "Leak"], date: "2024-03-04", speaker: "Anna" };
  const next = { text: "210 in all.", headings: [], speaker: "Ben" };
  expect(toTexts(chunk, undefined, next)).toEqual({
    whole: "[4 March 2024] Anna: Leak: It was the feed pipe.",
    sentences: ["Anna: It was the feed pipe."],
    withPrevious: "Anna: Leak: It was the feed pipe.",
    window: "Anna: Leak: It was the feed pipe.\nBen: 210 in all.",
  });
});
