import { expect, test } from "bun:test";
import { isForHouse, saysNew } from "./session-words.ts";

test("only a message that consists of /new, in any case, begins a new session", () => {
  for (const text of ["/new", " /NEW ", "/new!", "/new\n"])
    expect([saysNew(text), isForHouse(text)]).toEqual([true, true]);
  for (const text of ["new", "/new topic: bikes", "say /new", "//new", "/news"]) expect(saysNew(text)).toBe(false);
});

test("stop is addressed to the house too", () => {
  expect([isForHouse("stop"), isForHouse("stop it"), saysNew("stop")]).toEqual([true, false, false]);
});
