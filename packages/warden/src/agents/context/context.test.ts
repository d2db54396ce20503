import { expect, test } from "bun:test";
import { MAX_PART_LENGTH, shorten } from "./shorten.ts";
import { stampIn } from "./stamps.ts";

test("a part that is too long keeps its head and tail, with a note on the omitted middle", () => {
  const text = `${"a".repeat(20_000)}${"z".repeat(20_000)}`;
  const short = shorten(text);
  expect(short.length).toBeLessThanOrEqual(MAX_PART_LENGTH);
  expect(short).toStartWith("a".repeat(14_000));
  expect(short).toEndWith("z".repeat(4000));
  expect(short).toContain("[… 22000 characters left out …]");
});

test("a part that fits is unchanged", () => {
  expect(shorten("x".repeat(MAX_PART_LENGTH))).toBe("x".repeat(MAX_PART_LENGTH));
});

test("an instant is written in its zone, across the change to summer time", () => {
  expect(stampIn("Europe/Berlin")(Date.UTC(2026, 2, 29, 0, 59))).toBe("Sun 2026-03-29 01:59 Europe/Berlin");
  expect(stampIn("Europe/Berlin")(Date.UTC(2026, 2, 29, 1, 0))).toBe("Sun 2026-03-29 03:00 Europe/Berlin");
  expect(stampIn("UTC")(Date.UTC(2026, 0, 1))).toBe("Thu 2026-01-01 00:00 UTC");
});
