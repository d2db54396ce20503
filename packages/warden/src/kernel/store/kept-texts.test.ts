import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTextBlobCache, UNREFERENCED_MS } from "./blobs.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const start = () => {
  const { clock, advance } = createFakeWorld({ hash });
  const blobs = createMemoryBlobs(hash, clock.now);
  let puts = 0;
  const texts = createTextBlobCache({ clock, blobs: { put: (bytes) => ((puts += 1), blobs.put(bytes)) } });
  return { texts, advance, puts: () => puts };
};

test("a text is put once while a blob without a row is certain to stay, and then again", async () => {
  const { texts, advance, puts } = start();
  const kept = await texts.put("one");
  expect([kept, await texts.put("one"), puts()]).toEqual([hash("one"), kept, 1]);
  await advance(UNREFERENCED_MS / 2 - 1);
  expect([await texts.put("one"), puts()]).toEqual([kept, 1]);
  await advance(1);
  expect([await texts.put("one"), puts()]).toEqual([kept, 2]);
  expect([await texts.put("one"), puts()]).toEqual([kept, 2]);
});

test("a text that was dropped is put again, and no other", async () => {
  const { texts, puts } = start();
  for (const text of ["one", "two"]) await texts.put(text);
  texts.drop(hash("one"));
  for (const text of ["two", "one"]) await texts.put(text);
  expect(puts()).toBe(3);
});

test("at most 1000 texts are remembered", async () => {
  const { texts, puts } = start();
  for (let index = 0; index < 1000; index += 1) await texts.put(String(index));
  await texts.put("0");
  expect(puts()).toBe(1000);
  await texts.put("one more");
  await texts.put("one more");
  expect(puts()).toBe(1001);
  await texts.put("0");
  expect(puts()).toBe(1002);
});
