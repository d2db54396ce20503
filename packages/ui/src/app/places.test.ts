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
import { findBeginning, forgetPlace, rememberPlace, rememberRoom, stepRoom } from "./places.ts";

const agentsOf = (...agents: (typeof fakeMain)[]) => new Map([fakeOwner, ...agents].map((agent) => [agent.id, agent]));
const base = { house: fakeHouse, rooms: [fakeEntry], agents: agentsOf(fakeMain), me: createFakeMe("x") };

test("who comes for the first time begins with the agent main, whoever else is there", () => {
  const storage = createMemoryStorage();
  const agents = agentsOf(createFakeAgent(3, "Archive"), fakeMain);
  expect(findBeginning({ ...base, storage, agents })).toEqual({ kind: "agent", handle: "main" });
});

test("in a house without main one begins with its first agent, and in one without agents with nobody", () => {
  const storage = createMemoryStorage();
  const agents = agentsOf(createFakeAgent(3, "Archive"));
  expect(findBeginning({ ...base, storage, agents })).toEqual({ kind: "agent", handle: "archive" });
  expect(findBeginning({ ...base, storage, agents: agentsOf() })).toEqual({ kind: "nobody" });
});

test("a house whose owner was not welcomed yet begins with that", () => {
  const house = { ...fakeHouse, content: { name: "Home", timezone: "UTC" } };
  expect(findBeginning({ ...base, storage: createMemoryStorage(), house })).toEqual({ kind: "path", path: "/welcome" });
});

test("who may not decide is not asked the first questions, and who may only read begins in a room that is open", () => {
  const storage = createMemoryStorage();
  const house = { ...fakeHouse, content: { name: "Home", timezone: "UTC" } };
  const begin = (level: Level | undefined, rooms = [fakeEntry]) =>
    findBeginning({ ...base, storage, house, rooms, me: createFakeMe(level) });
  const { home: _, ...elsewhere } = createFakeMe("x");
  expect(findBeginning({ ...base, storage, house, me: elsewhere })).toMatchObject({ kind: "agent" });
  expect(begin("w")).toEqual({ kind: "agent", handle: "main" });
  expect(begin("r")).toEqual({ kind: "path", path: "/rooms/main" });
  expect(begin(undefined)).toEqual({ kind: "path", path: "/rooms/main" });
  expect(begin("r", [])).toEqual({ kind: "nobody" });
});

test("who comes back begins in the last room, unless it is gone", () => {
  const storage = createMemoryStorage();
  rememberRoom(storage, fakeEntry.room.id);
  expect(findBeginning({ ...base, storage })).toEqual({ kind: "path", path: "/rooms/main" });
  expect(findBeginning({ ...base, storage, rooms: [] })).toEqual({ kind: "agent", handle: "main" });
});

test("a login leads back to where it interrupted, once", () => {
  const storage = createMemoryStorage();
  rememberPlace(storage, "/settings/models");
  rememberPlace(storage, "/");
  expect(findBeginning({ ...base, storage })).toEqual({ kind: "path", path: "/settings/models" });
  forgetPlace(storage);
  expect(findBeginning({ ...base, storage })).toEqual({ kind: "agent", handle: "main" });
});

test("a step goes to the neighbour, around the ends, and from elsewhere into the list", () => {
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
