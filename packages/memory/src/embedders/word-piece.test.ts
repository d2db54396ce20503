import { describe, expect, test } from "bun:test";
import { createWordPiece } from "./word-piece.ts";

describe("word pieces", () => {
  const pieces = ["[CLS]", "[SEP]", "[UNK]", "shed", "##s", "the", "猫", "ca", "##fe", "!", "un", "##aff", "##able"];
  const vocabulary = new Map(pieces.map((piece, index) => [piece, index]));
  const { encode } = createWordPiece({ vocabulary, maxTokens: 8 });
  const read = (text: string): string =>
    encode(text)
      .map((number) => pieces[number])
      .join(" ");

  test("are the longest ones in the vocabulary", () => {
    expect(read("the sheds unaffable")).toBe("[CLS] the shed ##s un ##aff ##able [SEP]");
  });

  test("ignore case, accents, control characters and spaces", () => {
    expect(read(" The\u0000\u200b\tCAFÉ!")).toBe("[CLS] the ca ##fe ! [SEP]");
  });

  test("treat each ideograph as a word", () => {
    expect(read("猫猫")).toBe("[CLS] 猫 猫 [SEP]");
  });

  test("are [UNK] for a word that they cannot spell", () => {
    expect(read(`shedx ${"s".repeat(101)} the`)).toBe("[CLS] [UNK] [UNK] the [SEP]");
  });

  test("end at the model's token limit", () => {
    expect(encode("the ".repeat(100))).toHaveLength(8);
    expect(encode("the ".repeat(100)).at(-1)).toBe(1);
    expect(read("")).toBe("[CLS] [SEP]");
    expect(read("\ud800")).toBe("[CLS] [SEP]");
  });
});
