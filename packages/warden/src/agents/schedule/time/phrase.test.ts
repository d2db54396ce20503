import { expect, test } from "bun:test";
import { readPhrase } from "./phrase.ts";

const ZONE = "Europe/Berlin";
/** A Thursday, ten in the morning local time. */
const NOW = Date.UTC(2026, 0, 15, 9);

test("a recurring phrase becomes an expression or an interval", () => {
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
    ["every two weeks", { every: "2w" }],
    ["every half hour", { every: "30m" }],
    ["each quarter of an hour", { every: "15m" }],
    ["every day at 9am and 5pm", { cron: "0 9,17 * * *" }],
    ["every day at 8:30, 12:30 and 18:30", { cron: "30 8,12,18 * * *" }],
    ["every day at 5 o'clock", { cron: "0 5 * * *" }],
    ["every weekday morning", { cron: "0 9 * * 1-5" }],
    ["every sunday evening at 8", { cron: "0 20 * * 0" }],
    ["every night", { cron: "0 22 * * *" }],
    ["every night at 11", { cron: "0 23 * * *" }],
    ["every night at 2", { cron: "0 2 * * *" }],
    ["every night at 12", { cron: "0 0 * * *" }],
    ["every monday to friday at 9", { cron: "0 9 * * 1-5" }],
    ["every fri-sun", { cron: "0 9 * * 0,5,6" }],
    ["weekdays at 9", { cron: "0 9 * * 1-5" }],
    ["on weekends at 10", { cron: "0 10 * * 0,6" }],
    ["on sundays at 20:00", { cron: "0 20 * * 0" }],
    ["monthly", { cron: "0 9 1 * *" }],
    ["the first of every month", { cron: "0 9 1 * *" }],
    ["on the 15th of each month at noon", { cron: "0 12 15 * *" }],
    ["the last day of the month at 17:00", { cron: "0 17 L * *" }],
  ] as const)
    expect([phrase, readPhrase(phrase, NOW, ZONE)]).toEqual([phrase, times]);
});

test("a one-time phrase becomes an instant, in the zone's local time", () => {
  for (const [phrase, once] of [
    ["in 20 minutes", "2026-01-15T09:20:00.000Z"],
    ["tomorrow at 18:00", "2026-01-16T17:00:00.000Z"],
    ["tomorrow at 9am", "2026-01-16T08:00:00.000Z"],
    ["2026-07-01 at 9:00", "2026-07-01T07:00:00.000Z"],
    ["at 11", "2026-01-15T10:00:00.000Z"],
    ["at noon", "2026-01-15T11:00:00.000Z"],
    ["on july 1 at 9:00", "2026-07-01T07:00:00.000Z"],
    // Across a forward clock change.
    ["in 90 days at 9:00", "2026-04-15T07:00:00.000Z"],
  ] as const)
    expect([phrase, readPhrase(phrase, NOW, ZONE)]).toEqual([phrase, { once }]);
});

test("without a time of day, a one-time phrase uses the default of the recurring one", () => {
  for (const [phrase, once] of [
    ["tomorrow", "2026-01-16T08:00:00.000Z"],
    ["tomorrow morning", "2026-01-16T08:00:00.000Z"],
    ["tomorrow afternoon", "2026-01-16T14:00:00.000Z"],
    ["this evening", "2026-01-15T17:00:00.000Z"],
    ["tonight", "2026-01-15T21:00:00.000Z"],
    ["friday", "2026-01-16T08:00:00.000Z"],
    // It is already ten o'clock on this Thursday.
    ["thursday", "2026-01-22T08:00:00.000Z"],
  ] as const)
    expect([phrase, readPhrase(phrase, NOW, ZONE)]).toEqual([phrase, { once }]);
});

test("a span has its stated length, also across a forward clock change", () => {
  expect(readPhrase("in 3 hours", Date.UTC(2026, 2, 29, 0), ZONE)).toEqual({ once: "2026-03-29T03:00:00.000Z" });
});

test("a phrase that is not understood completely is refused, and so is a past time", () => {
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
    "every night at noon",
    "every day at 9:00 and 17:30",
    "every other day",
    "every zero hours",
    "every day at 9 and then",
    "every monday to someday",
    "every first monday of the month",
    "the 32nd of every month",
    "weekdays or so",
    "this morning",
    "today at 9",
  ])
    expect(() => readPhrase(phrase, NOW, ZONE)).toThrow("is not a time that Hearth understands");
});
