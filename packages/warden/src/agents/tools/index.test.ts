import { expect, test } from "bun:test";
import { type HostToolName, tools } from "@hearth/protocol/tools";
import { createHostTools, hostTools } from "./index.ts";
import type { HostParts, RunHostTool } from "./tool.ts";

type Table = { readonly [Name in HostToolName]: RunHostTool<Name> };

test("exactly the tools declared to run on the host have an implementation", () => {
  const declared = Object.values(tools).flatMap(({ name, runs }) => (runs === "host" ? [name] : []));
  expect(Object.keys(hostTools)).toEqual(declared);
});

test("a declaration without an implementation does not compile, nor an implementation without a declaration", () => {
  const { delegate, ...rest } = hostTools;
  // @ts-expect-error `delegate` is missing.
  const without: Table = rest;
  // @ts-expect-error the host has no tool `read`.
  const more = { ...hostTools, read: delegate } satisfies Table;
  expect(["delegate" in without, "read" in more]).toEqual([false, true]);
});

test("an invalid input gives a message, and the tool does not run", async () => {
  const run = createHostTools({} as HostParts).run;
  expect(await run("send_to_agent", { agent: "a" }, {} as never)).toEqual({
    text: 'Invalid input for send_to_agent: "text" is missing. Its fields: agent, text.',
    failed: true,
  });
});
