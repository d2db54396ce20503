import { expect, test } from "bun:test";
import { createTestDisk, openTestHouse } from "../../fixtures/house.ts";
import { resultsIn } from "../../fixtures/talk.ts";
import { declareExternal, type ExternalDeclaration, withExternalTools } from "./external-tools.ts";
import type { ExternalTools } from "./tool.ts";

const weigh: ExternalDeclaration = {
  name: "weigh",
  description: "Weigh something.",
  schema: {
    type: "object",
    properties: { thing: { type: "string" }, unit: { type: ["string", "null"] } },
    required: ["thing"],
  },
  ...{ effect: "pure", sinks: [], level: "r", needs: "person", timeoutMs: 5000 },
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
};
const asTable = (declaration: ExternalDeclaration, name = declaration.name): ExternalTools => ({
  [name]: {
    declaration: declareExternal(declaration),
    run: async ({ thing }) => ({ text: `${String(thing)} weighs 3`, failed: false }),
  },
});

test("an external tool is listed, offered, validated by its schema, run, and labelled by its traits", async () => {
  using disk = createTestDisk();
  const labels: string[] = [];
  await using house = await openTestHouse({
    disk,
    further: asTable(weigh),
    stages: {
      audit: (effect) => {
        if (effect.kind === "tool") labels.push(effect.taint.label.integrity);
        return { verdict: "allowed" };
      },
    },
    script: [
      { toolCalls: [{ id: "1", name: "weigh", input: { weight: 3 } }] },
      { toolCalls: [{ id: "2", name: "weigh", input: { thing: "a cat" } }] },
      { toolCalls: [{ id: "3", name: "weigh", input: { thing: "a dog" } }] },
      { text: "done" },
    ],
  });
  expect((await house.ask("PATCH", "/api/agents/main", { content: { tools: ["weigh"] } })).status).toBe(200);
  await house.post("weigh the cat");
  await house.until(2);
  expect(house.model.requests[0]?.tools).toMatchObject([{ name: "weigh", inputSchema: { required: ["thing"] } }]);
  expect(resultsIn(house.model.requests.at(-1) ?? ({ system: [], messages: [] } as never))).toMatchObject([
    { text: expect.stringContaining('"thing" is missing'), failed: true },
    { text: "a cat weighs 3", failed: false },
    { text: "a dog weighs 3", failed: false },
  ]);
  expect(labels).toEqual(["owner", "untrusted"]);
});

test("an external tool is not offered unless a person lists it", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, further: asTable(weigh), script: [{ text: "hi" }] });
  await house.post("hi");
  await house.until(2);
  expect(house.model.requests[0]?.tools.map(({ name }) => name)).not.toContain("weigh");
});

test("an external tool with an invalid schema, name or sink is rejected with a message", () => {
  for (const schema of [{ type: "string" }, { type: "object", properties: { a: { $ref: "#/nowhere" } } }])
    expect(() => declareExternal({ ...weigh, schema })).toThrow('the tool "weigh" was not added.');
  expect(() => declareExternal({ ...weigh, sinks: ["place"] })).toThrow('It has no field "place"');
  expect(() => withExternalTools(asTable({ ...weigh, name: "read" }))).toThrow("A built-in tool has its name");
  for (const name of ["we igh", "", "1", "a".repeat(65)])
    expect(() => withExternalTools(asTable({ ...weigh, name }))).toThrow("Its name is not one that models can call");
  expect(() => withExternalTools(asTable(weigh, "other"))).toThrow("Its name is not");
});
