import { expect, test } from "bun:test";
import { type AgentId, type HouseId, RoomId, UploadId } from "@hearth/protocol";
import { SMALL_PICTURE } from "@hearth/protocol/picture-sizes";
import type { KeptPicture } from "../../people/uploads/uploads.ts";
import { createSizedPictures } from "./sized-pictures.ts";

const room = RoomId.parse(`room_${"0".repeat(26)}`);
const upload = UploadId.parse(`upl_${"0".repeat(26)}`);
const small = { type: "image/webp", width: 10, height: 5, bytes: Uint8Array.of(1, 2) } as const;

const open = (type = "image/png", why?: string) => {
  const kept = new Map<number, Omit<KeptPicture, "hash">>();
  const seen = { scaled: [] as string[], opened: 0, isFinal: true };
  const sized = createSizedPictures({
    uploads: {
      async open() {
        seen.opened += 1;
        return {
          attachment: { id: upload, hash: "a".repeat(64), type, name: "a", sizeBytes: 9 },
          owner: "agent_ana" as AgentId,
          house: "house_1" as HouseId,
          async *read() {
            yield Uint8Array.of(7);
          },
          slice: async () => Uint8Array.of(7),
        };
      },
      async findPicture(_id, edge) {
        const found = kept.get(edge);
        return found === undefined ? undefined : { ...found, hash: "b".repeat(64) };
      },
      async keepPicture(_id, edge, picture) {
        kept.set(edge, picture);
        return "b".repeat(64);
      },
    },
    pictures: {
      async scale({ scope, sizeBytes }, { edge }) {
        seen.scaled.push(`${scope === room} ${sizeBytes} ${edge}`);
        const result =
          why === undefined ? ({ kind: "picture", ...small } as const) : ({ kind: "refused", why } as const);
        return { result, isFinal: seen.isFinal };
      },
    },
  });
  return { sized, show: (limits = SMALL_PICTURE) => sized.show(room, upload, limits), seen };
};

test("a picture is scaled down once for each size, also when two requests come at once", async () => {
  const { show, seen } = open();
  const expected = { kind: "picture", ...small, hash: "b".repeat(64) } as const;
  expect(await Promise.all([show(), show()])).toEqual([expected, expected]);
  expect(await show()).toEqual(expected);
  await show({ edge: 1568, sizeBytes: 5000 });
  expect(seen.scaled).toEqual(["true 9 640", "true 9 1568"]);
  // Each request checks that a message of the room names the file.
  expect(seen.opened).toBe(4);
});

test("a kept picture with more bytes than the limit is made again", async () => {
  const { show, seen } = open();
  await show({ edge: 1568, sizeBytes: 5000 });
  await show({ edge: 1568, sizeBytes: 1 });
  expect(seen.scaled.length).toBe(2);
});

test("a final refusal is remembered, and another one is not", async () => {
  const { show, seen } = open("image/png", "Its content is damaged.");
  seen.isFinal = false;
  await show();
  seen.isFinal = true;
  await show();
  expect(await show()).toEqual({ kind: "refused", why: "Its content is damaged." });
  expect(seen.scaled.length).toBe(2);
});

test("a file that is no picture is refused without a process", async () => {
  const { show, seen } = open("application/pdf");
  expect(await show()).toMatchObject({ kind: "refused" });
  expect(seen.scaled).toEqual([]);
});

test("the small version has the size of a page, and a refusal is an error with the reason", async () => {
  const { sized, seen } = open();
  expect(await sized.showSmall(room, upload)).toMatchObject(small);
  expect(seen.scaled).toEqual(["true 9 640"]);
  const refused = open("image/png", "Its content is damaged.").sized.showSmall(room, upload);
  await expect(refused).rejects.toMatchObject({
    code: "attachment.no-picture",
    message: "The house has no small version of this file. Its content is damaged.",
  });
});
