import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { MAX_INLINE_SIZE } from "./blobs.ts";
import { packBody, unpackBody } from "./bodies.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";

const blobs = createMemoryBlobs((data) => new Bun.CryptoHasher("sha256").update(data).digest("hex"));

const texts = {
  nothing: { text: "", inline: true },
  "the longest text that fits": { text: "x".repeat(MAX_INLINE_SIZE), inline: true },
  "a text one character longer": { text: "x".repeat(MAX_INLINE_SIZE + 1), inline: false },
  "the longest text of two-byte characters": { text: "é".repeat(MAX_INLINE_SIZE / 2), inline: true },
  "few characters of many bytes": { text: "水".repeat(MAX_INLINE_SIZE / 3 + 1), inline: false },
  "a long text that begins with a byte order mark": { text: `\ufeff${"x".repeat(MAX_INLINE_SIZE)}`, inline: false },
  "a long text with U+0000 and emoji": { text: "😀\u0000".repeat(MAX_INLINE_SIZE), inline: false },
};

describe("a body", () => {
  for (const [what, { text, inline }] of Object.entries(texts)) {
    test(`${what} is in ${inline ? "the row" : "a blob"} and is read back`, async () => {
      const packed = await packBody(blobs, text);
      expect([packed.inline !== null, packed.blob !== null]).toEqual([inline, !inline]);
      expect((await unpackBody(blobs, packed)) === text).toBe(true);
    });
  }

  test("whose blob is missing is unavailable", async () => {
    const error = await unpackBody(blobs, { inline: null, blob: "0".repeat(64) }).catch((reason: unknown) => reason);
    expect(isHearthError(error, "store.damaged")).toBe(true);
  });
});
