import { expect, test } from "bun:test";
import { isForHouse, saysNew } from "./session-words.ts";

test("a new session is begun by the whole message, however it is written, and by no message that says more", () => {
  for (const text of ["/new", " /NEW ", "/new!", "/new\n"])
    expect([saysNew(text), isForHouse(text)]).toEqual([true, true]);
  for (const text of ["new", "/new topic: bikes", "say /new", "//new", "/news"]) expect(saysNew(text)).toBe(false);
});

test("stop is for the house as well", () => {
  expect([isForHouse("stop"), isForHouse("stop it"), saysNew("stop")]).toEqual([true, false, false]);
});
