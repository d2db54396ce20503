import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createFakeAgent, fakeMain, fakeOwner } from "../../house/fake-ui.tsx";
import { nameErrorOf } from "./new-room-dialog.tsx";
import { createRoomContent } from "./new-room.ts";

const archive = createFakeAgent(3, "Archive");
const everybody = [fakeOwner, fakeMain, archive];

test("a room with everyone has no member list, so that future members have access", () => {
  expect(createRoomContent({ name: " Plans ", excludedIds: new Set() }, fakeOwner.id, everybody)).toEqual({
    name: "Plans",
    kind: "group",
  });
});

test("a room without someone lists the remaining members, always with its creator", () => {
  const excludedIds = new Set([archive.id, fakeOwner.id]);
  expect(createRoomContent({ name: "Plans", excludedIds }, fakeOwner.id, everybody)).toEqual({
    name: "Plans",
    kind: "group",
    members: [fakeOwner.id, fakeMain.id],
  });
});

test("name errors appear beside the name, others do not", () => {
  expect(nameErrorOf(new HearthError("record.handle-taken", "main is taken"))).toContain("Choose another");
  expect(nameErrorOf(new HearthError("record.invalid", "must contain a visible character"))).toBe(
    "must contain a visible character",
  );
  expect(nameErrorOf(new HearthError("house.unreachable", "gone"))).toBeUndefined();
});
