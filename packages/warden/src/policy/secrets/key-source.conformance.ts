/** The contract of `KeySource` as tests. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { KEY_SIZE } from "./aead.ts";
import type { KeySource } from "./key-source.ts";

export interface KeySourceHarness extends AsyncDisposable {
  readonly source: KeySource;
  /** Another instance on the same place. */
  again(): KeySource;
  /** From now on it cannot be asked; absent where nothing can come in between. */
  readonly shut?: () => Promise<void>;
}

const PASSPHRASE = "correct horse battery";
const ONE = "0011223344556677";
const OTHER = "8899aabbccddeeff";

export const keySourceConformance = (name: string, open: () => Promise<KeySourceHarness>): void => {
  describe(`key source: ${name}`, () => {
    test("a key that was made is found again, also by whoever comes later", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(ONE, PASSPHRASE);
      expect(key).toHaveLength(KEY_SIZE);
      expect(await harness.source.find(ONE, about, PASSPHRASE)).toEqual(key);
      expect(await harness.again().find(ONE, about, PASSPHRASE)).toEqual(key);
    });

    test("two keys have nothing in common, and one is found while the other is there", async () => {
      await using harness = await open();
      const one = await harness.source.make(ONE, PASSPHRASE);
      const other = await harness.source.make(OTHER, PASSPHRASE);
      expect(Buffer.from(one.key).equals(other.key)).toBe(false);
      expect(await harness.source.find(ONE, one.about, PASSPHRASE)).toEqual(one.key);
      await harness.source.drop(ONE);
      expect(await harness.source.find(OTHER, other.about, PASSPHRASE)).toEqual(other.key);
    });

    test("what was never made, or was dropped, is not found; another passphrase leads to another key", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(ONE, PASSPHRASE);
      if (harness.source.traits.asksPassphrase) {
        expect(await harness.source.find(ONE, about, `${PASSPHRASE} `)).not.toEqual(key);
        return;
      }
      expect(await harness.source.find(OTHER, about)).toBeUndefined();
      await harness.source.drop(ONE);
      await harness.source.drop(ONE);
      expect(await harness.source.find(ONE, about)).toBeUndefined();
    });

    test("what stands beside the secrets tells neither the key nor the passphrase", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(ONE, PASSPHRASE);
      for (const encoding of ["hex", "base64", "base64url", "latin1"] as const)
        expect(about).not.toContain(Buffer.from(key).toString(encoding));
      expect(about).not.toContain(PASSPHRASE);
    });

    test("a place that cannot be asked is a failure that says what to do, and nothing of the key", async () => {
      await using harness = await open();
      if (harness.shut === undefined) return expect(harness.source.traits).toBeDefined();
      const { key, about } = await harness.source.make(ONE, PASSPHRASE);
      await harness.shut();
      for (const act of [
        () => harness.source.find(ONE, about, PASSPHRASE),
        () => harness.source.make(OTHER, PASSPHRASE),
      ]) {
        const error: unknown = await act().catch((thrown: unknown) => thrown);
        if (!isHearthError(error, "secret.locked")) throw new Error("it did not fail as it should", { cause: error });
        expect(error.hint).toBeString();
        const told = JSON.stringify(error, Object.getOwnPropertyNames(error));
        for (const text of [Buffer.from(key).toString("hex"), Buffer.from(key).toString("base64"), PASSPHRASE])
          expect(told).not.toContain(text);
      }
    });
  });
};
