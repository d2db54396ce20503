import { describe, expect, test } from "bun:test";
import { createReasoningReader, type Reasoning, readReasoning, textOf } from "./openai-reasoning.ts";

const gather = (...deltas: readonly object[]): Reasoning["message"] => {
  const reader = createReasoningReader();
  for (const delta of deltas) reader.add({ ...delta });
  return readReasoning(reader.seal("openai here", [])).message;
};

const details = (...pieces: readonly object[]): unknown =>
  gather(...pieces.map((piece) => ({ reasoning_details: [piece] }))).reasoning_details;

describe("thoughts in a chat completion", () => {
  test("an answer without thoughts has nothing to send back", () => {
    const reader = createReasoningReader();
    reader.add({ content: "x", reasoning_content: null });
    expect(reader.seal("openai here", [undefined])).toBeUndefined();
  });

  test("a field that arrived empty is sent back empty", () => {
    expect(gather({ reasoning_content: "" })).toEqual({ reasoning_content: "" });
  });

  test("thoughts of a whole message are sent back as they arrived last", () => {
    const extra = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } });
    expect(gather(extra("a"), { content: "x" }, extra("b"))).toEqual(extra("b"));
  });

  test("chunks of thought inside the content are joined, and are not text", () => {
    const reader = createReasoningReader();
    const think = (...words: readonly string[]) => ({
      content: [{ type: "thinking", thinking: words.map((text) => ({ type: "text", text })) }],
    });
    for (const delta of [think("a", "b"), { content: [{ type: "text", text: "said" }] }, think("c")]) reader.add(delta);
    expect(readReasoning(reader.seal("openai here", [])).thinking).toBe("abc");
    expect(textOf(think("a").content)).toBe("");
  });

  test.each([
    ["a text", "a text"],
    [
      [{ type: "text", text: "a" }, { type: "thinking" }, 7, { type: "text", text: 7 }, { type: "text", text: "b" }],
      "ab",
    ],
    [null, ""],
    [undefined, ""],
    [{ type: "text", text: "a" }, ""],
  ])("the text of %j is found", (content, expected) => {
    expect(textOf(content)).toBe(expected);
  });

  test.each([
    ["reasoning.text", "text"],
    ["reasoning.summary", "summary"],
  ])("pieces of one %s are joined to one detail", (type, words) => {
    expect(
      details(
        { type, [words]: "a", id: null, format: "f", signature: "", index: 0 },
        { type, [words]: "b", id: "r", index: 0 },
        { type, signature: "s", format: null, index: 0 },
      ),
    ).toEqual([{ type, [words]: "ab", id: "r", format: "f", signature: "s", index: 0 }]);
  });

  test.each([
    ["a detail with another number", { type: "reasoning.text", text: "a", index: 0 }, { index: 1 }],
    ["a detail with another id", { type: "reasoning.text", text: "a", id: "1" }, { id: "2" }],
    ["a detail of another type", { type: "reasoning.text", text: "a" }, { type: "reasoning.summary" }],
    ["text after a signature", { type: "reasoning.text", text: "a", signature: "s" }, { text: "b" }],
    ["an encrypted detail", { type: "reasoning.encrypted", data: "a" }, { data: "b" }],
  ])("%s starts a new detail", (_what, first, difference) => {
    const second = { ...first, ...difference };
    expect(details(first, second)).toEqual([first, second]);
  });
});
