import { expect, test } from "bun:test";
import { UPLOAD_PART_BYTES } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { storeBody } from "./part-body.ts";

const CHUNK_BYTES = 512 * 1024;
const CHUNKS = 40;

/** A body whose pieces are counted as long as their memory is not released. */
const createCountedBody = () => {
  const buffers: ArrayBuffer[] = [];
  const held = (): number => buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = new Uint8Array(CHUNK_BYTES).fill(buffers.length);
        buffers.push(piece.buffer);
        controller.enqueue(piece);
        if (buffers.length === CHUNKS) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, held, pulled: () => buffers.length * CHUNK_BYTES };
};

const options = {
  missingBytes: CHUNKS * CHUNK_BYTES,
  clock: createFakeWorld({ hash: createBunWorld().hash }).clock,
  signal: new AbortController().signal,
  storesPartial: true,
};

test("a body of any size has at most one part and one piece of it in memory, and nothing at the end", async () => {
  const { body, held } = createCountedBody();
  const parts = new Set<ArrayBufferLike>();
  const heldAt: number[] = [];
  const first: number[] = [];
  await storeBody({
    ...options,
    body,
    async store(bytes) {
      parts.add(bytes.buffer);
      first.push(bytes[0] ?? -1, bytes.at(-1) ?? -1);
      heldAt.push(held() + bytes.buffer.byteLength);
    },
  });
  expect(first).toEqual([0, 7, 8, 15, 16, 23, 24, 31, 32, 39]);
  expect(Math.max(...heldAt)).toBeLessThanOrEqual(UPLOAD_PART_BYTES + CHUNK_BYTES);
  // One buffer serves all parts, and its memory is released.
  expect([parts.size, held(), ...Array.from(parts, ({ byteLength }) => byteLength)]).toEqual([1, 0, 0]);
});

test("the next part is not read before the previous one is stored", async () => {
  const { body, pulled } = createCountedBody();
  const begun = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const storing = storeBody({
    ...options,
    body,
    store: () => {
      begun.resolve();
      return stored.promise;
    },
  });
  await begun.promise;
  await options.clock.turn();
  expect(pulled()).toBe(UPLOAD_PART_BYTES);
  stored.resolve();
  await storing;
  expect(pulled()).toBe(CHUNKS * CHUNK_BYTES);
});

test("releases the memory of a body that cannot be stored", async () => {
  const { body, held } = createCountedBody();
  let part: ArrayBufferLike | undefined;
  const store = async (bytes: Uint8Array): Promise<void> => {
    part = bytes.buffer;
    throw new Error("the disk is full");
  };
  await expect(storeBody({ ...options, body, storesPartial: false, store })).rejects.toThrow();
  expect(part?.byteLength).toBe(0);
  expect(held()).toBeLessThanOrEqual(CHUNK_BYTES);
});
