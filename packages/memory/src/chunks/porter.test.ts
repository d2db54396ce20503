import { expect, test } from "bun:test";
import { toStem } from "./porter.ts";

/** The examples of the paper that describes the algorithm, step by step. */
const EXAMPLES =
  "caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled motoring motor sing sing " +
  "conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss fizzed fizz failing fail " +
  "filing file happy happi sky sky relational relat conditional condit rational ration digitizer digit operator oper " +
  "feudalism feudal decisiveness decis hopefulness hope callousness callous triplicate triplic formative form formalize formal " +
  "electrical electr hopeful hope goodness good revival reviv allowance allow inference infer airliner airlin " +
  "gyroscopic gyroscop adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust dependent depend " +
  "adoption adopt communism commun activate activ homologous homolog effective effect probate probat rate rate cease ceas " +
  "controll control roll roll generalizations gener oscillators oscil yes ye flying fly";

test("words are stemmed as in the published examples", () => {
  const words = EXAMPLES.split(" ");
  for (let at = 0; at < words.length; at += 2) expect(toStem(words[at] ?? "")).toBe(words[at + 1] ?? "");
});

test("a word that is not English stays unchanged", () => {
  for (const word of ["at", "2024s", "straße", "wörter", `${"s".repeat(100)}`]) expect(toStem(word)).toBe(word);
});
