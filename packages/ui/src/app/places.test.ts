import { expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import type { Level } from "@hearth/protocol";
import {
  createFakeAgent,
  createFakeMe,
  createFakeRoom,
  fakeEntry,
  fakeHouse,
  fakeMain,
  fakeOwner,
} from "../house/fake-ui.tsx";
import { roomPath } from "../house/paths.ts";
import { findStartPage, forgetReturnPath, rememberReturnPath, rememberRoom, stepRoom } from "./places.ts";

const agentsOf = (...agents: (typeof fakeMain)[]) => new Map([fakeOwner, ...agents].map((agent) => [agent.id, agent]));
const base = { house: fakeHouse, rooms: [fakeEntry], agents: agentsOf(fakeMain), me: createFakeMe("x") };

test("a new user starts with the agent main", () => {
  const storage = createMemoryStorage();
  const agents = agentsOf(createFakeAgent(3, "Archive"), fakeMain);
  expect(findStartPage({ ...base, storage, agents })).toEqual({ kind: "agent", handle: "main" });
});

test("without main a user starts with the first agent, and without agents nowhere", () => {
  const storage = createMemoryStorage();
  const agents = agentsOf(createFakeAgent(3, "Archive"));
  expect(findStartPage({ ...base, storage, agents })).toEqual({ kind: "agent", handle: "archive" });
  expect(findStartPage({ ...base, storage, agents: agentsOf() })).toEqual({ kind: "nobody" });
});

test("a house without completed welcome starts with it", () => {
  const house = { ...fakeHouse, content: { name: "Home", timezone: "UTC" } };
  expect(findStartPage({ ...base, storage: createMemoryStorage(), house })).toEqual({ kind: "path", path: "/welcome" });
});

test("viewers skip the welcome and start in an open room", () => {
  const storage = createMemoryStorage();
  const house = { ...fakeHouse, content: { name: "Home", timezone: "UTC" } };
  const begin = (level: Level | undefined, rooms = [fakeEntry]) =>
    findStartPage({ ...base, storage, house, rooms, me: createFakeMe(level) });
  const { home: _, ...elsewhere } = createFakeMe("x");
  expect(findStartPage({ ...base, storage, house, me: elsewhere })).toMatchObject({ kind: "agent" });
  expect(begin("w")).toEqual({ kind: "agent", handle: "main" });
  expect(begin("r")).toEqual({ kind: "path", path: "/rooms/main" });
  expect(begin(undefined)).toEqual({ kind: "path", path: "/rooms/main" });
  expect(begin("r", [])).toEqual({ kind: "nobody" });
});

test("a returning user starts in the last room, unless it is gone", () => {
  const storage = createMemoryStorage();
  rememberRoom(storage, fakeEntry.room.id);
  expect(findStartPage({ ...base, storage })).toEqual({ kind: "path", path: "/rooms/main" });
  expect(findStartPage({ ...base, storage, rooms: [] })).toEqual({ kind: "agent", handle: "main" });
});

test("a login returns once to the page that it interrupted", () => {
  const storage = createMemoryStorage();
  rememberReturnPath(storage, "/settings/models");
  rememberReturnPath(storage, "/");
  expect(findStartPage({ ...base, storage })).toEqual({ kind: "path", path: "/settings/models" });
  forgetReturnPath(storage);
  expect(findStartPage({ ...base, storage })).toEqual({ kind: "agent", handle: "main" });
});

test("a step moves to the next room, wraps at the ends, and enters the list from elsewhere", () => {
  const rooms = ["Main", "Küche", "Archive"].map((name, index) => ({
    ...fakeEntry,
    room: createFakeRoom(index + 1, name),
  }));
  expect(stepRoom(rooms, "/rooms/main", 1)).toBe(roomPath("küche"));
  expect(stepRoom(rooms, "/rooms/küche", 1)).toBe("/rooms/archive");
  expect(stepRoom(rooms, "/rooms/main", -1)).toBe("/rooms/archive");
  expect(stepRoom(rooms, "/settings", 1)).toBe("/rooms/main");
  expect(stepRoom(rooms, "/settings", -1)).toBe("/rooms/archive");
  expect(stepRoom([], "/settings", 1)).toBeUndefined();
});
