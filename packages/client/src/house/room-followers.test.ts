import { expect, test } from "bun:test";
import type { RoomId } from "@hearth/protocol";
import type { RoomEntry } from "./house.ts";
import { createRoomFollowers } from "./room-followers.ts";

const entry = (id: string): RoomEntry => ({ room: { id } }) as never;

const setUp = () => {
  /** The followed rooms in order, each with a function that ends its stream. */
  const begun: { readonly room: string; readonly end: () => void; readonly signal: AbortSignal }[] = [];
  const socket = {
    async *follow(stream: string, _schema: unknown, { signal }: { readonly signal: AbortSignal }) {
      const over = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => over.resolve(), { once: true });
      begun.push({ room: stream.slice("room:".length), end: over.resolve, signal });
      await over.promise;
      yield* [];
    },
  };
  const board = {
    follow: () => 0,
    unfollow: (_room: RoomId) => undefined,
    restart: () => undefined,
    take: () => undefined,
  };
  const followers = createRoomFollowers({ socket: socket as never, board: board as never, onChange: () => undefined });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, followers, settle, rooms: () => begun.map(({ room }) => room) };
};

test("follows a room again, once, after its stream was ended", async () => {
  const { begun, followers, settle, rooms } = setUp();
  followers.follow([entry("a"), entry("b")]);
  begun[0]?.end();
  await settle();
  followers.retry();
  followers.follow([entry("a"), entry("b")]);
  await settle();
  expect(rooms()).toEqual(["a", "b", "a"]);
  // No stream has ended since.
  followers.retry();
  followers.follow([entry("a"), entry("b")]);
  await settle();
  expect(rooms()).toEqual(["a", "b", "a"]);
});

test("does not retry a room that it stopped following", async () => {
  const { begun, followers, settle, rooms } = setUp();
  followers.follow([entry("a")]);
  followers.follow([]);
  await settle();
  expect(begun[0]?.signal.aborted).toBe(true);
  followers.follow([entry("a")]);
  followers.retry();
  followers.follow([entry("a")]);
  await settle();
  expect(rooms()).toEqual(["a", "a"]);
});

test("follows the first 60 rooms and stops following rooms that drop out of them", async () => {
  const { begun, followers, settle, rooms } = setUp();
  const all = Array.from({ length: 61 }, (_, index) => entry(String(index)));
  followers.follow(all);
  expect(rooms()).toEqual(all.slice(0, 60).map(({ room }): string => room.id));
  followers.follow(all.slice(1));
  await settle();
  expect(begun.filter(({ signal }) => signal.aborted).map(({ room }) => room)).toEqual(["0"]);
  expect(rooms().at(-1)).toBe("60");
});
