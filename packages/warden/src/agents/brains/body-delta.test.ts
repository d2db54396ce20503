import { expect, test } from "bun:test";
import fc from "fast-check";
import { applyDelta, toDelta } from "./body-delta.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "\n", "é", "😀", "\ud83d"), { maxLength: 30 })
  .map((parts) => parts.join(""));

test("a text is its base and the difference to it", () => {
  fc.assert(fc.property(text, text, (base, wanted) => expect(applyDelta(base, toDelta(base, wanted))).toBe(wanted)));
});

test("an appended line, a changed line and a removed line are as long as the line", () => {
  const base = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join("");
  for (const wanted of [`${base}one more\n`, base.replace("line 500\n", "other 500\n"), base.replace("line 500\n", "")])
    expect(toDelta(base, wanted).length).toBeLessThan(40);
});

test("an emoji that is split between base and difference is whole again", () => {
  const delta = toDelta("a😀", "a😃");
  expect(delta).toBe('[2,0,"\\ude03"]');
  expect(applyDelta("a😀", delta)).toBe("a😃");
});

test.each(["", "{}", "[]", "[1,2]", '[0,0,""', '["0",0,""]', "[0,0,1]", '[-1,0,""]', '[0.5,0,""]', '[3,3,""]'])(
  "%s is no difference to a text of five characters",
  (delta) => {
    expect(applyDelta("abcde", delta)).toBeUndefined();
  },
);
