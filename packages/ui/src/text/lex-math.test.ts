import { expect, test } from "bun:test";
import { lexBlocks, type Piece, piecesOf } from "./lex.ts";
import { MAX_FORMULAS } from "./lex-math.ts";

const formulasIn = (pieces: readonly Piece[]): readonly string[] =>
  pieces.flatMap((piece) => {
    if (piece.type === "formula") return [`${piece.isDisplay ? "display" : "inline"} ${piece.tex}`];
    if (piece.type === "list") return piece.items.flatMap(({ tokens }) => formulasIn(piecesOf(tokens)));
    return "tokens" in piece ? formulasIn(piecesOf(piece.tokens)) : [];
  });
const read = (text: string): readonly string[] => formulasIn(lexBlocks(text));

test.each([
  ["The area is $\\pi r^2$.", ["inline \\pi r^2"]],
  ["$a$ and $b$", ["inline a", "inline b"]],
  ["$5$ apples", ["inline 5"]],
  ["$x_1 * y_1$ and *$z_2$*", ["inline x_1 * y_1", "inline z_2"]],
  ["Set $\\{1, 2\\}$ has \\(n\\) members: \\[n = 2\\]", ["inline \\{1, 2\\}", "inline n", "display n = 2"]],
  ["so $$E = mc^2$$ holds", ["display E = mc^2"]],
  ["$$\n\\int_0^1 x\\,dx\n= \\frac12\n$$", ["display \\int_0^1 x\\,dx\n= \\frac12"]],
  ["Then\n\\[\na^2 + b^2\n\\]\nand more", ["display a^2 + b^2"]],
  ["- $a$\n- **$b$**", ["inline a", "inline b"]],
  ["costs \\$5, or $2^{10}$ bytes", ["inline 2^{10}"]],
])("%j has the formulas %j", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  "It costs $5 and $6.",
  "It costs $5-$6, or US$7 and CA$8.",
  "From $5 to 10$ a month",
  "Between $1.50 and US$2",
  "$5/$10 per seat, $1,000 – $2,000 per year",
  "5$ and 6$",
  "A budget of $5k is $3k less than $8k.",
  "$ 5 and $ 6",
  "`$a$` and \\$a\\$",
  "```sh\necho $HOME $PATH\n```",
  "the variables $HOME and $PATH",
  "$$",
  "$$ $$",
  "$unfinished",
])("%j has no formula", (text) => {
  expect(read(text)).toEqual([]);
});

test("a text has a limited number of formulas, and long ones are text", () => {
  expect(read("$a$ ".repeat(MAX_FORMULAS + 50)).length).toBe(MAX_FORMULAS);
  expect(read(`$${"a".repeat(2000)}$`)).toEqual([]);
});

test.each(["$", "$a ", "\\(", "\\[\n", "$$a\n"])("many repetitions of %j are text", (text) => {
  expect(read(text.repeat(3000))).toEqual([]);
});
