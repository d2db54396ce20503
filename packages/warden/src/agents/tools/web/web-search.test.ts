import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createFakeSearch } from "../../search/fake.ts";
import type { HostCall } from "../call.ts";

import { webSearch } from "./web-search.ts";

const call = {
  activation: { id: "a" },
  agent: { id: "b" },
  signal: new AbortController().signal,
} as unknown as HostCall;
const pages = Array.from({ length: 12 }, (_, at) => ({
  title: `Bike ${at}`,
  url: `https://example.com/${at}`,
  text: at === 0 ? "" : "red",
}));
const run = (input: { readonly query: string; readonly limit?: number }) =>
  webSearch(input, call, { search: () => createFakeSearch(pages) });

test("results are numbered, eight by default, and labelled untrusted", async () => {
  const { text, failed, label } = await run({ query: "bike" });
  expect(text.split("\n\n").slice(0, 2)).toEqual([
    "1. Bike 0\nhttps://example.com/0",
    "2. Bike 1\nhttps://example.com/1\nred",
  ]);
  expect([text.split("\n\n").length, failed, label]).toEqual([
    8,
    false,
    { integrity: "untrusted", readers: "anyone", sources: ["web search"] },
  ]);
  expect((await run({ query: "bike", limit: 12 })).text.split("\n\n").length).toBe(12);
});

test("an empty result and a missing engine give a message", async () => {
  expect((await run({ query: "moon" })).text).toBe("Nothing was found.");
  const none = (): never => {
    throw new HearthError("search.none", "None here.", { hint: "Name one." });
  };
  expect(await webSearch({ query: "x" }, call, { search: none })).toEqual({
    text: "None here. Name one.",
    failed: true,
  });
});
