/** The contract of `Blobs` as tests. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Blobs, SHARDS, shardPrefix, UNREFERENCED_MS } from "../blobs.ts";

export interface BlobsHarness extends AsyncDisposable {
  readonly blobs: Blobs;
  /** Advances the time by more than an hour. */
  age(): Promise<void>;
}

export const blobsConformance = (name: string, open: () => Promise<BlobsHarness>): void => {
  describe(`blobs: ${name}`, () => {
    let harness: BlobsHarness;
    let blobs: Blobs;
    beforeEach(async () => {
      harness = await open();
      blobs = harness.blobs;
    });
    afterEach(() => harness[Symbol.asyncDispose]());

    const samples = {
      nothing: new Uint8Array(),
      "every byte": Uint8Array.from({ length: 256 }, (_, index) => index),
      "3 MB": Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7) & 255),
    };
    for (const [what, bytes] of Object.entries(samples)) {
      test(`${what} is read back under the SHA-256 of its bytes`, async () => {
        const hash = await blobs.put(bytes);
        expect(hash).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
        const storedBytes = await blobs.get(hash);
        expect(storedBytes !== undefined && Buffer.from(storedBytes).equals(bytes)).toBe(true);
      });
    }

    test("the same bytes are the same blob, also in concurrent puts", async () => {
      const bytes = new TextEncoder().encode("twice");
      const hashes = await Promise.all([blobs.put(bytes), blobs.put(bytes), blobs.put(bytes.slice())]);
      expect(new Set([...hashes, await blobs.put(bytes)]).size).toBe(1);
      expect(await blobs.get(hashes[0])).toEqual(bytes);
    });

    test("an unknown hash is undefined, and so is a name that is not a hash", async () => {
      await blobs.put(new Uint8Array([1]));
      for (const hash of ["0".repeat(64), "", "..", "../../etc/passwd", "A".repeat(64)])
        expect(await blobs.get(hash)).toBeUndefined();
    });

    test("a view is put as its own bytes, not as the whole buffer", async () => {
      const view = new Uint8Array([9, 1, 2, 9]).subarray(1, 3);
      expect(await blobs.get(await blobs.put(view))).toEqual(new Uint8Array([1, 2]));
    });

    test("a removed blob is gone once it is old enough, and can be put again", async () => {
      const [bytes, otherBytes] = [new Uint8Array([1]), new Uint8Array([2])];
      const [hash, otherHash] = [await blobs.put(bytes), await blobs.put(otherBytes)];
      await blobs.remove(hash);
      expect(await blobs.get(hash)).toEqual(bytes);
      await harness.age();
      for (const name of [hash, hash, "0".repeat(64), "", "../../etc"]) await blobs.remove(name);
      expect([await blobs.get(hash), await blobs.get(otherHash)]).toEqual([undefined, otherBytes]);
      expect(await blobs.put(bytes)).toBe(hash);
      await blobs.remove(hash);
      expect(await blobs.get(hash)).toEqual(bytes);
    });

    test("an erased blob is gone at once, and can be put again", async () => {
      const [bytes, otherBytes] = [new Uint8Array([1]), new Uint8Array([2])];
      const [hash, otherHash] = [await blobs.put(bytes), await blobs.put(otherBytes)];
      for (const name of [hash, hash, "0".repeat(64), "", "../../etc"]) await blobs.erase(name);
      expect([await blobs.get(hash), await blobs.get(otherHash)]).toEqual([undefined, otherBytes]);
      expect(await blobs.get(await blobs.put(bytes))).toEqual(bytes);
    });

    test("an old blob that is put again counts as new", async () => {
      const bytes = new Uint8Array([1]);
      const hash = await blobs.put(bytes);
      await harness.age();
      await blobs.put(bytes);
      await blobs.remove(hash);
      expect(await blobs.get(hash)).toEqual(bytes);
    });

    test("each blob is listed once, in the shard of its hash, with its size and age", async () => {
      const sizes = new Map<string, number>();
      for (const size of [0, 1, 2, 300]) sizes.set(await blobs.put(new Uint8Array(size)), size);
      const listBlobs = async () => {
        const entries = [];
        for (let shard = 0; shard < SHARDS; shard += 1)
          for (const entry of await blobs.list(shard)) {
            expect(entry.hash.startsWith(shardPrefix(shard))).toBe(true);
            entries.push(entry);
          }
        return entries;
      };
      const newEntries = await listBlobs();
      expect(new Map(newEntries.map(({ hash, sizeBytes }) => [hash, sizeBytes]))).toEqual(sizes);
      expect(newEntries).toHaveLength(sizes.size);
      expect(newEntries.every(({ ageMs }) => ageMs < UNREFERENCED_MS)).toBe(true);
      await harness.age();
      const [again = "", removed = "", erased = ""] = sizes.keys();
      await blobs.put(new Uint8Array(0));
      await blobs.remove(removed);
      await blobs.erase(erased);
      const oldEntries = await listBlobs();
      expect(oldEntries).toHaveLength(2);
      for (const { hash, ageMs } of oldEntries)
        expect([hash, ageMs >= UNREFERENCED_MS]).toEqual([hash, hash !== again]);
    });

    test("later changes of the bytes by the caller have no effect", async () => {
      const bytes = new Uint8Array([1, 2, 3]);
      const hash = await blobs.put(bytes);
      bytes.fill(0);
      (await blobs.get(hash))?.fill(0);
      expect(await blobs.get(hash)).toEqual(new Uint8Array([1, 2, 3]));
    });
  });
};
