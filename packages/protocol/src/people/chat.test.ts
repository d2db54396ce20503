import { expect, test } from "bun:test";
import { ChangeRoomView, isArchived, titleFromText, titleOfRoom } from "./chat.ts";
import { RoomRecord } from "./record.ts";

test.each([
  ["Plan a trip to Rome", "Plan a trip to Rome"],
  ["\n\n  ## Plan   a *trip*\tto `Rome`\nand more", "Plan a trip to Rome"],
  ["- [the page](https://example.org/x) says", "the page says"],
  ["> quoted", "quoted"],
  ["---\nafter a line", "after a line"],
  ["snake_case and 2*3", "snake_case and 2*3"],
  ["早上好", "早上好"],
])("the title of %j is %j", (text, title) => {
  expect(titleFromText(text)).toBe(title);
});

test.each(["", "  \n ", "?!", "```\n---\n```", "👍"])("%j gives no title", (text) => {
  expect(titleFromText(text)).toBeUndefined();
});

test("a long title is cut after a word, and text without spaces between characters", () => {
  const words = "one two three four five six seven eight nine ten eleven twelve thirteen";
  expect(titleFromText(words)).toBe("one two three four five six seven eight nine ten eleven…");
  expect(titleFromText(`${"a".repeat(60)} b`)).toBe(`${"a".repeat(60)}…`);
  expect(titleFromText("𝒳".repeat(70))).toBe(`${"𝒳".repeat(60)}…`);
  expect(titleFromText("a".repeat(60))).toBe("a".repeat(60));
  expect(titleFromText(`${"x".repeat(3_000)}\ny`)?.isWellFormed()).toBe(true);
});

const ID = "0".repeat(26);
const room = (content: object) =>
  RoomRecord.parse({
    ...{ type: "room", id: `room_${ID}`, house: `house_${ID}`, handle: "main-2", version: 1, createdAt: 1 },
    ...{ updatedAt: 1, content: { name: "Main 2", kind: "direct", ...content } },
  });

test("a room is shown by its title, else its name; a new chat without a message has neither", () => {
  expect(titleOfRoom(room({ title: "Rome" }))).toBe("Rome");
  expect(titleOfRoom(room({}))).toBe("Main 2");
  expect(titleOfRoom(room({ titleFrom: "next" }))).toBeUndefined();
});

test("an archived room comes back with an event after its archived head", () => {
  const view = { room: room({}).id, archivedHead: 3 };
  expect([isArchived(view, 3), isArchived(view, 4), isArchived(undefined, 0)]).toEqual([true, false, false]);
  expect(isArchived({ ...view, archivedHead: 0 }, 0)).toBe(true);
});

test("a change of a view names at least one field", () => {
  expect(ChangeRoomView.safeParse({}).success).toBe(false);
  expect(ChangeRoomView.safeParse({ pinned: false }).success).toBe(true);
});
