import { expect, test } from "bun:test";
import { type Attachment, UploadId } from "@hearth/protocol";
import { fakeEntry } from "../../house/fake-ui.tsx";
import { findPicture } from "./picture.ts";

const attach = (digit: number, name: string, more: Partial<Attachment> = {}): Attachment => ({
  id: UploadId.parse(`upl_${`${digit}`.repeat(26)}`),
  hash: "0".repeat(64),
  sizeBytes: 1200,
  name,
  type: "image/png",
  width: 3,
  height: 2,
  ...more,
});
const attachments = [attach(1, "two cats.png"), attach(2, "a.svg", { type: "text/plain" }), attach(3, "evil.example")];
const room = fakeEntry.room.id;
const find = (address: string): string | undefined => findPicture(room, attachments, address)?.name;

test("an image names an attached picture by its file name or path, also when encoded", () => {
  for (const address of ["two cats.png", "two%20cats.png", "charts/two cats.png", "./charts/two%20cats.png"])
    expect(find(address)).toBe("two cats.png");
  expect(findPicture(room, attachments, "two cats.png")).toMatchObject({
    url: `/api/rooms/${room}/attachments/upl_${"1".repeat(26)}`,
    width: 3,
    height: 2,
  });
});

test("another host, another scheme, another file and a file of another type are no picture", () => {
  for (const address of [
    "https://evil.example/two cats.png",
    "HTTPS:two cats.png",
    "data:image/png;base64,two cats.png",
    "//evil.example",
    "\\\\evil.example/two cats.png",
    "cats.png",
    "a.svg",
    "%E0%A4%A",
    "",
  ])
    expect(find(address)).toBeUndefined();
});
