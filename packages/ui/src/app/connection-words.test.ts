import { expect, test } from "bun:test";
import type { SocketState } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { type ConnectionFacts, connectionWords } from "./connection-words.ts";

const lost: SocketState = { kind: "lost", retryAt: 0 };
const say = (state: SocketState, isLong: boolean, facts: Partial<ConnectionFacts> = {}) =>
  connectionWords(state, { isLong, isOnline: true, isOutdated: false, ...facts });

test("a brief interruption is not shown", () => {
  expect(say(lost, false)).toBeUndefined();
  expect(say({ kind: "connecting" }, false)).toBeUndefined();
});

test("a long interruption shows a retry button", () => {
  for (const state of [lost, { kind: "connecting" }] as const)
    expect(say(state, true)).toEqual({ text: "Not connected. Reconnecting…", offer: "try" });
});

test("an offline browser shows that drafts are safe", () => {
  expect(say({ kind: "open" }, false, { isOnline: false })).toEqual({
    text: "You are offline. Your messages are sent when you are online again.",
  });
});

test("an error of the house is shown", () => {
  const error = new HearthError("auth.invalid", "This login is over.");
  expect(say({ kind: "refused", error }, false)).toEqual({ text: "This login is over.", offer: "try" });
});

test("an open connection shows nothing", () => {
  expect(say({ kind: "open" }, true)).toBeUndefined();
});

test("an update of the UI offers a reload while connected", () => {
  expect(say({ kind: "open" }, false, { isOutdated: true })).toEqual({
    text: "Hearth was updated. Reload to use the new version. Your drafts are kept.",
    offer: "reload",
  });
  expect(say(lost, true, { isOutdated: true })).toMatchObject({ offer: "try" });
});
