/** Permissions of chats and of people's own lists, through the API of an assembled house. */
import { expect, test } from "bun:test";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";

const open = async () => {
  const house = await openTestHouse({ disk: createTestDisk(), script: () => ({ text: "done" }) });
  const make = async (path: string, body: unknown) => (await house.ask("POST", path, body)).json;
  const guest = await make("/api/agents", { level: "none", content: { name: "Guest", kind: "human" } });
  await make("/api/rooms", { content: { name: "Open" } });
  await make("/api/rooms", { content: { name: "Closed" } });
  await house.ask("PUT", "/api/rooms/open/grants/guest", { level: "r" });
  const { key } = await make("/api/keys", { agent: guest.id, name: "guest" });
  return {
    house,
    make,
    asGuest: (method: string, path: string, body?: unknown) => house.ask(method, path, body, key),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
};

test("a person pins only rooms that they may read, and a pin of a lost room is not listed", async () => {
  await using opened = await open();
  const { house, asGuest } = opened;
  const unknown = await asGuest("PATCH", "/api/rooms/no-such-room/view", { pinned: true });
  const closed = await asGuest("PATCH", "/api/rooms/closed/view", { pinned: true });
  // The answer does not reveal that the room exists.
  expect([closed.status, closed.json.error.code]).toEqual([unknown.status, unknown.json.error.code]);
  expect((await asGuest("PATCH", "/api/rooms/open/view", { pinned: true })).status).toBe(200);
  expect((await asGuest("GET", "/api/room-views")).json.views).toHaveLength(1);
  await house.ask("DELETE", "/api/rooms/open/grants/guest");
  expect((await asGuest("GET", "/api/room-views")).json.views).toEqual([]);
});

test("a view is personal: an archive of one person changes no list of another", async () => {
  await using opened = await open();
  const { house, asGuest } = opened;
  expect((await asGuest("PATCH", "/api/rooms/open/view", { archived: true })).status).toBe(200);
  expect((await house.ask("GET", "/api/room-views")).json.views).toEqual([]);
  expect((await asGuest("GET", "/api/room-views")).json.views).toMatchObject([{ archivedHead: 0 }]);
});

test("only a person who may write in a chat renames it, and others do not see it", async () => {
  await using opened = await open();
  const { house, make, asGuest } = opened;
  const chat = await make("/api/agents/main/chats", undefined);
  expect(chat.content).toMatchObject({ kind: "direct", titleFrom: "next" });
  expect((await asGuest("PUT", `/api/rooms/${chat.id}/title`, { title: "Mine" })).status).toBeGreaterThanOrEqual(403);
  await house.ask("PUT", `/api/rooms/${chat.id}/grants/guest`, { level: "r" });
  expect((await asGuest("PUT", `/api/rooms/${chat.id}/title`, { title: "Mine" })).status).toBe(403);
  const renamed = await house.ask("PUT", `/api/rooms/${chat.id}/title`, { title: "Rome" });
  expect(renamed.json).toMatchObject({ handle: chat.handle, content: { title: "Rome" } });
  expect((await asGuest("POST", "/api/agents/main/chats")).status).toBeGreaterThanOrEqual(403);
  expect((await house.ask("PUT", "/api/rooms/open/title", { title: "x" })).json.error.code).toBe("record.invalid");
});
