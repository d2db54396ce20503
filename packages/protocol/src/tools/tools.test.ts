import { expect, test } from "bun:test";
import { z } from "zod";
import { capOutput, declareTool, findTool, isToolName, toOffer, tools } from "./index.ts";

test("every tool stands in the table under its own name and has a time limit", () => {
  for (const [name, tool] of Object.entries(tools)) {
    expect(tool.name).toBe(name);
    expect(tool.timeoutMs).toBeGreaterThan(0);
  }
});

test("only the tool that leaves the walls acts, and it needs a person's word and names its sink", () => {
  const acting = Object.values(tools).filter((tool) => tool.traits.acts);
  expect(acting).toEqual([tools.shell]);
  expect(tools.shell).toMatchObject({ needs: "person", sinks: ["command"], effect: "plain" });
});

test("a sink is a field of the tool's input", () => {
  for (const tool of Object.values(tools)) {
    for (const sink of tool.sinks) expect(Object.keys(tool.input.shape)).toContain(sink);
  }
});

test("a tool that changes a file is never taken for one that changes nothing", () => {
  expect(
    Object.values(tools)
      .filter((tool) => tool.effect !== "pure")
      .map((tool) => tool.name),
  ).toEqual(["write", "edit", "shell"]);
});

test("all offers together stay small enough to send with every request", () => {
  // About 490 tokens of o200k; letters stand in for them here, the figure itself is measured in bench.
  expect(JSON.stringify(Object.values(tools).map(toOffer)).length).toBeLessThan(2_300);
});

test("an offer leaves out bounds and schema noise, but no property of that name", () => {
  const tool = declareTool({
    ...tools.read,
    input: z.strictObject({
      minimum: z.int().min(1).describe("least"),
      parts: z.array(z.strictObject({ additionalProperties: z.string().max(9) })).optional(),
    }),
  });
  expect(toOffer(tool).inputSchema).toEqual({
    type: "object",
    properties: {
      minimum: { type: "integer", description: "least" },
      parts: {
        type: "array",
        items: {
          type: "object",
          properties: { additionalProperties: { type: "string" } },
          required: ["additionalProperties"],
        },
      },
    },
    required: ["minimum"],
  });
});

test("a name that every object has is no tool", () => {
  expect(findTool(tools, "read")).toBe(tools.read);
  for (const name of ["constructor", "toString", "__proto__", "Read", ""]) {
    expect(findTool(tools, name)).toBeUndefined();
    expect(isToolName(name)).toBe(false);
  }
});

test("a long output keeps its head, says what is gone and never ends in half a character", () => {
  expect(capOutput("abc", 3)).toBe("abc");
  expect(capOutput("abcdef", 3)).toBe("abc\n[cut: 3 of 6 characters]");
  expect(capOutput("a😀b", 2).isWellFormed()).toBe(true);
});
