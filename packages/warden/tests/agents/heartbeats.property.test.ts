/**
 * F1, R26. Whatever people, clocks and restarts do: no slot has two fates, and a heartbeat runs at
 * most once per news item.
 */
import { expect, test } from "bun:test";
import type { World } from "@hearth/protocol";
import fc from "fast-check";
import { atNoon, beatsOf, HOUR, MINUTE, openBeating, pass, setHeartbeat } from "../fixtures/heartbeats.ts";
import { createTestDisk } from "../../src/fixtures/house.ts";
import { call, resultsIn } from "../../src/fixtures/talk.ts";

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.integer({ min: MINUTE, max: 40 * MINUTE }) }) },
  { weight: 3, arbitrary: fc.constant({ kind: "say", ms: 0 }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("back"), ms: fc.integer({ min: MINUTE, max: 30 * MINUTE }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("forward"), ms: fc.integer({ min: MINUTE, max: 30 * MINUTE }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "restart", ms: 0 }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("down"), ms: fc.integer({ min: HOUR, max: 90 * HOUR }) }) },
);

test("no slot has two fates, and heartbeats never run more often than there is news", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      using disk = createTestDisk();
      const fake = atNoon();
      let skew = 0;
      /** The next slot may be this much later than the present clock would have it. */
      let wentBackMs = 0;
      const world = { ...fake, clock: { ...fake.clock, now: () => fake.clock.now() + skew } } satisfies World;
      let beats = 0;
      // The heartbeat acts each time; its own effects must not wake it.
      const open = () =>
        openBeating({
          ...{ disk, world: { ...world, advance: fake.advance } },
          beat(request) {
            if (resultsIn(request).length > 0) return { text: beats % 2 === 0 ? "HEARTBEAT_OK" : "I looked." };
            beats += 1;
            return call("write_brain", { path: "notes.md", mode: "append", text: `seen ${beats}` });
          },
        });
      let house = await open();
      try {
        await setHeartbeat(house, { every: "10m" });
        let news = 1;
        for (const { kind, ms } of steps) {
          if (kind === "say") {
            await house.post("something new");
            news += 1;
          }
          if (kind === "back") {
            skew -= ms;
            wentBackMs += ms;
          }
          if (kind === "forward") skew += ms;
          if (kind === "restart" || kind === "down") {
            await house[Symbol.asyncDispose]();
            if (kind === "down") await fake.advance(ms);
            house = await open();
          }
          await pass(house, fake, kind === "pass" ? ms : MINUTE);
          expect(beats).toBeLessThanOrEqual(news);
        }
        const slots = (await beatsOf(house)).filter(({ byHand }) => !byHand);
        let last = -Infinity;
        for (const { slot, through, reason } of slots) {
          expect(slot).toBeGreaterThan(last);
          expect(through).toBeGreaterThanOrEqual(slot);
          expect(reason).not.toBe("");
          last = through;
        }
        await pass(house, fake, 50 * MINUTE + wentBackMs);
        expect(beats).toBeLessThanOrEqual(news);
        expect(beats).toBeGreaterThanOrEqual(1);
      } finally {
        await house[Symbol.asyncDispose]();
      }
    }),
    { numRuns: 10 },
  );
}, 120_000);
