import { expect, test } from "bun:test";
import { readPhrase } from "./phrase.ts";

const ZONE = "Europe/Berlin";
/** A Thursday, ten in the morning there. */
const NOW = Date.UTC(2026, 0, 15, 9);

test("what comes again is an expression or an interval", () => {
  for (const [phrase, times] of [
    ["every weekday at 9", { cron: "0 9 * * 1-5" }],
    ["Every day at 17:30", { cron: "30 17 * * *" }],
    ["daily at 7am", { cron: "0 7 * * *" }],
    ["every day at 12am", { cron: "0 0 * * *" }],
    ["every monday and thursday at 8 pm", { cron: "0 20 * * 1,4" }],
    ["every sat, sun at noon", { cron: "0 12 * * 0,6" }],
    ["every monday", { cron: "0 9 * * 1" }],
    ["every month on the 1st at midnight", { cron: "0 0 1 * *" }],
    ["every 15 minutes", { every: "15m" }],
    ["every hour", { every: "1h" }],
    ["every 2 days", { every: "2d" }],
    ["every minute", { every: "1m" }],
    ["every morning", { cron: "0 9 * * *" }],
    ["every morning at nine", { cron: "0 9 * * *" }],
    ["every afternoon at 3", { cron: "0 15 * * *" }],
    ["every evening at 8:30", { cron: "30 20 * * *" }],
    ["every evening at 20:30", { cron: "30 20 * * *" }],
    ["every monday at seven", { cron: "0 7 * * 1" }],
  ] as const)
    expect([phrase, readPhrase(phrase, NOW, ZONE)]).toEqual([phrase, times]);
});

test("what comes once is an instant, by the walls of the zone", () => {
  for (const [phrase, once] of [
    ["in 20 minutes", "2026-01-15T09:20:00.000Z"],
    ["tomorrow at 18:00", "2026-01-16T17:00:00.000Z"],
    ["tomorrow at 9am", "2026-01-16T08:00:00.000Z"],
    ["2026-07-01 at 9:00", "2026-07-01T07:00:00.000Z"],
  ] as const)
    expect([phrase, readPhrase(phrase, NOW, ZONE)]).toEqual([phrase, { once }]);
});

test("a span is as long as it says, also when the clock is put forward meanwhile", () => {
  expect(readPhrase("in 3 hours", Date.UTC(2026, 2, 29, 0), ZONE)).toEqual({ once: "2026-03-29T03:00:00.000Z" });
});

test("what is not understood whole is refused, and so is what has passed", () => {
  for (const phrase of [
    "",
    "soon",
    "every",
    "every day at 25",
    "every blue moon",
    "tomorrow at 9 or so",
    "yesterday at 9",
    "every monday at 9 in May",
    "every morning at 12",
    "every morning at 9pm",
    "every evening at noon",
    "every evening at 12",
  ])
    expect(() => readPhrase(phrase, NOW, ZONE)).toThrow("is no time that is understood");
});
