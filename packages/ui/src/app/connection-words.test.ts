import { expect, test } from "bun:test";
import type { SocketState } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { type ConnectionFacts, connectionWords } from "./connection-words.ts";

const lost: SocketState = { kind: "lost", retryAt: 0 };
const say = (state: SocketState, isLong: boolean, facts: Partial<ConnectionFacts> = {}) =>
  connectionWords(state, { isLong, isOnline: true, isOutdated: false, ...facts });

test("a blip is not worth a word", () => {
  expect(say(lost, false)).toBeUndefined();
  expect(say({ kind: "connecting" }, false)).toBeUndefined();
});

test("an outage that lasts is said, with something to try", () => {
  for (const state of [lost, { kind: "connecting" }] as const)
    expect(say(state, true)).toEqual({ text: "Not connected. Trying again…", offer: "try" });
});

test("without a network the page says that nothing written is lost", () => {
  expect(say({ kind: "open" }, false, { isOnline: false })).toEqual({
    text: "You are offline. What you send is kept and goes out when you are back.",
  });
});

test("a house that refuses is quoted", () => {
  const error = new HearthError("auth.invalid", "This login is over.");
  expect(say({ kind: "refused", error }, false)).toEqual({ text: "This login is over.", offer: "try" });
});

test("an open connection says nothing", () => {
  expect(say({ kind: "open" }, true)).toBeUndefined();
});

test("a house that came back with another UI offers it, and only while it is there", () => {
  expect(say({ kind: "open" }, false, { isOutdated: true })).toEqual({
    text: "Hearth was updated. What you write is kept when you reload.",
    offer: "reload",
  });
  expect(say(lost, true, { isOutdated: true })).toMatchObject({ offer: "try" });
});
