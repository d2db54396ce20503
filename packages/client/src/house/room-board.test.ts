/** Order and unread state of rooms. */
import { expect, test } from "bun:test";
import type { AgentId, RoomId, RoomRecord, StoredRoomEvent } from "@hearth/protocol";
import { createRoomBoard } from "./room-board.ts";

const ME = "agent_me" as AgentId;
const room = (id: string, version = 1): RoomRecord => ({ id, version, content: { name: id } }) as unknown as RoomRecord;
const message = (id: string, offset: number, author = "agent_ada", at = offset): StoredRoomEvent =>
  ({ type: "message", room: id, offset, at, author }) as unknown as StoredRoomEvent;

const views = { isPinned: false, isArchived: false };

const open = (marks: Readonly<Record<string, number>> = {}) => {
  const board = createRoomBoard({ me: () => ME, markOf: (id) => marks[id] ?? 0, viewOf: () => views });
  board.setRooms([room("a"), room("b")]);
  const shown = () =>
    board.entries().map((entry) => `${entry.room.id} ${entry.head} ${entry.isUnread ? "unread" : "read"}`);
  return { board, shown };
};
const A = "a" as RoomId;

test("rooms are in the order of their last message, then of their names", () => {
  const { board, shown } = open();
  expect(shown()).toEqual(["a 0 read", "b 0 read"]);
  board.setHeads([{ room: "b" as RoomId, head: 2, at: 5 }] as never);
  expect(shown()).toEqual(["b 2 unread", "a 0 read"]);
});

test("a newer record and a newer head stay", () => {
  const { board, shown } = open();
  board.put(room("a", 3));
  board.setRooms([room("a", 2)]);
  expect(board.get(A)?.version).toBe(3);
  board.setRooms([room("a", 3)]);
  expect(board.entries().map((entry) => entry.room.id as string)).toEqual(["a"]);
  board.setHeads([{ room: A, head: 5, at: 5 }] as never);
  board.setHeads([{ room: A, head: 4, at: 9 }] as never);
  expect(shown()).toEqual(["a 5 unread"]);
});

test("rooms are dropped one by one, or all that are not kept", () => {
  const { board, shown } = open();
  board.retain((id) => id === A);
  expect(shown()).toEqual(["a 0 read"]);
  board.drop(A);
  expect(shown()).toEqual([]);
});

test("only messages of others make a followed room unread", () => {
  const { board, shown } = open({ a: 1 });
  board.setHeads([{ room: A, head: 1, at: 1 }] as never);
  expect(board.follow(A)).toBe(1);
  board.applyEvent(message("a", 2, ME));
  expect(shown()[0]).toBe("a 2 read");
  board.applyEvent({ ...message("a", 3), type: "activation-started" } as never);
  expect(shown()[0]).toBe("a 3 read");
  board.applyEvent(message("a", 4));
  board.applyEvent(message("a", 5, ME));
  expect(shown()[0]).toBe("a 5 unread");
  board.unfollow(A);
  expect(shown()[0]).toBe("a 5 unread");
});

test("a room is followed from its mark, at most 50 events back, and counts as unread beyond them", () => {
  const { board, shown } = open({ a: 10 });
  board.setHeads([{ room: A, head: 60, at: 1 }] as never);
  expect(board.follow(A)).toBe(10);
  expect(shown()[0]).toBe("a 60 read");
  board.setHeads([{ room: A, head: 61, at: 2 }] as never);
  expect(board.follow(A)).toBe(11);
  expect(shown()[0]).toBe("a 61 unread");
});

test("a room is followed from its head if the mark is beyond it, and starts over after a restart", () => {
  const { board, shown } = open({ a: 99 });
  board.setHeads([{ room: A, head: 5, at: 1 }] as never);
  expect(board.follow(A)).toBe(5);
  board.applyEvent(message("a", 100));
  expect(shown()[0]).toBe("a 100 unread");
  board.restart(A);
  expect(shown()[0]).toBe("a 0 read");
});

test("an entry is the same object until it changes", () => {
  const { board } = open();
  const before = board.entries();
  expect(board.entries()).toBe(before);
  board.applyEvent(message("b", 1));
  const after = board.entries();
  expect(after).not.toBe(before);
  expect(after.find((entry) => entry.room.id === A)).toBe(before.find((entry) => entry.room.id === A) as never);
});
