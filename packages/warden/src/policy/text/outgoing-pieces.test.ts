/** A reply that streams in pieces: a word is sent only once it is complete. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { OWNER_LABEL } from "@hearth/protocol";
import { createRedaction } from "../secrets/redaction.ts";
import { createTurnTaint } from "../taint/turn-taint.ts";
import { createLeakScan } from "./leak-scan.ts";
import { createOutgoingStream } from "./outgoing.ts";

const setUp = () => {
  const taint = createTurnTaint();
  taint.add({ text: "a stranger's page", label: { ...OWNER_LABEL, integrity: "untrusted", sources: ["page"] } });
  return createOutgoingStream(taint, createLeakScan(createRedaction()));
};

test("a link that arrives in pieces is held back until it ends, and is disarmed then", () => {
  const pieces = setUp();
  expect(pieces.push("https://evil.exa")).toBe("");
  expect(pieces.push("mple/x")).toBe("");
  expect(pieces.push(" said")).not.toContain("https://evil.example");
  expect(pieces.end()).toBe("said");
  expect(pieces.end()).toBe("");
});

test("complete words are sent at once, with the space or line end after them", () => {
  const pieces = setUp();
  expect(pieces.push("one two")).toBe("one ");
  expect(pieces.push(" three\nfour")).toBe("two three\n");
  expect(pieces.end()).toBe("four");
});

test("however a text is split, its pieces together equal the result for the whole text", () => {
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
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b)];
      const said = places.map((place, index) => pieces.push(text.slice(place, places[index + 1] ?? text.length)));
      expect(said.join("") + pieces.push(" ") + pieces.end()).toBe(expected);
    }),
  );
});
