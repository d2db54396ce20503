import { expect, test } from "bun:test";
import { AgentId, EventId, SessionId, type StoredEvent } from "@hearth/protocol";
import { findNewLogins } from "./new-logins.ts";

const id = (prefix: string, count: number): string => `${prefix}_${count.toString().padStart(26, "0")}`;
const session = (count: number): SessionId => SessionId.parse(id("ses", count));
const login = (offset: number): StoredEvent => ({
  type: "session-began",
  id: EventId.parse(id("evt", offset)),
  offset,
  at: offset,
  by: AgentId.parse(id("agent", 1)),
  session: session(offset),
  about: "Firefox/1 Linux",
});
const events = [login(1), login(2), login(3), login(4)];
const sessionsIn = (shown: number | undefined, own: number | undefined) => {
  const { logins, throughOffset } = findNewLogins(events, shown, own === undefined ? undefined : session(own));
  return { sessions: logins.map(({ offset }) => offset), through: throughOffset };
};

test("logins after the last shown one are new, newest first, except the browser's own", () => {
  expect(sessionsIn(1, 3)).toEqual({ sessions: [4, 2], through: 4 });
  expect(sessionsIn(4, 3)).toEqual({ sessions: [], through: 4 });
});

test("a browser that has shown no login yet shows those after its own", () => {
  expect(sessionsIn(undefined, 2)).toEqual({ sessions: [4, 3], through: 4 });
  // Its own login is not among the events, so none of them is shown.
  expect(sessionsIn(undefined, undefined)).toEqual({ sessions: [], through: 4 });
  expect(findNewLogins([], undefined, undefined)).toEqual({ logins: [], throughOffset: 0 });
});
