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

  test("are the longest that the vocabulary knows", () => {
    expect(read("the sheds unaffable")).toBe("[CLS] the shed ##s un ##aff ##able [SEP]");
  });

  test("do not see case, accents, controls and spaces", () => {
    expect(read(" The\u0000\u200b\tCAFÉ!")).toBe("[CLS] the ca ##fe ! [SEP]");
  });

  test("take an ideograph as a word", () => {
    expect(read("猫猫")).toBe("[CLS] 猫 猫 [SEP]");
  });

  test("of a word that cannot be made of them are one unknown", () => {
    expect(read(`shedx ${"s".repeat(101)} the`)).toBe("[CLS] [UNK] [UNK] the [SEP]");
  });

  test("end where the model does", () => {
    expect(encode("the ".repeat(100))).toHaveLength(8);
    expect(encode("the ".repeat(100)).at(-1)).toBe(1);
    expect(read("")).toBe("[CLS] [SEP]");
    expect(read("\ud800")).toBe("[CLS] [SEP]");
  });
});
