import { expect, test } from "bun:test";
import { isForHouse, isNewCommand } from "./session-words.ts";

test("only a message that consists of /new, in any case, begins a new session", () => {
  for (const text of ["/new", " /NEW ", "/new!", "/new\n"])
    expect([isNewCommand(text), isForHouse(text)]).toEqual([true, true]);
  for (const text of ["new", "/new topic: bikes", "say /new", "//new", "/news"]) expect(isNewCommand(text)).toBe(false);
});

test("stop is addressed to the house too", () => {
  expect([isForHouse("stop"), isForHouse("stop it"), isNewCommand("stop")]).toEqual([true, false, false]);
});
