import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createVersions } from "./versions.ts";

const versions = createVersions<number>("A thing", [
  ({ name, ...rest }, at) => ({ ...rest, title: name, at }),
  ({ title, ...rest }) => ({ ...rest, titles: [title] }),
]);

test("`read` upgrades every older version to the present one, in order", () => {
  expect(versions.read({ name: "one" }, 7)).toEqual({ titles: ["one"], at: 7 });
  expect(versions.read({ v: 2, title: "two", at: 3 }, 7)).toEqual({ v: 2, titles: ["two"], at: 3 });
});

test("`read` returns what `stamp` wrote unchanged", () => {
  const stamped = versions.stamp({ titles: ["three"] });
  expect(stamped).toEqual({ titles: ["three"], v: 3 });
  expect(versions.read(stamped, 7)).toEqual(stamped);
});

test.each([[null], ["text"], [7], [[{ name: "one" }]]])(
  "`read` returns %j, which has no version, unchanged",
  (value) => {
    expect(versions.read(value, 7)).toEqual(value);
  },
);

test("the first version is written without a stamp", () => {
  expect(createVersions("A thing", []).stamp({ name: "one" })).toEqual({ name: "one" });
});

test.each([4, 0, 1.5, "2"])("`read` refuses version %p, which no Hearth up to this one wrote", (v) => {
  try {
    versions.read({ v }, 0);
    expect.unreachable();
  } catch (error) {
    expect(isHearthError(error, "store.foreign")).toBe(true);
    expect(String(error)).toContain(`A thing has version ${v}; this Hearth knows 3`);
  }
});
