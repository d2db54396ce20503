import { expect, test } from "bun:test";
import { createTopCandidates } from "./top-candidates.ts";

test("`take` returns about as many chunks as wanted, including all the best, and empties the collection", () => {
  const sieve = createTopCandidates();
  for (let chunk = 0; chunk < 10_000; chunk += 1) sieve.add(chunk, (chunk * 7919) % 10_000);
  const kept = [...sieve.take(500)];
  expect(kept.length).toBeGreaterThanOrEqual(500);
  expect(kept.length).toBeLessThan(510);
  const left = new Set(kept);
  for (let chunk = 0; chunk < 10_000; chunk += 1) {
    if ((chunk * 7919) % 10_000 >= 9500) expect(left.has(chunk)).toBe(true);
  }
  sieve.add(3, 1);
  expect([...sieve.take(500)]).toEqual([3]);
});

test("`take` returns all chunks if there are few, or if all estimates are equal", () => {
  const sieve = createTopCandidates();
  for (const chunk of [5, 3, 8]) sieve.add(chunk, -chunk);
  expect([...sieve.take(10)]).toEqual([5, 3, 8]);
  for (let chunk = 0; chunk < 100; chunk += 1) sieve.add(chunk, 4);
  expect(sieve.take(10)).toHaveLength(100);
  expect(sieve.take(10)).toHaveLength(0);
});
