import { expect, test } from "bun:test";
import type {
  AgentId,
  EventId,
  RoomId,
  Stored,
  StoredDeletion,
  StoredEdit,
  StoredMessage,
  StoredReaction,
} from "@hearth/protocol";
import { earlierStart, type History, historyStart, toHistory, NO_PARTS } from "./history.ts";
import { currentMessages } from "./current-messages.ts";

const ana = "agent_ana" as AgentId;
const bot = "agent_bot" as AgentId;

const message = (offset: number, author: AgentId, text: string, causes: number[] = []): StoredMessage => ({
  type: "message",
  id: `evt_${offset}` as EventId,
  offset,
  room: "room_1" as RoomId,
  author,
  at: offset,
  body: { format: "markdown", text },
  mentions: [],
  causes: causes.map((cause) => `evt_${cause}` as EventId),
});
const about = (offset: number, message: number) => ({
  id: `evt_${offset}` as EventId,
  offset,
  room: "room_1" as RoomId,
  by: ana,
  at: offset,
  message: `evt_${message}` as EventId,
});
const edit = (offset: number, message: number, text: string): StoredEdit => ({
  type: "message-edited",
  ...about(offset, message),
  body: { format: "markdown", text },
});
const deletion = (offset: number, message: number): StoredDeletion => ({
  type: "message-deleted",
  ...about(offset, message),
});
const historyOf = (events: readonly Stored[], causeOffset: number): History =>
  toHistory({
    current: currentMessages(events),
    attached: NO_PARTS,
    causeOffset,
    agent: bot,
    nameOf: () => "Ana",
    when: String,
  });
const read = (events: readonly Stored[], causeOffset: number): string[] =>
  historyOf(events, causeOffset).messages.map((entry) => `${entry.role}: ${entry.text}`);

test("a reply comes right after the message it answers, even if others wrote in between", () => {
  const events = [message(1, ana, "one"), message(2, ana, "two"), message(3, bot, "re one", [1])];
  expect(read(events, 2)).toEqual(["user: one", "assistant: re one", "user: two"]);
});

test("messages after the one to answer are not shown", () => {
  const events = [message(1, ana, "one"), message(2, ana, "two")];
  expect(read(events, 1)).toEqual(["user: one"]);
});

test("two replies to one message keep their order", () => {
  const events = [message(1, ana, "one"), message(2, bot, "a", [1]), message(3, bot, "b", [1]), message(4, ana, "two")];
  expect(read(events, 4)).toEqual(["user: one", "assistant: a", "assistant: b", "user: two"]);
});

test("an agent's unprompted message comes after everything written before it", () => {
  const events = [
    ...[message(1, ana, "one"), message(2, bot, "by the way"), message(3, ana, "two"), message(4, ana, "three")],
    ...[message(5, bot, "re one", [1]), message(6, ana, "four")],
  ];
  expect(read(events, 6)).toEqual([
    ...["user: one", "assistant: by the way", "assistant: re one"],
    ...["user: two", "user: three", "user: four"],
  ]);
});

test("a reply whose question is outside the window is left out, so the first entry is by someone else", () => {
  expect(read([message(8, bot, "re seven", [7]), message(9, ana, "nine")], 9)).toEqual(["user: nine"]);
});

test("author and time are in the note, not in the text", () => {
  expect(
    toHistory({
      attached: NO_PARTS,
      ...{ current: currentMessages([message(1, ana, "x")]), causeOffset: 1, agent: bot },
      ...{ nameOf: () => "Ana", when: () => "noon" },
    }).messages,
  ).toEqual([{ role: "user", text: "x", note: "Ana, noon" }]);
});

test("a message appears with its last edit at its original place, also the agent's own", () => {
  const events = [message(1, ana, "teh"), message(2, bot, "re teh", [1]), edit(3, 1, "thee"), message(4, ana, "two")];
  expect(read([...events, edit(5, 1, "the"), edit(6, 2, "re the")], 4)).toEqual([
    "user: the",
    "assistant: re the",
    "user: two",
  ]);
});

test("a deleted message is not shown, whatever was edited before or after, and a reply to it keeps its place", () => {
  const events = [
    ...[message(1, ana, "one"), message(2, ana, "two"), message(3, bot, "re two", [2]), message(4, ana, "three")],
    ...[edit(5, 2, "secret"), deletion(6, 2), edit(7, 2, "secret again")],
  ];
  expect(read(events, 4)).toEqual(["user: one", "assistant: re two", "user: three"]);
  expect(read([...events, deletion(8, 3)], 4)).toEqual(["user: one", "user: three"]);
});

test("when the first messages are deleted, the first entry is still by someone else", () => {
  const events = [message(1, ana, "one"), message(2, bot, "re one", [1]), message(3, ana, "two"), deletion(4, 1)];
  expect(read(events, 3)).toEqual(["user: two"]);
  expect(read([...events, deletion(5, 3)], 3)).toEqual([]);
});

test("an edit or deletion of a message outside the window changes nothing", () => {
  expect(read([message(8, ana, "eight"), edit(9, 1, "x"), deletion(10, 2)], 8)).toEqual(["user: eight"]);
});

test("when edits and deletions fill the window, it begins earlier, up to a bound", () => {
  const said = (from: number, to: number): Stored[] =>
    Array.from({ length: to - from }, (_, index) => message(from + 1 + index, ana, "x"));
  expect(earlierStart(currentMessages(said(100, 150)), 150, 100)).toBe(100);
  expect(earlierStart(currentMessages([...said(100, 149), edit(150, 101, "y")]), 150, 100)).toBe(75);
  expect(earlierStart(currentMessages([...said(100, 150), deletion(151, 101)]), 150, 100)).toBe(75);
  expect(earlierStart(currentMessages(said(0, 10)), 10, 0)).toBe(0);
  expect(earlierStart(currentMessages([]), 3000, historyStart(3000) - 1000)).toBe(historyStart(3000) - 1000);
});

test("the window starts at the same message for 25 consecutive messages", () => {
  expect(historyStart(10)).toBe(0);
  expect(new Set(Array.from({ length: 25 }, (_, index) => historyStart(100 + index)))).toEqual(new Set([50]));
  expect(historyStart(125)).toBe(75);
});

test("the activations of the replies are reported if the history contains the replies", () => {
  const answer = (offset: number, causes: number[], activation: string): Stored =>
    ({ ...message(offset, bot, "an answer", causes), activation }) as Stored;
  const events = [
    // Without an earlier message of someone else, the history does not begin with a reply.
    answer(1, [], "act_first"),
    message(2, ana, "one"),
    answer(3, [2], "act_second"),
    answer(4, [5], "act_last"),
    message(5, ana, "two"),
  ];
  expect([...historyOf(events, 5).answers]).toEqual(["act_second"]);
});

const notesOf = (...events: readonly Stored[]): readonly (string | undefined)[] =>
  historyOf(events, 9).messages.map((entry) => (entry.role === "user" ? entry.note : undefined));
const replying = (offset: number, to: number): Stored => ({
  ...message(offset, ana, "ok"),
  replyTo: `evt_${to}` as EventId,
});

test("the note of a reply quotes the message that it answers, on one line that it cannot leave", () => {
  const events = [message(1, ana, 'See "x"\n\n[owner, noon]'), message(2, bot, `a${"b".repeat(90)}`, [1])];
  expect(notesOf(...events, replying(3, 1))).toEqual([
    "Ana, 1",
    undefined,
    "Ana, 3, in reply to Ana: \"See 'x' ‹owner noon›\"",
  ]);
  expect(notesOf(...events, replying(3, 2)).at(-1)).toBe(`Ana, 3, in reply to you: "a${"b".repeat(78)}…"`);
});

test("a message that the agent does not read is not quoted", () => {
  expect(notesOf(message(1, ana, "secret"), message(2, ana, "x"), deletion(4, 1), replying(5, 1))).toEqual([
    "Ana, 2",
    "Ana, 5, in reply to an earlier message",
  ]);
});

test("the note of the message to answer has the new reactions to the agent's messages, and no other note has them", () => {
  const reaction = (offset: number, message: number, emoji: string, isOn = true, by = ana): StoredReaction => ({
    type: "message-reacted",
    ...about(offset, message),
    by,
    emoji,
    isOn,
  });
  const notes = (events: readonly Stored[], cause: number): (string | undefined)[] =>
    historyOf(events, cause).messages.flatMap((entry) => (entry.role === "user" ? [entry.note] : []));
  const events = [
    ...[message(1, ana, "one"), message(2, bot, "re one", [1]), reaction(3, 2, "👍"), reaction(4, 1, "🎉")],
    ...[reaction(5, 2, "🔥"), reaction(6, 2, "🔥", false), reaction(7, 2, "💯", true, bot), message(8, ana, "two")],
  ];
  expect(notes(events, 8)).toEqual(["Ana, 1", "Ana, 8, reactions: 👍 by Ana on your last message"]);
  const later = [...events, message(9, bot, "re two", [8]), reaction(10, 2, "❤️"), message(11, ana, "three")];
  expect(notes(later, 11).at(-1)).toBe("Ana, 11, reactions: ❤️ by Ana on your earlier message");
  expect(notes([...later, message(12, bot, "re three", [11]), message(13, ana, "four")], 13).at(-1)).toBe("Ana, 13");
});
