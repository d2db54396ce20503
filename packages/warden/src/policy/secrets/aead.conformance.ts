/** The contract of `Aead` as tests. */
import { describe, expect, test } from "bun:test";
import { type Aead, KEY_SIZE, NONCE_SIZE } from "./aead.ts";

const encoder = new TextEncoder();
const KEY = new Uint8Array(KEY_SIZE).fill(1);
const NONCE = new Uint8Array(NONCE_SIZE).fill(2);
const PLAIN = encoder.encode("a secret value");

const withChangedByte = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

export const aeadConformance = (name: string, aead: Aead): void => {
  describe(`sealed boxes: ${name}`, () => {
    test("open returns what was sealed, also if it was empty", async () => {
      for (const plain of [PLAIN, new Uint8Array()]) {
        const box = await aead.seal(KEY, NONCE, plain, "about");
        expect(await aead.open(KEY, NONCE, box, "about")).toEqual(plain);
      }
    });

    test("a box reveals nothing of its content", async () => {
      const box = await aead.seal(KEY, NONCE, PLAIN, "about");
      expect(Buffer.from(box).includes(PLAIN.subarray(0, 8))).toBe(false);
      expect(await aead.seal(KEY, withChangedByte(NONCE, 0), PLAIN, "about")).not.toEqual(box);
    });

    test("a box does not open with another key, nonce or name", async () => {
      const box = await aead.seal(KEY, NONCE, PLAIN, "about");
      expect(await aead.open(withChangedByte(KEY, 31), NONCE, box, "about")).toBeUndefined();
      expect(await aead.open(KEY, withChangedByte(NONCE, 11), box, "about")).toBeUndefined();
      expect(await aead.open(KEY, NONCE, box, "about ")).toBeUndefined();
      expect(await aead.open(KEY, NONCE, box, "")).toBeUndefined();
    });

    test("a changed, truncated or invented box does not open", async () => {
      const box = await aead.seal(KEY, NONCE, PLAIN, "about");
      for (let at = 0; at < box.length; at += 1)
        expect([at, await aead.open(KEY, NONCE, withChangedByte(box, at), "about")]).toEqual([at, undefined]);
      for (const wrongBox of [box.subarray(1), box.subarray(0, -1), new Uint8Array(), new Uint8Array(8)])
        expect(await aead.open(KEY, NONCE, wrongBox, "about")).toBeUndefined();
    });
  });
};
