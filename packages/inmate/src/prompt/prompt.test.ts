import { expect, test } from "bun:test";
import type { ActivationInput } from "@hearth/protocol";
import { buildSystem } from "./prompt.ts";

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

test("what the house says of itself comes after the agent's files and before what its record adds, which may say otherwise", () => {
  expect(textOf({})).toStartWith(
    'You are kind.\n\n# The house "Home"\nA quiet house.\n\nBe brief.\n\n# Here and now\n',
  );
  expect(textOf({}).split("A quiet house.")).toHaveLength(2);
});

test("a house that says nothing takes no words", () => {
  for (const house of [{ name: "Home" }, { name: "Home", description: " \n" }])
    expect(textOf({ house })).toStartWith("You are kind.\n\nBe brief.");
});

test("what changes between turns is a piece of its own after all that does not, and leaves that as it was", () => {
  const memory = { name: "MEMORY.md", text: "# MEMORY.md\nAna likes tea.", stable: false } as const;
  const [prefix, changing, ...rest] = buildSystem({ ...input, parts: [...input.parts, memory] });
  expect(prefix).toEqual(buildSystem(input)[0]);
  expect([changing, rest]).toEqual([{ text: "# MEMORY.md\nAna likes tea.", stable: false }, []]);
});
