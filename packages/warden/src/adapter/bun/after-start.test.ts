import { expect, test } from "bun:test";
import { giveBackAfterStart } from "./after-start.ts";

test("memory is collected once after a start, after a pause, and not after the house has ended", async () => {
  const rest = Promise.withResolvers<void>();
  const over = new AbortController();
  let times = 0;
  const collect = (): void => void (times += 1);
  const given = giveBackAfterStart(() => rest.promise, collect, over.signal);
  expect(times).toBe(0);
  rest.resolve();
  await given;
  expect(times).toBe(1);
  over.abort();
  await giveBackAfterStart(async () => {}, collect, over.signal);
  expect(times).toBe(1);
});
