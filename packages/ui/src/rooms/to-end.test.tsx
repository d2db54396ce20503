import { expect, test } from "bun:test";
import { fakeOwner } from "../house/fake-ui.tsx";
import { createFakeMessage, createFakeReply, createFakeSnapshot, createFakeTool } from "./fake-room.ts";
import { renderPart, textOf } from "./fake-view.tsx";
import { countNew, nameNew, ToEnd } from "./to-end.tsx";
import { beforeAnswer } from "./tool-line.tsx";

test("the way to the end shows only to who is not there", () => {
  const draw = (isAtEnd: boolean): string =>
    textOf(renderPart(<ToEnd snapshot={createFakeSnapshot()} isAtEnd={isAtEnd} onPress={() => {}} />));
  expect(draw(true)).toBe("");
  expect(draw(false)).toBe("To the end");
});

test("what others said since counts as new, what was deleted or is one's own does not", () => {
  const messages = [
    createFakeReply(3),
    createFakeReply(4),
    createFakeMessage(5),
    createFakeReply(6, { isDeleted: true }),
    createFakeReply(7),
  ];
  expect(countNew(messages, 3, fakeOwner.id)).toBe(2);
  expect(countNew(messages, 7, fakeOwner.id)).toBe(0);
  expect([0, 1, 2].map(nameNew)).toEqual(["To the end", "1 new message", "2 new messages"]);
});

test("what was said after the last tool is the answer and no part of the work", () => {
  const said = { kind: "text", text: "first" } as const;
  const tool = createFakeTool();
  expect(beforeAnswer([said, tool, { kind: "text", text: "answer" }])).toEqual([said, tool]);
  expect(beforeAnswer([said])).toEqual([]);
});
