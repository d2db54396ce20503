import { describe, expect, test } from "bun:test";
import type { EventId, StoredRoomEvent } from "@hearth/protocol";
import { emptyRoom, foldRoom } from "./fold-room.ts";

const idOf = (offset: number): EventId => `evt_${String(offset).padStart(26, "0")}` as EventId;

const said = (offset: number, more: object = {}): StoredRoomEvent =>
  ({
    type: "message",
    id: idOf(offset),
    offset,
    author: "agent_1",
    at: offset,
    mentions: [],
    causes: [],
    body: { format: "markdown", text: `text ${offset}` },
    ...more,
  }) as never;
const edited = (offset: number, message: number, text: string): StoredRoomEvent =>
  ({ type: "message-edited", id: idOf(offset), offset, at: offset, message: idOf(message), body: { text } }) as never;
const deleted = (offset: number, message: number): StoredRoomEvent =>
  ({ type: "message-deleted", id: idOf(offset), offset, at: offset, message: idOf(message) }) as never;

const reacted = (offset: number, message: number, emoji: string, isOn = true, by = "agent_1"): StoredRoomEvent =>
  ({ type: "message-reacted", id: idOf(offset), offset, at: offset, by, message: idOf(message), emoji, isOn }) as never;

const show = (events: readonly StoredRoomEvent[]): readonly string[] =>
  foldRoom(emptyRoom, events).messages.map(
    ({ text, isDeleted, editedAt }) =>
      `${text}${editedAt === undefined ? "" : ` at ${editedAt}`}${isDeleted ? "deleted" : ""}`,
  );

const history = [
  ...[said(1), said(2), edited(3, 1, "first"), said(4), deleted(5, 2), edited(6, 1, "second"), edited(7, 4, "x")],
  ...[deleted(8, 4), said(9), reacted(10, 9, "👍"), reacted(11, 9, "👍", true, "agent_2"), reacted(12, 9, "🎉")],
  ...[reacted(13, 9, "👍", false), reacted(14, 2, "👍"), reacted(15, 9, ""), reacted(16, 1, "🎉")],
];

describe("the messages of a room", () => {
  test("show the latest edit, and are empty once they are deleted", () => {
    expect(show(history)).toEqual(["second at 6", "deleted", "deleted", "text 9"]);
  });

  test("have the reactions that are left, and none once they are deleted", () => {
    const { messages } = foldRoom(emptyRoom, history);
    expect(messages.map(({ reactions }) => reactions.map(({ emoji, by }) => `${emoji} ${by.join(" ")}`))).toEqual([
      ["🎉 agent_1"],
      [],
      [],
      ["👍 agent_2", "🎉 agent_1"],
    ]);
  });

  test("are the same for events in any order, in any batches, and with duplicates", () => {
    const whole = foldRoom(emptyRoom, history).messages;
    let seed = 3;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 300; round += 1) {
      const left = round % 2 === 0 ? [...history] : [...history, ...history];
      let fold = emptyRoom;
      while (left.length > 0) {
        const batch = Array.from({ length: 1 + random(3) }, () => left.splice(random(left.length), 1)).flat();
        fold = foldRoom(fold, batch);
      }
      expect(fold.messages).toEqual(whole);
    }
  });

  test("keep their attachments when they are edited, and lose them when they are deleted", () => {
    const attachments = [{ id: "upl_1", name: "a.txt" }];
    const filesAfter = (...events: readonly StoredRoomEvent[]): unknown =>
      foldRoom(emptyRoom, [said(1, { attachments }), ...events]).messages[0]?.attachments;
    expect([filesAfter(), filesAfter(edited(2, 1, "x"))]).toEqual([attachments, attachments]);
    expect(filesAfter(deleted(2, 1))).toEqual([]);
  });

  test("have the author and the recipient of their event", () => {
    const more = { replyTo: idOf(1), causes: [idOf(1)], activation: "act_1", toolCalls: 3, spokenFor: ["agent_9"] };
    expect(foldRoom(emptyRoom, [said(2, more)]).messages).toEqual([
      {
        id: idOf(2),
        offset: 2,
        author: "agent_1",
        at: 2,
        text: "text 2",
        attachments: [],
        citations: [],
        copied: undefined,
        reactions: [],
        editedAt: undefined,
        isDeleted: false,
        isDamaged: false,
        isStopped: false,
        job: undefined,
        label: undefined,
        ...(more as object),
      } as never,
    ]);
    expect(foldRoom(emptyRoom, [said(1)]).messages[0]).toMatchObject({
      toolCalls: 0,
      spokenFor: [],
      activation: undefined,
    });
    const job = { name: "morning", context: "room" as const };
    const [partial, asked] = foldRoom(emptyRoom, [said(1, { stopped: true }), said(2, { job })]).messages;
    expect([partial?.isStopped, asked?.job]).toEqual([true, "morning"]);
    const label = { integrity: "untrusted" as const, readers: "anyone" as const, sources: ["https://e.org/"] };
    expect(foldRoom(emptyRoom, [said(1, { label })]).messages[0]?.label).toEqual(label);
  });

  test("are the same objects while nothing happens to them, in a list that is the same while nothing happens", () => {
    const before = foldRoom(emptyRoom, [said(1), said(2), edited(3, 1, "x")]);
    expect(foldRoom(before, [])).toBe(before);
    expect(foldRoom(before, [said(1), said(2), edited(3, 1, "x")])).toBe(before);
    const after = foldRoom(before, [edited(4, 2, "y"), said(5)]);
    expect(after.messages[0]).toBe(before.messages[0]!);
    expect(after.messages[1]).not.toBe(before.messages[1]!);
    const elsewhere = foldRoom(before, [edited(9, 8, "of a message that is not here")]);
    expect(elsewhere.messages).toBe(before.messages);
  });

  test("include earlier pages, with the edits and deletions that arrived before them", () => {
    const fold = foldRoom(emptyRoom, [edited(3, 1, "later"), said(4)]);
    const [first] = fold.messages;
    const next = foldRoom(fold, [said(1), said(2)]).messages;
    expect(next.map(({ text }) => text)).toEqual(["later", "text 2", "text 4"]);
    expect(next[2]).toBe(first!);
  });

  test("are quick to append to with ten thousand messages", () => {
    let fold = foldRoom(
      emptyRoom,
      Array.from({ length: 10_000 }, (_, index) => said(index + 1)),
    );
    // CPU time of this process only, since other processes share the machine. The best of several
    // rounds, since each may include garbage of earlier tests.
    const rounds = Array.from({ length: 5 }, (_, round) => {
      const start = process.cpuUsage();
      for (let index = 1; index <= 100; index += 1) fold = foldRoom(fold, [said(10_000 + round * 100 + index)]);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    expect(Math.min(...rounds)).toBeLessThan(500);
    expect(fold.messages).toHaveLength(10_500);
  });
});
