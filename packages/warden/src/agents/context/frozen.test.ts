/** Stored inputs of every released version are read in the present shape. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { frozenVersions, readFrozen } from "./frozen.ts";

/** The fields that all versions have. */
const common = {
  model: "echo",
  zone: "Europe/Berlin",
  agent: { name: "Main", handle: "main" },
  room: { name: "Hall", kind: "group" },
  house: { name: "Home" },
  parts: [{ name: "SOUL.md", hash: "a".repeat(64) }],
  range: { start: 0, cause: 3, head: 4 },
  names: {},
  tools: ["read"],
  maxRounds: 9,
} as const;
const BEGUN = { startedAt: 77 };
const read = (value: object) => readFrozen(JSON.stringify(value), BEGUN);

describe("an input of version 1", () => {
  test("gets the instant when its activation began, no config version, and the loop before all versions", () => {
    expect(read(common)).toMatchObject({ at: 77, config: "", loop: 0, model: "echo", range: common.range });
  });

  test("keeps the instant and the config version that some of its writers stored", () => {
    expect(read({ ...common, at: 5, config: "c1" })).toMatchObject({ at: 5, config: "c1", loop: 0 });
  });

  test("has the defaults of the fields that later versions added", () => {
    const { fallback, standings, inbox, parts } = read(common);
    expect({ fallback, standings, inbox, parts }).toEqual({
      fallback: [],
      standings: {},
      inbox: [],
      parts: [{ ...common.parts[0], place: "prefix" }],
    });
  });
});

test("an input with a loop version and without a stamp is of version 2, and nothing of it changes", () => {
  expect(read({ ...common, at: 5, config: "c2", loop: 4 })).toMatchObject({ at: 5, config: "c2", loop: 4 });
});

test("an input that this Hearth writes is stamped and read unchanged", () => {
  const written = read(frozenVersions.stamp({ ...common, at: 5, config: "c3", loop: 6 }));
  expect(written).toMatchObject({ v: frozenVersions.current, at: 5, config: "c3", loop: 6 });
  expect(read(written)).toEqual(written);
});

test("an input of a newer Hearth is refused", () => {
  try {
    read({ ...common, at: 5, config: "c4", loop: 7, v: frozenVersions.current + 1 });
    expect.unreachable();
  } catch (error) {
    expect(isHearthError(error, "store.foreign")).toBe(true);
  }
});
