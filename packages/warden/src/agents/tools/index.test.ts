import { expect, test } from "bun:test";
import { type HostToolName, tools } from "@hearth/protocol/tools";
import { createHostTools, hostTools } from "./index.ts";
import type { HostParts, RunHostTool } from "./tool.ts";

type Table = { readonly [Name in HostToolName]: RunHostTool<Name> };

test("every tool that is declared to run on the host has what runs it, and nothing else has", () => {
  const declared = Object.values(tools).flatMap(({ name, runs }) => (runs === "host" ? [name] : []));
  expect(Object.keys(hostTools)).toEqual(declared);
});

test("a declaration without an implementation does not compile, nor one without a declaration", () => {
  const { delegate, ...rest } = hostTools;
  // @ts-expect-error `delegate` is missing.
  const without: Table = rest;
  // @ts-expect-error the host has no tool `read`.
  const more = { ...hostTools, read: delegate } satisfies Table;
  expect(["delegate" in without, "read" in more]).toEqual([false, true]);
});

test("an input that does not fit is told in words, and nothing is asked of the house", async () => {
  const run = createHostTools({} as HostParts).run;
  expect(await run("send_to_agent", { agent: "a" }, {} as never)).toEqual({
    text: 'send_to_agent cannot be called so: "text" is missing. Its fields: agent, text.',
    failed: true,
  });
});
