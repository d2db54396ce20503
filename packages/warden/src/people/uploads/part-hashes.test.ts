/** When the parts of an upload are read again for its hash. */
import { expect, test } from "bun:test";
import type { UploadId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createPartHashes } from "./part-hashes.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const STORED = "stored bytes";

const open = () => {
  const reads: string[] = [];
  const hashes = createPartHashes({
    world: createFakeWorld({ hash }),
    parts: {
      async *read(id) {
        reads.push(id);
        yield Buffer.from(STORED);
      },
    },
  });
  const add = (id: string, offset: number, part: string): void =>
    hashes.keep(id, offset + part.length, hashes.add(id, offset, Buffer.from(part)));
  const whole = (id: string): Promise<string> => hashes.digestOf({ id: id as UploadId, size: 3 });
  return { hashes, reads, add, whole };
};

test("the hash of parts that arrive in order is known without a read", async () => {
  const { reads, add, whole } = open();
  add("one", 0, "ab");
  add("one", 2, "c");
  expect(await whole("one")).toBe(hash("abc"));
  expect(reads).toEqual([]);
});

test.each<readonly [string, (of: ReturnType<typeof open>) => void]>([
  ["the first part is not known", ({ add }) => add("one", 2, "c")],
  ["a part between is not known", ({ add }) => [add("one", 0, "a"), add("one", 2, "c")]],
  ["its hash was dropped", ({ add, hashes }) => [add("one", 0, "abc"), hashes.drop("one")]],
  ["its last part is not known", ({ add }) => add("one", 0, "ab")],
  [
    "64 other uploads have begun since",
    ({ add }) => Array.from({ length: 65 }, (_, nth) => add(nth === 0 ? "one" : `${nth}`, 0, "abc")),
  ],
])("the parts are read again if %s", async (_when, prepare) => {
  const opened = open();
  prepare(opened);
  expect(await opened.whole("one")).toBe(hash(STORED));
  expect(opened.reads).toEqual(["one"]);
});

test("the hashes of 64 uploads are kept", async () => {
  const { reads, add, whole } = open();
  for (let nth = 0; nth < 64; nth += 1) add(String(nth), 0, "abc");
  expect(await whole("0")).toBe(hash("abc"));
  expect(reads).toEqual([]);
});
