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

test("a load that began before a change is not kept", async () => {
  const kept = createLoadCache<string>();
  const slow = Promise.withResolvers<string>();
  const old = kept.get("a", () => slow.promise);
  kept.drop();
  expect(await kept.get("a", async () => "new")).toBe("new");
  slow.resolve("old");
  expect(await old).toBe("old");
  expect(await kept.get("a", async () => "newer")).toBe("new");
});

test("a load that fails is tried again", async () => {
  const kept = createLoadCache<string>();
  await expect(kept.get("a", () => Promise.reject(new Error("disk")))).rejects.toThrow("disk");
  expect(await kept.get("a", async () => "there")).toBe("there");
});

test("that there is nothing is not kept: names that were made up would pile up", async () => {
  const kept = createLoadCache<string | undefined>();
  expect(await kept.get("a", async () => undefined)).toBeUndefined();
  expect(await kept.get("a", async () => "there")).toBe("there");
});

test("so many keys are kept, and the one that was read first goes first", async () => {
  const kept = createLoadCache<string>(2);
  for (const key of ["a", "b", "c"]) await kept.get(key, async () => "old");
  expect(await kept.get("b", async () => "new")).toBe("old");
  expect(await kept.get("c", async () => "new")).toBe("old");
  expect(await kept.get("a", async () => "new")).toBe("new");
});

test("without a word about it some thousand keys are kept, and never more", async () => {
  const kept = createLoadCache<number>();
  const count = 10_000;
  for (let key = 0; key < count; key += 1) await kept.get(`${key}`, async () => 1);
  const still: number[] = [];
  // From the last: what is read anew pushes out what was read first.
  for (let key = count - 1; key >= 0; key -= 1) still.push(await kept.get(`${key}`, async () => 0));
  expect(still.filter((value) => value === 1)).toHaveLength(4096);
});
