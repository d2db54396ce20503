/** Ranges of an upload at the borders of its parts. */
import { expect, test } from "bun:test";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { type HouseId, type UploadId, UPLOAD_PART_BYTES } from "@hearth/protocol";
import { createPartReader } from "./part-reader.ts";

const UPLOAD = "upl_1" as UploadId;
const HOUSE = "house_1" as HouseId;

/** Stores the texts as parts of one upload, one after the other. */
const store = async (...parts: readonly string[]) => {
  const rows = createMemoryStore();
  const blobs = createMemoryBlobs((bytes) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
  let start = 0;
  for (const part of parts) {
    const blob = await blobs.put(Buffer.from(part));
    const row = { upload: UPLOAD, start, size: part.length, blob, house: HOUSE };
    await rows.commit({ guards: [], writes: [{ kind: "insert", table: "upload_parts", row }] });
    start += part.length;
  }
  const reader = createPartReader({ store: rows, blobs });
  return {
    reader,
    rows,
    blobs,
    pieces: async (from: number, to: number) =>
      (await Array.fromAsync(reader.read(UPLOAD, from, to))).map((bytes) => Buffer.from(bytes).toString()),
  };
};

test.each([
  [0, 9, ["abc", "def", "ghi"]],
  [3, 6, ["def"]],
  [2, 7, ["c", "def", "g"]],
  [4, 5, ["e"]],
  [8, 9, ["i"]],
  [3, 3, []],
])("bytes %i to %i come in pieces of the parts, and no piece is empty", async (from, to, expected) => {
  const { pieces, reader } = await store("abc", "def", "ghi");
  expect(await pieces(from, to)).toEqual(expected);
  expect(Buffer.from(await reader.slice(UPLOAD, from, to)).toString()).toBe(expected.join(""));
});

test("a whole part before the range may be as long as a part can be", async () => {
  const { pieces } = await store("a".repeat(UPLOAD_PART_BYTES), "bc");
  expect(await pieces(UPLOAD_PART_BYTES, UPLOAD_PART_BYTES + 2)).toEqual(["bc"]);
  expect(await pieces(UPLOAD_PART_BYTES - 1, UPLOAD_PART_BYTES + 1)).toEqual(["a", "b"]);
});

test("more parts than one query returns are one upload", async () => {
  const texts = Array.from({ length: 130 }, (_, nth) => String.fromCharCode(0x21 + (nth % 90)));
  const { reader } = await store(...texts);
  expect(Buffer.from(await reader.join(UPLOAD, 130)).toString()).toBe(texts.join(""));
});

test("an upload with fewer bytes than the range, or without the blob of a part, is damaged", async () => {
  const { reader, rows, blobs } = await store("abc", "def");
  await expect(reader.slice(UPLOAD, 0, 7)).rejects.toMatchObject({ code: "store.damaged" });
  const [row] = await rows.select({ table: "upload_parts", where: { upload: UPLOAD, start: 3 } });
  await blobs.erase(row?.blob ?? "");
  await expect(reader.slice(UPLOAD, 0, 4)).rejects.toMatchObject({ code: "store.damaged" });
  expect(Buffer.from(await reader.slice(UPLOAD, 0, 3)).toString()).toBe("abc");
});
