/** A reply that streams out piece by piece: nothing of a word leaves before the word is whole. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { OWN } from "@hearth/protocol";
import { createRedaction } from "../secrets/redaction.ts";
import { createTurnTaint } from "../taint/turn-taint.ts";
import { createLeakScan } from "./leak-scan.ts";
import { createOutgoingPieces } from "./outgoing.ts";

const setUp = () => {
  const taint = createTurnTaint();
  taint.take({ text: "a stranger's page", label: { ...OWN, integrity: "untrusted", sources: ["page"] } });
  return createOutgoingPieces(taint, createLeakScan(createRedaction()));
};

test("a link that comes in pieces is held until it ends, and leads nowhere then", () => {
  const pieces = setUp();
  expect(pieces.push("https://evil.exa")).toBe("");
  expect(pieces.push("mple/x")).toBe("");
  expect(pieces.push(" said")).not.toContain("https://evil.example");
  expect(pieces.end()).toBe("said");
  expect(pieces.end()).toBe("");
});

test("whole words leave at once, with the space or the line after them", () => {
  const pieces = setUp();
  expect(pieces.push("one two")).toBe("one ");
  expect(pieces.push(" three\nfour")).toBe("two three\n");
  expect(pieces.end()).toBe("four");
});

test("however a text is cut, its pieces are together what it is in one piece", () => {
  const word = fc.constantFrom(
    "plain",
    "https://evil.example/x",
    "[a](https://evil.example)",
    "evil.example",
    "",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (words, cuts) => {
      const text = words.join(" ");
      const whole = setUp();
      const expected = whole.push(`${text} `) + whole.end();
      const pieces = setUp();
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((one, other) => one - other)];
      const said = places.map((place, index) => pieces.push(text.slice(place, places[index + 1] ?? text.length)));
      expect(said.join("") + pieces.push(" ") + pieces.end()).toBe(expected);
    }),
  );
});
