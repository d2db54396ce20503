import { expect, test } from "bun:test";
import { changeHeartbeat, type heartbeatFlags, describeHeartbeat } from "./heartbeat-flags.ts";

type Given = Partial<Record<keyof typeof heartbeatFlags, string>>;
const change = (given: Given, present?: Parameters<typeof changeHeartbeat>[1]) =>
  changeHeartbeat(given as Parameters<typeof changeHeartbeat>[0], present);

test("each flag changes its own part; an empty text removes it", () => {
  const whole = change({
    heartbeat: "30m",
    "heartbeat-hours": "08:00-22:00",
    "heartbeat-budget": "0.50,100000t",
    "heartbeat-room": "kitchen",
    "heartbeat-always": "on",
  }).heartbeat;
  expect(whole).toEqual({
    every: "30m",
    hours: { from: "08:00", to: "22:00" },
    budget: { money: 500_000, tokens: 100_000 },
    room: "kitchen",
    always: true,
  });
  const present = whole ?? undefined;
  expect(change({ heartbeat: "2h", "heartbeat-hours": "", "heartbeat-always": "off" }, present)).toEqual({
    heartbeat: { every: "2h", budget: { money: 500_000, tokens: 100_000 }, room: "kitchen" },
  });
  expect(change({ heartbeat: "" }, present)).toEqual({ heartbeat: null });
  expect(change({}, present)).toEqual({});
  expect(describeHeartbeat(present)).toBe(
    "every 30m, 08:00 to 22:00, at most 0.50 USD and 100000 tokens a day, in kitchen, also when nothing is new",
  );
  expect(describeHeartbeat(undefined)).toBeUndefined();
});

test("invalid heartbeats are refused with an explanation", () => {
  expect(() => change({ "heartbeat-room": "kitchen" })).toThrow("The agent has no heartbeat");
  expect(() => change({ heartbeat: "1h", "heartbeat-hours": "morning" })).toThrow("takes two times of the day");
  expect(() => change({ heartbeat: "1h", "heartbeat-budget": "much" })).toThrow("--heartbeat-budget takes dollars");
});
