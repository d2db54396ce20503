import { expect, test } from "bun:test";
import { fakeOwner } from "../../house/fake-ui.tsx";
import { createFakeMessage, createFakeReply, createFakeSnapshot, createFakeTool } from "../fake-room.ts";
import { renderPart, textOf } from "../fake-view.tsx";
import { countNew, nameNew, ToEnd } from "./to-end.tsx";
import { listPartsBeforeAnswer } from "../runs/tool-line.tsx";

test("the jump button only shows away from the end", () => {
  const draw = (isAtEnd: boolean): string =>
    textOf(renderPart(<ToEnd snapshot={createFakeSnapshot()} isAtEnd={isAtEnd} onPress={() => {}} />));
  expect(draw(true)).toBe("");
  expect(draw(false)).toBe("Jump to latest");
});

test("messages of others since the last look count as new, deleted and own ones do not", () => {
  const messages = [
    createFakeReply(3),
    createFakeReply(4),
    createFakeMessage(5),
    createFakeReply(6, { isDeleted: true }),
    createFakeReply(7),
  ];
  expect(countNew(messages, 3, fakeOwner.id)).toBe(2);
  expect(countNew(messages, 7, fakeOwner.id)).toBe(0);
  expect([0, 1, 2].map(nameNew)).toEqual(["Jump to latest", "1 new message", "2 new messages"]);
});

test("text after the last tool is the answer, not part of the tool steps", () => {
  const said = { kind: "text", text: "first" } as const;
  const tool = createFakeTool();
  expect(listPartsBeforeAnswer([said, tool, { kind: "text", text: "answer" }])).toEqual([said, tool]);
  expect(listPartsBeforeAnswer([said])).toEqual([]);
});
