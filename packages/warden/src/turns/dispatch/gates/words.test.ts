import { expect, test } from "bun:test";
import type { AgentRecord } from "@hearth/protocol";
import { readAnswer } from "./relevance.ts";
import { sharesWords } from "./words.ts";

const agent = (content: Partial<AgentRecord["content"]>): AgentRecord =>
  ({ content: { name: "Ben", kind: "bot", ...content } }) as AgentRecord;

test.each([
  ["a word of its description, in any case", { description: "Looks after the Garden" }, "our GARDEN is dry", true],
  ["a word of the agent's name", { name: "Archive Bot" }, "is it in the archive?", true],
  ["no word of three letters", { description: "the cat and the dog" }, "the cat and the dog", false],
  ["no part of a word", { description: "garden" }, "a gardener came", false],
  ["one word of its instructions", { prompt: "Answer questions about weather" }, "the weather is fine", false],
  [
    "two words of its instructions",
    { prompt: "Answer questions about weather" },
    "a few questions: how is the weather?",
    true,
  ],
  ["one word of its instructions, twice", { prompt: "Talk of weather" }, "weather, weather", false],
  ["a word with marks", { description: "Küchenchef für die Küche" }, "wer macht die küche?", true],
  ["the same word, composed otherwise", { description: "Küche" }, "die Ku\u0308che", true],
  ["a word of another script", { description: "отвечает за погоду" }, "какую погоду обещают?", true],
  ["digits", { description: "Order 4711" }, "where is 4711?", true],
  ["nothing in an agent of whom nothing is known", {}, "hello everyone", false],
])("%s: %j and %j", (_name, content, text, expected) => {
  expect(sharesWords(agent(content), ["something else", text])).toBe(expected);
});

test.each([
  ["YES", true],
  [" yes.\n", true],
  ["**No**", false],
  ['"NO!"', false],
  ["", undefined],
  ["Yes, because it is about plants", undefined],
  ["I would say no", undefined],
  ["YES NO", undefined],
])("a model that answers %j says %p", (text, expected) => {
  expect(readAnswer(text)).toBe(expected);
});
