import { expect, test } from "bun:test";
import type { ActivationId } from "@hearth/protocol";
import { createInFlightCalls } from "./in-flight.ts";

const [ONE, OTHER] = [`act_${"1".repeat(26)}`, `act_${"2".repeat(26)}`] as [ActivationId, ActivationId];

test("`waitForEnd` waits for every running call of its activation, and for no other", async () => {
  const inFlight = createInFlightCalls();
  await inFlight.waitForCalls(ONE);
  const ends = [inFlight.begin(ONE), inFlight.begin(ONE)];
  inFlight.begin(OTHER);
  let isOver = false;
  const waiting = inFlight.waitForCalls(ONE).then(() => (isOver = true));
  ends[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  ends[1]?.();
  await waiting;
  await inFlight.waitForCalls(ONE);
  // A later call is a new one.
  const end = inFlight.begin(ONE);
  let isOverAgain = false;
  const again = inFlight.waitForCalls(ONE).then(() => (isOverAgain = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOverAgain).toBe(false);
  end();
  await again;
});
