import { expect, test } from "bun:test";
import type { ActivationInput } from "../index.ts";
import { buildSystem, systemPieces } from "./prompt.ts";

const input: ActivationInput = {
  agent: { name: "Ben", handle: "ben" },
  room: { name: "Kitchen", kind: "group" },
  house: { name: "Home", description: "  A quiet house.\n" },
  parts: [
    { name: "SOUL.md", text: "You are kind.\n" },
    { name: "prompt", text: "Be brief." },
  ],
  history: [],
  tools: [],
  maxRounds: 1,
};
const textOf = (more: Partial<ActivationInput>): string =>
  buildSystem({ ...input, ...more })
    .map(({ text }) => text)
    .join("");

test("the house's description comes after the agent's files and before its record's prompt", () => {
  expect(textOf({})).toStartWith(
    'You are kind.\n\n# The house "Home"\nA quiet house.\n\nBe brief.\n\n# Here and now\n',
  );
  expect(textOf({}).split("A quiet house.")).toHaveLength(2);
});

test("a house without a description adds nothing", () => {
  for (const house of [{ name: "Home" }, { name: "Home", description: " \n" }])
    expect(textOf({ house })).toStartWith("You are kind.\n\nBe brief.");
});

test("parts that change between turns form a separate last piece and leave the stable piece unchanged", () => {
  const memory = { name: "MEMORY.md", text: "# MEMORY.md\nAna likes tea.", stable: false } as const;
  const [prefix, changing, ...rest] = buildSystem({ ...input, parts: [...input.parts, memory] });
  expect(prefix).toEqual(buildSystem(input)[0]);
  expect([changing, rest]).toEqual([{ text: "# MEMORY.md\nAna likes tea.", stable: false }, []]);
});

test("the pieces name the part of each text, in the order of the prompt", () => {
  const parts = [...input.parts, { name: "MEMORY.md", text: "The bike is red.", stable: false as const }];
  const pieces = systemPieces({ ...input, parts });
  expect(pieces.map(({ kind, name }) => `${kind} ${name}`.trim())).toEqual([
    "part SOUL.md",
    "house",
    "part prompt",
    "rules",
    "part MEMORY.md",
  ]);
  expect(buildSystem({ ...input, parts }).map(({ text }) => text)).toEqual([
    pieces
      .slice(0, -1)
      .map(({ text }) => text)
      .join("\n\n"),
    "The bike is red.",
  ]);
});
