import { expect, test } from "bun:test";
import { createByteQueue } from "./byte-queue.ts";

const filled = (...sizes: readonly number[]) => {
  const queue = createByteQueue();
  let next = 0;
  for (const size of sizes) queue.put(Uint8Array.from({ length: size }, () => next++ % 251));
  return queue;
};
const read = async (queue: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> => {
  const pieces: Uint8Array[] = [];
  for await (const bytes of queue) pieces.push(bytes);
  return pieces;
};
const isWhole = (pieces: readonly Uint8Array[]): boolean =>
  Buffer.concat(pieces).every((byte, index) => byte === index % 251);

test("a reader gets all bytes in order, and no bytes that are put after `close`", async () => {
  const queue = filled(5000, 3, 5000, 7, 9, 4096, 1);
  queue.close();
  queue.put(new Uint8Array(1));
  const pieces = await read(queue);
  expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(14_116);
  expect(isWhole(pieces)).toBe(true);
});

test("small writes are joined into few pieces, and empty writes are dropped", async () => {
  const queue = filled(...Array<number>(256 * 1024).fill(1));
  for (let count = 0; count < 1000; count += 1) queue.put(new Uint8Array(0));
  queue.close();
  const pieces = await read(queue);
  expect(pieces).toHaveLength(64);
  expect(isWhole(pieces)).toBe(true);
});

test("a piece that the reader has received does not change", async () => {
  const queue = filled(1);
  const reader = queue[Symbol.asyncIterator]();
  const first = (await reader.next()).value as Uint8Array;
  queue.put(Uint8Array.of(1));
  queue.put(Uint8Array.of(2));
  expect([...first]).toEqual([0]);
  expect([...((await reader.next()).value as Uint8Array)]).toEqual([1, 2]);
});

test("a queue closed with an error throws after its remaining bytes", async () => {
  const queue = filled(2);
  queue.close(new Error("over"));
  const reader = queue[Symbol.asyncIterator]();
  expect((await reader.next()).value).toHaveLength(2);
  await expect(reader.next()).rejects.toThrow("over");
});
