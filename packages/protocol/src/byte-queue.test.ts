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

test("bytes come out as they went in, in order, until it is closed", async () => {
  const queue = filled(5000, 3, 5000, 7, 9, 4096, 1);
  queue.close();
  queue.put(new Uint8Array(1));
  const pieces = await read(queue);
  expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(14_116);
  expect(isWhole(pieces)).toBe(true);
});

test("crumbs that wait are few pieces, and nothing is none", async () => {
  const queue = filled(...Array<number>(256 * 1024).fill(1));
  for (let count = 0; count < 1000; count += 1) queue.put(new Uint8Array(0));
  queue.close();
  const pieces = await read(queue);
  expect(pieces).toHaveLength(64);
  expect(isWhole(pieces)).toBe(true);
});

test("what its reader has in hand does not change any more", async () => {
  const queue = filled(1);
  const reader = queue[Symbol.asyncIterator]();
  const first = (await reader.next()).value as Uint8Array;
  queue.put(Uint8Array.of(1));
  queue.put(Uint8Array.of(2));
  expect([...first]).toEqual([0]);
  expect([...((await reader.next()).value as Uint8Array)]).toEqual([1, 2]);
});

test("closed with an error it throws after what is in it", async () => {
  const queue = filled(2);
  queue.close(new Error("over"));
  const reader = queue[Symbol.asyncIterator]();
  expect((await reader.next()).value).toHaveLength(2);
  await expect(reader.next()).rejects.toThrow("over");
});
