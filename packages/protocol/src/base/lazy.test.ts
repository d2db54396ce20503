import { expect, test } from "bun:test";
import { lazy } from "./lazy.ts";

test("concurrent calls share one result", async () => {
  let made = 0;
  const get = lazy(async () => (made += 1));
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect([await get(), made]).toEqual([1, 1]);
});

test("nothing is created before the first call", () => {
  lazy(() => expect.unreachable());
});

test("a failed creation is retried by the next call", async () => {
  let tries = 0;
  const get = lazy(async () => {
    tries += 1;
    if (tries < 3) throw new Error("not yet");
    return tries;
  });
  await expect(get()).rejects.toThrow("not yet");
  await expect(Promise.all([get(), get()])).rejects.toThrow("not yet");
  expect(await get()).toBe(3);
});
