/** The contract of `KeySource` as tests. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { KEY_SIZE } from "./aead.ts";
import type { KeySource } from "./key-source.ts";

export interface KeySourceHarness extends AsyncDisposable {
  readonly source: KeySource;
  /** Another instance for the same place. */
  again(): KeySource;
  /** Makes the source unreachable; absent if it cannot become unreachable. */
  readonly shut?: () => Promise<void>;
}

const PASSPHRASE = "correct horse battery";
const ONE = "0011223344556677";
const OTHER = "8899aabbccddeeff";

export const keySourceConformance = (name: string, open: () => Promise<KeySourceHarness>): void => {
  describe(`key source: ${name}`, () => {
    test("a key that was made is found again, also by a later instance", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(ONE, PASSPHRASE);
      expect(key).toHaveLength(KEY_SIZE);
      expect(await harness.source.find(ONE, about, PASSPHRASE)).toEqual(key);
      expect(await harness.again().find(ONE, about, PASSPHRASE)).toEqual(key);
    });

    test("two keys differ, and each is found while the other exists", async () => {
      await using harness = await open();
      const one = await harness.source.make(ONE, PASSPHRASE);
      const other = await harness.source.make(OTHER, PASSPHRASE);
      expect(Buffer.from(one.key).equals(other.key)).toBe(false);
      expect(await harness.source.find(ONE, one.about, PASSPHRASE)).toEqual(one.key);
      await harness.source.drop(ONE);
      expect(await harness.source.find(OTHER, other.about, PASSPHRASE)).toEqual(other.key);
    });

    test("a key that was never made or was dropped is not found; another passphrase gives another key", async () => {
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

    test("what is stored beside the secrets reveals neither the key nor the passphrase", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(ONE, PASSPHRASE);
      for (const encoding of ["hex", "base64", "base64url", "latin1"] as const)
        expect(about).not.toContain(Buffer.from(key).toString(encoding));
      expect(about).not.toContain(PASSPHRASE);
    });

    test("an unreachable source fails with a remedy and reveals nothing of the key", async () => {
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
