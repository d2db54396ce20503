import { expect, test } from "bun:test";
import type { Right } from "@hearth/protocol";
import { createFakeMe, createFakeRoom, fakeHouse, fakeMain } from "./fake-ui.tsx";
import { hasRight, may, administersAnyHouse, mayApprove, mayIn, mayAdministerHome, mayManageProviders } from "./may.ts";

test("a role includes lower ones, at the house and in its rooms", () => {
  const me = createFakeMe("w");
  for (const place of [fakeHouse, createFakeRoom(2, "Kitchen")])
    expect((["r", "w", "x"] as const).map((level) => may(me, level, place))).toEqual([true, true, false]);
  expect((["r", "w", "x"] as const).map((level) => mayIn(me, level, fakeHouse.id))).toEqual([true, true, false]);
});

test("without user, place or role nothing is allowed", () => {
  expect(may(undefined, "r", fakeHouse)).toBe(false);
  expect(may(createFakeMe("x"), "r", undefined)).toBe(false);
  expect(may(createFakeMe(undefined), "r", fakeHouse)).toBe(false);
  expect(mayIn(createFakeMe("x"), "r", undefined)).toBe(false);
});

test("admins of the first house administer the installation, admins of other houses do not", () => {
  expect(mayAdministerHome(createFakeMe("x"))).toBe(true);
  expect(mayAdministerHome(createFakeMe("w"))).toBe(false);
  const { home: _, ...elsewhere } = createFakeMe("x");
  expect(mayAdministerHome(elsewhere)).toBe(false);
});

test("people who are admins can approve, members and agents cannot", () => {
  expect(mayApprove(createFakeMe("x"))).toBe(true);
  expect(mayApprove(createFakeMe("w"))).toBe(false);
  expect(mayApprove({ ...createFakeMe("x"), agent: fakeMain })).toBe(false);
  const inRoom = { on: createFakeRoom(2, "Kitchen").id, level: "x" as const };
  expect(mayApprove({ ...createFakeMe("w"), permissions: [inRoom] })).toBe(false);
  expect(mayApprove(undefined)).toBe(false);
});

test("a right opens its own duty only, and admins have all of them", () => {
  const me = createFakeMe("w");
  const withRight = (right: Right) => ({
    ...me,
    permissions: [{ on: fakeHouse.id, level: "w" as const, rights: [right] }],
  });
  expect([mayApprove(withRight("approve")), mayApprove(withRight("audit"))]).toEqual([true, false]);
  expect(administersAnyHouse(withRight("approve"))).toBe(false);
  expect([mayManageProviders(withRight("providers")), mayManageProviders(withRight("secrets"))]).toEqual([true, false]);
  expect(mayAdministerHome(withRight("providers"))).toBe(false);
  expect(hasRight(createFakeMe("x"), "audit", fakeHouse.id)).toBe(true);
  expect([administersAnyHouse(createFakeMe("x")), administersAnyHouse(me)]).toEqual([true, false]);
});
