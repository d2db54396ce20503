import { expect, test } from "bun:test";
import { aeadConformance } from "../../../policy/secrets/aead.conformance.ts";
import { createBunAead } from "./aead.ts";

aeadConformance("AES-256-GCM", createBunAead());

test("the cipher is AES-256-GCM with a 128-bit tag", async () => {
  // Test case 16 of the GCM specification.
  const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
  const box = await createBunAead().seal(new Uint8Array(32), new Uint8Array(12), new Uint8Array(16), "");
  expect(box).toEqual(hex("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"));
});
