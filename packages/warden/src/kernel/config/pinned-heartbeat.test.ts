import { expect, test } from "bun:test";
import { type HearthError, isHearthError } from "@hearth/protocol";
import { parseConfig } from "./read.ts";

const parse = (lines: string) =>
  parseConfig(`version = 1\n[agents.main.heartbeat]\n${lines}`, "hearth.toml").config.agents.get("main")?.heartbeat;

const refusal = (lines: string): HearthError => {
  try {
    parse(lines);
  } catch (error) {
    if (isHearthError(error, "config.invalid")) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

test("a heartbeat in the config equals that of the record, with money in dollars", () => {
  expect(parse('every = "30m"')).toEqual({ every: "30m" });
  expect(
    parse('every = "2h"\nhours = { from = "22:00", to = "06:00" }\nbudget = 0.5\nbudget_tokens = 10\nalways = true'),
  ).toEqual({
    ...{ every: "2h", hours: { from: "22:00", to: "06:00" }, always: true },
    budget: { money: 500_000, tokens: 10 },
  });
});

test("an invalid value and an unknown key are refused with their line", () => {
  expect(refusal('every = "often"').message).toBe(
    "agents.main.heartbeat.every is not an interval such as 30m, 2h or 1d; hearth.toml line 3",
  );
  expect(refusal('every = "1h"\nhours = { from = "8", to = "22:00" }').message).toBe(
    'agents.main.heartbeat.hours.from must be a time of day such as "08:00"; hearth.toml line 4',
  );
  expect(refusal('every = "1h"\nbudget = "much"').message).toContain(
    "agents.main.heartbeat.budget must be a number of dollars",
  );
  expect(refusal('every = "1h"\nbuget = 1').hint).toContain('Did you mean "budget"?');
});
