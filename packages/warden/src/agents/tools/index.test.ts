import { expect, test } from "bun:test";
import { type HostToolName, tools } from "@hearth/protocol/tools";
import { createHostTools, createImplementations, type HostToolsOptions } from "./index.ts";
import type { BoundTools } from "./tool.ts";

/** Areas without parts, for what happens before a tool runs. */
const noAreas = {
  kernel: {},
  people: { permissions: {} },
  models: {},
  policy: { chokePoint: {} },
  cells: {},
  agents: { memories: {}, session: {}, schedule: {}, externalTools: {} },
} as unknown as HostToolsOptions;

test("exactly the tools declared to run on the host have an implementation", () => {
  const declared = Object.values(tools).flatMap(({ name, runs }) => (runs === "host" ? [name] : []));
  expect(Object.keys(createImplementations(noAreas)).toSorted()).toEqual(declared.toSorted());
});

test("a declaration without an implementation does not compile", () => {
  const { delegate, ...rest } = createImplementations(noAreas);
  // @ts-expect-error `delegate` is missing.
  const without: BoundTools<HostToolName> = rest;
  expect(["delegate" in without, typeof delegate]).toEqual([false, "function"]);
});

test("an invalid input gives a message, and the tool does not run", async () => {
  expect(await createHostTools(noAreas).run("send_to_agent", { agent: "a" }, {} as never)).toEqual({
    text: 'Invalid input for send_to_agent: "text" is missing. Its fields: agent, text.',
    failed: true,
  });
});
