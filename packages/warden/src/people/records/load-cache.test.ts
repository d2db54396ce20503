import { expect, test } from "bun:test";
import { createLoadCache } from "./load-cache.ts";

test("a value is loaded once until something changes", async () => {
  const kept = createLoadCache<number>();
  let count = 0;
  const load = async () => (count += 1);
  expect(await Promise.all([kept.get("a", load), kept.get("a", load)])).toEqual([1, 1]);
  expect(await kept.get("b", load)).toBe(2);
  kept.drop();
  expect(await kept.get("a", load)).toBe(3);
});

test("a load that began before a change is not cached", async () => {
  const kept = createLoadCache<string>();
  const slow = Promise.withResolvers<string>();
  const old = kept.get("a", () => slow.promise);
  kept.drop();
  expect(await kept.get("a", async () => "new")).toBe("new");
  slow.resolve("old");
  expect(await old).toBe("old");
  expect(await kept.get("a", async () => "newer")).toBe("new");
});

test("a failed load is repeated", async () => {
  const kept = createLoadCache<string>();
  await expect(kept.get("a", () => Promise.reject(new Error("disk")))).rejects.toThrow("disk");
  expect(await kept.get("a", async () => "there")).toBe("there");
});

test("missing values are not cached, because arbitrary names would fill the cache", async () => {
  const kept = createLoadCache<string | undefined>();
  expect(await kept.get("a", async () => undefined)).toBeUndefined();
  expect(await kept.get("a", async () => "there")).toBe("there");
});

test("the number of keys is limited, and the oldest is evicted", async () => {
  const kept = createLoadCache<string>(2);
  for (const key of ["a", "b", "c"]) await kept.get(key, async () => "old");
  expect(await kept.get("b", async () => "new")).toBe("old");
  expect(await kept.get("c", async () => "new")).toBe("old");
  expect(await kept.get("a", async () => "new")).toBe("new");
});

test("by default the limit is 4096 keys", async () => {
  const kept = createLoadCache<number>();
  const count = 10_000;
  for (let key = 0; key < count; key += 1) await kept.get(`${key}`, async () => 1);
  const still: number[] = [];
  // From the last, because a new entry evicts the oldest one.
  for (let key = count - 1; key >= 0; key -= 1) still.push(await kept.get(`${key}`, async () => 0));
  expect(still.filter((value) => value === 1)).toHaveLength(4096);
});
