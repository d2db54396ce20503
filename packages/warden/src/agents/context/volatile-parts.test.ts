import { expect, test } from "bun:test";
import type { ContextPart } from "./parts.ts";
import { HEARTBEAT_PART } from "./parts.ts";
import { toVolatileMessages } from "./volatile-parts.ts";

const here = "act_00000000000000000000000001";
const elsewhere = "act_00000000000000000000000002";
const part = (text: string, more: Partial<ContextPart> = {}): ContextPart => ({
  name: "memory/2026-01-01.md",
  text,
  place: "late",
  ...more,
});

test("a log leaves out the answers that the session contains, and keeps the rest", () => {
  const kept = [
    `- 14:05 Ana → “yes (${here})” (${elsewhere})`,
    `- 14:06 Ana → “done”, write (${here})`,
    "- my own note",
    `a note that names a turn (${here})`,
  ];
  const [message] = toVolatileMessages(
    [part([`- 14:04 Ana → “hello” (${here})`, ...kept].join("\n"))],
    new Set([here]),
  );
  expect(message?.text.split("\n")).toEqual(kept);
  expect(message?.note).toContain("memory/2026-01-01.md");
});

test("a log without other lines is left out", () => {
  expect(toVolatileMessages([part(`- 14:04 Ana → “hello” (${here})`)], new Set([here]))).toEqual([]);
});

test("stable parts are left out, and a heartbeat's list is unchanged", () => {
  const line = `- 14:04 Ana → “hello” (${here})`;
  const parts = [part(line, { name: HEARTBEAT_PART }), part("stable", { place: "prefix" })];
  expect(toVolatileMessages(parts, new Set([here])).map(({ text }) => text)).toEqual([line]);
});
