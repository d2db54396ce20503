import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { MAX_MESSAGES } from "./byte-streams.ts";
import { bytesOf } from "./fixtures.conformance.ts";
import { splitMessages } from "./messages.ts";

const split = (text: string): readonly string[] => splitMessages(bytesOf(text));
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "done";
  } catch (error) {
    return isHearthError(error) ? error.code : String(error);
  }
};

test.each([
  ["[]", []],
  ["[ ]", []],
  ["[1]", ["1"]],
  [" [ 1 , 2 ] ", ["1", "2"]],
  ["[[1,2],[3,[4,5]],{}]", ["[1,2]", "[3,[4,5]]", "{}"]],
  ['[{"a":[1,{"b":2}],"c":3},4]', ['{"a":[1,{"b":2}],"c":3}', "4"]],
  ['["a,b","]","[","{\\"}"]', ['"a,b"', '"]"', '"["', '"{\\"}"']],
  ['["\\\\","\\"",""]', ['"\\\\"', '"\\""', '""']],
  ['["\\\\\\",",1]', ['"\\\\\\","', "1"]],
  ["[1.10,1e3,-0,null,true]", ["1.10", "1e3", "-0", "null", "true"]],
  ['{"a":[1,2]}', ['{"a":[1,2]}']],
  ['"[1,2]"', ['"[1,2]"']],
  [" 5 ", ["5"]],
])("%s has the messages %j", (text, messages) => {
  expect(split(text)).toEqual(messages);
});

test("an append has at most the maximum number of messages", () => {
  const ones = (count: number): string => JSON.stringify(Array<number>(count).fill(1));
  expect(split(ones(MAX_MESSAGES)).length).toBe(MAX_MESSAGES);
  expect(codeOf(() => split(ones(MAX_MESSAGES + 1)))).toBe("request.too-large");
});

test("text that is not JSON or not UTF-8 is refused", () => {
  for (const bad of ["", "[1,]", "{", "nul"]) expect(codeOf(() => split(bad))).toBe("request.invalid");
  expect(codeOf(() => splitMessages(Uint8Array.of(0x22, 0xff, 0x22)))).toBe("request.invalid");
});
