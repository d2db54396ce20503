import { describe, expect, test } from "bun:test";
import { checkJson, MAX_JSON_DEPTH, parseJson } from "./json-text.ts";

const nested = (depth: number, open = "[", close = "]"): string => open.repeat(depth) + close.repeat(depth);

describe("the depth of JSON", () => {
  const tooDeep = nested(MAX_JSON_DEPTH + 1);
  test.each([
    ["arrays up to the limit", nested(MAX_JSON_DEPTH)],
    ["objects up to the limit", `${'{"a":'.repeat(MAX_JSON_DEPTH)}1${"}".repeat(MAX_JSON_DEPTH)}`],
    ["many siblings", `[${Array.from({ length: 500 }, () => "[{}]").join()}]`],
    ["brackets in a string", JSON.stringify("[".repeat(500))],
    ["brackets in a string after an escaped quote", JSON.stringify(`a"${"[{".repeat(500)}`)],
    ["brackets in a string after an escaped backslash and quote", JSON.stringify(`\\"${"[".repeat(500)}`)],
    ["brackets in a key", JSON.stringify({ ["{".repeat(500)]: 1 })],
    ["a string without an end", `"${"[".repeat(500)}`],
  ])("accepts %s", (_title, text) => {
    expect(() => checkJson(text)).not.toThrow();
  });

  test.each([
    ["arrays", tooDeep],
    ["objects", `${'{"a":'.repeat(MAX_JSON_DEPTH + 1)}1${"}".repeat(MAX_JSON_DEPTH + 1)}`],
    ["arrays after a string", `["a",${tooDeep}]`],
    ["arrays after a string with brackets", `["]]]]",${nested(MAX_JSON_DEPTH)}]`],
    ["arrays after a string that ends with an escaped backslash", `["\\\\",${nested(MAX_JSON_DEPTH)}]`],
    ["arrays after an empty string", `["",${nested(MAX_JSON_DEPTH)}]`],
    ["arrays without an end", "[".repeat(MAX_JSON_DEPTH + 1)],
  ])("rejects %s beyond the limit", (_title, text) => {
    expect(() => checkJson(text)).toThrow(`deeper than ${MAX_JSON_DEPTH} levels`);
  });
});

describe("surrogates in JSON", () => {
  test.each([
    ["a pair", String.raw`"\ud83d\ude00"`],
    ["an escaped backslash before the letter u", String.raw`"\\ud83d"`],
    ["an escape of another character", String.raw`"\ud7ff \ue000"`],
  ])("accepts %s", (_title, text) => {
    expect(() => checkJson(text)).not.toThrow();
  });

  test.each([
    ["a high one alone", String.raw`"\ud83d"`],
    ["a low one alone", String.raw`"\uDE00"`],
    ["a pair in the wrong order", String.raw`"\ude00\ud83d"`],
    ["one in a key", String.raw`{"\ud800": 1}`],
    ["one after an escaped backslash", String.raw`"\\\ud83d"`],
  ])("rejects %s", (_title, text) => {
    expect(() => checkJson(text)).toThrow("unpaired surrogate");
  });
});

test("invalid JSON is `request.invalid`, also where only a surrogate leads to the parser", () => {
  const invalid = { code: "request.invalid", message: "The body is not valid JSON." };
  for (const parse of [() => parseJson("{"), () => checkJson(String.raw`{"\ud83d`)])
    expect(parse).toThrow(expect.objectContaining(invalid));
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
});
