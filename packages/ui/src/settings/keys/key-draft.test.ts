import { expect, test } from "bun:test";
import { emptyDraft, errorsOf, scopeOf } from "./key-draft.ts";

const ROOM = `room_${"0".repeat(26)}`;

test("a key without limits has no scope", () => {
  expect(scopeOf(emptyDraft)).toBeUndefined();
  expect(scopeOf({ ...emptyDraft, level: "r", rights: ["audit"], places: new Set([ROOM]) })).toBeUndefined();
});

test("a rate limit alone keeps the role of the owner", () => {
  expect(scopeOf({ ...emptyDraft, perMinute: " 60 " })).toEqual({ level: "x", perMinute: 60 });
});

test("a limited key has its role, its places and its rights", () => {
  const limited = { ...emptyDraft, access: "limited" } as const;
  expect(scopeOf(limited)).toEqual({ level: "w" });
  const room = new Set([ROOM]);
  expect(scopeOf({ ...limited, level: "r", rights: ["audit"], isEverywhere: false, places: room })).toEqual({
    level: "r",
    on: [ROOM] as never,
    rights: ["audit"],
  });
  expect(scopeOf({ ...limited, level: "x", rights: ["audit"], places: room })).toEqual({ level: "x" });
});

test("a key for measurements has no other scope", () => {
  expect(scopeOf({ ...emptyDraft, access: "metrics", level: "w", rights: ["audit"], perMinute: "6" })).toEqual({
    level: "r",
    only: "metrics",
    perMinute: 6,
  });
});

test("a name, a place of a key for selected places, and a valid rate limit are required", () => {
  expect(Object.keys(errorsOf({ ...emptyDraft, name: " " }))).toEqual(["name"]);
  const named = { ...emptyDraft, name: "lamp" };
  expect(errorsOf(named)).toEqual({});
  expect(Object.keys(errorsOf({ ...named, access: "limited", isEverywhere: false }))).toEqual(["places"]);
  expect(errorsOf({ ...named, isEverywhere: false })).toEqual({});
  for (const perMinute of ["0", "-1", "1.5", "1e3", "100001", "many"])
    expect(Object.keys(errorsOf({ ...named, perMinute }))).toEqual(["perMinute"]);
  for (const perMinute of ["", "1", "100000"]) expect(errorsOf({ ...named, perMinute })).toEqual({});
});
