/** Paths of the settings pages, there and back. */
import { expect, test } from "bun:test";
import { agentTabs, pathOfAgent, pathOfRoom, paths, type Place, placeOf, titleOfPlace } from "./place.ts";

test("every page is found under its path, with and without a slash at the end", () => {
  const kinds = Object.values(paths).map((path) => placeOf(path).kind);
  expect(kinds).not.toContain("nowhere");
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(placeOf("/settings//")).toEqual({ kind: "general" });
});

test("agents and rooms are found under their paths", () => {
  const handle = "a/b ü";
  for (const tab of agentTabs) expect(placeOf(pathOfAgent(handle, tab))).toEqual({ kind: "agent", handle, tab });
  expect(placeOf(pathOfAgent(handle, "inside"))).toEqual({ kind: "agent-inside", handle });
  expect(placeOf(pathOfRoom(handle))).toEqual({ kind: "room", handle });
  expect(placeOf(pathOfRoom(handle, "activity"))).toEqual({ kind: "room-activity", handle });
});

test.each([
  "/settings/general",
  "/settings/other",
  "/settings/agents/main/overview",
  "/settings/agents/main/other",
  "/settings/agents/main/tools/more",
  "/settings/rooms/hall/tools",
  "/settings/rooms/hall/inside",
  "/settings/web/main",
])("%p is no page", (path) => {
  expect(placeOf(path)).toEqual({ kind: "nowhere" });
});

test("a handle that cannot be decoded stays as written", () => {
  expect(placeOf("/settings/rooms/%zz")).toEqual({ kind: "room", handle: "%zz" });
});

test("the title of a tab names the tab, except for the first", () => {
  const titles = ([...agentTabs].map((tab) => ({ kind: "agent", handle: "main", tab })) as readonly Place[]).map(
    (place) => titleOfPlace(place, "Main"),
  );
  expect(titles.every((title) => title.includes("Main"))).toBe(true);
  expect(new Set(titles).size).toBe(agentTabs.length);
});
