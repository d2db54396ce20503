import { expect, test } from "bun:test";
import { lazy } from "./lazy.ts";

test("what is made late is made once, for all who ask", async () => {
  let made = 0;
  const late = lazy(async () => (made += 1));
  expect(await Promise.all([late(), late()])).toEqual([1, 1]);
  expect([await late(), made]).toEqual([1, 1]);
});

test("nothing is made before somebody asks", () => {
  lazy(() => expect.unreachable());
});

test("what could not be made is tried again by whoever asks next", async () => {
  let tries = 0;
  const late = lazy(async () => {
    tries += 1;
    if (tries < 3) throw new Error("not yet");
    return tries;
  });
  await expect(late()).rejects.toThrow("not yet");
  await expect(Promise.all([late(), late()])).rejects.toThrow("not yet");
  expect(await late()).toBe(3);
});
