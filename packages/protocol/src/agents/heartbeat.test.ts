import { expect, test } from "bun:test";
import { Heartbeat, isEmptyHeartbeat, isHeartbeatPrompt } from "./heartbeat.ts";

test("`isEmptyHeartbeat` is true for an empty answer and for HEARTBEAT_OK alone", () => {
  for (const text of ["", " \n", "HEARTBEAT_OK", "`HEARTBEAT_OK`", "**HEARTBEAT_OK**.\n", '"HEARTBEAT_OK"'])
    expect([text, isEmptyHeartbeat(text)]).toEqual([text, true]);
  for (const text of [
    "HEARTBEAT_OK, but the post is here",
    "The post is here.",
    "heartbeat_ok",
    "HEARTBEAT_OKAY",
    "no",
  ])
    expect([text, isEmptyHeartbeat(text)]).toEqual([text, false]);
});

test("only a message of the job `heartbeat` is the prompt of a heartbeat", () => {
  expect([{ job: { name: "heartbeat" } }, { job: { name: "report" } }, {}].map(isHeartbeatPrompt)).toEqual([
    true,
    false,
    false,
  ]);
});

test("active hours may end at midnight and may span midnight", () => {
  const of = (from: string, to: string) => Heartbeat.safeParse({ every: "30m", hours: { from, to } }).success;
  expect([of("08:00", "24:00"), of("22:00", "06:00"), of("00:00", "23:59")]).toEqual([true, true, true]);
  expect([of("24:00", "08:00"), of("8:00", "22:00"), of("08:00", "08:00"), of("08:60", "09:00")]).toEqual(
    Array(4).fill(false),
  );
});
