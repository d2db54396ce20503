import { expect, test } from "bun:test";
import { scryptSync } from "node:crypto";
import { createBunHmac } from "./hmac.ts";

const hmac = createBunHmac(new Uint8Array(20).fill(0x0b));
const EXPECTED = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";

test("the HMAC is that of RFC 4231", () => {
  expect(hmac("Hi There")).toBe(EXPECTED);
});

test("the HMAC does not fail after another cryptographic function failed", async () => {
  expect(() => scryptSync("a", "b", 32, { N: 2 ** 20, r: 8, p: 1, maxmem: 2 ** 20 })).toThrow("MEMORY_LIMIT_EXCEEDED");
  expect(hmac("Hi There")).toBe(EXPECTED);
  // A passkey's public key that is not a point of its curve.
  const notOnCurve = new Uint8Array(65).fill(4);
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const error: unknown = await crypto.subtle
    .importKey("raw", notOnCurve, algorithm, false, ["verify"])
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(hmac("Hi There")).toBe(EXPECTED);
});
