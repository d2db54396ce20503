import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBestChunks } from "./best.ts";

test("the best items are returned best first, and equal scores in the given order", () => {
  const anyScores = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 60 });
  fc.assert(
    fc.property(anyScores, fc.integer({ min: 0, max: 12 }), (scores, limit) => {
      const best = createBestChunks(limit, (one, other) => other - one);
      for (const [chunk, score] of scores.entries()) best.offer(chunk, score);
      const sorted = scores
        .map((score, chunk) => ({ chunk, score }))
        .sort((one, other) => other.score - one.score || other.chunk - one.chunk);
      expect([...best.results()]).toEqual(sorted.slice(0, limit));
    }),
  );
});
