import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createWorkers } from "./workers.ts";

const open = () => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const closing = new AbortController();
  return { world, closing, workers: createWorkers({ sleep: world.clock.sleep, signal: closing.signal }) };
};

test("a key has one worker at a time, and keys do not wait for each other", async () => {
  const { workers } = open();
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  workers.start("a", () => (begun.push("a"), first.promise));
  workers.start("a", async () => void begun.push("a by another"));
  workers.start("b", async () => void begun.push("b"));
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual(["a", "b"]);
  first.resolve();
  await workers.idle();
});

test("a worker that is started again while it runs looks again, however late that was", async () => {
  const { workers } = open();
  let looks = 0;
  const work = async (): Promise<void> => {
    looks += 1;
    if (looks === 1) workers.start("a", work);
  };
  workers.start("a", work);
  await workers.idle();
  expect(looks).toBe(2);
  workers.start("a", work);
  await workers.idle();
  expect(looks).toBe(3);
});

test("a pause ends after its time, when there is more work, and when the house ends", async () => {
  const { workers, world, closing } = open();
  let pauses = 0;
  workers.start("a", async ({ pause }) => {
    while (pauses < 3) {
      await pause(1000);
      pauses += 1;
    }
  });
  await world.advance(0);
  await world.advance(999);
  expect(pauses).toBe(0);
  await world.advance(1);
  expect(pauses).toBe(1);
  workers.start("a", async () => {});
  await world.advance(0);
  expect(pauses).toBe(2);
  closing.abort();
  await world.advance(0);
  expect(pauses).toBe(3);
  await workers.idle();
});
