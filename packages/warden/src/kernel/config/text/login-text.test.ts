import { expect, test } from "bun:test";
import { parseConfig } from "../read.ts";

const read = (text: string) => parseConfig(`version = 1\n${text}`, "hearth.toml").config.login;

test("sessions last for the days and minutes of the table", () => {
  expect(read("[login]\nsession_days = 2\nidle_minutes = 15")).toEqual({ sessionMs: 172_800_000, idleMs: 900_000 });
  for (const text of ["session_days = 0", "session_days = 366", "idle_minutes = 14", "idle_minutes = 525601"])
    expect(() => read(`[login]\n${text}`)).toThrow(/must be a whole number of .* line 3$/);
});
