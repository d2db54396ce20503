/** The contract of `KeySource` as tests. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { KEY_SIZE } from "./aead.ts";
import type { KeySource } from "./key-source.ts";

export interface KeySourceHarness extends AsyncDisposable {
  readonly source: KeySource;
  /** Returns another instance for the same place. */
  again(): KeySource;
  /** Makes the source unreachable; absent if it cannot become unreachable. */
  readonly shut?: () => Promise<void>;
}

const PASSPHRASE = "correct horse battery";
const FIRST_ID = "0011223344556677";
const OTHER_ID = "8899aabbccddeeff";

export const keySourceConformance = (name: string, open: () => Promise<KeySourceHarness>): void => {
  describe(`key source: ${name}`, () => {
    test("a key that was made is found again, also by a later instance", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(FIRST_ID, PASSPHRASE);
      expect(key).toHaveLength(KEY_SIZE);
      expect(await harness.source.find(FIRST_ID, about, PASSPHRASE)).toEqual(key);
      expect(await harness.again().find(FIRST_ID, about, PASSPHRASE)).toEqual(key);
    });

    test("two keys differ, and each is found while the other exists", async () => {
      await using harness = await open();
      const firstKey = await harness.source.make(FIRST_ID, PASSPHRASE);
      const otherKey = await harness.source.make(OTHER_ID, PASSPHRASE);
      expect(Buffer.from(firstKey.key).equals(otherKey.key)).toBe(false);
      expect(await harness.source.find(FIRST_ID, firstKey.about, PASSPHRASE)).toEqual(firstKey.key);
      await harness.source.drop(FIRST_ID);
      expect(await harness.source.find(OTHER_ID, otherKey.about, PASSPHRASE)).toEqual(otherKey.key);
    });

    test("a key that was never made or was dropped is not found; another passphrase gives another key", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(FIRST_ID, PASSPHRASE);
      if (harness.source.traits.asksPassphrase) {
        expect(await harness.source.find(FIRST_ID, about, `${PASSPHRASE} `)).not.toEqual(key);
        return;
      }
      expect(await harness.source.find(OTHER_ID, about)).toBeUndefined();
      await harness.source.drop(FIRST_ID);
      await harness.source.drop(FIRST_ID);
      expect(await harness.source.find(FIRST_ID, about)).toBeUndefined();
    });

    test("what is stored beside the secrets reveals neither the key nor the passphrase", async () => {
      await using harness = await open();
      const { key, about } = await harness.source.make(FIRST_ID, PASSPHRASE);
      for (const encoding of ["hex", "base64", "base64url", "latin1"] as const)
        expect(about).not.toContain(Buffer.from(key).toString(encoding));
      expect(about).not.toContain(PASSPHRASE);
    });

    test("an unreachable source fails with a remedy and reveals nothing of the key", async () => {
      await using harness = await open();
      if (harness.shut === undefined) return expect(harness.source.traits).toBeDefined();
      const { key, about } = await harness.source.make(FIRST_ID, PASSPHRASE);
      await harness.shut();
      for (const act of [
        () => harness.source.find(FIRST_ID, about, PASSPHRASE),
        () => harness.source.make(OTHER_ID, PASSPHRASE),
      ]) {
        const error: unknown = await act().catch((thrown: unknown) => thrown);
        if (!isHearthError(error, "secret.locked")) throw new Error("it did not fail as it should", { cause: error });
        expect(error.hint).toBeString();
        const errorText = JSON.stringify(error, Object.getOwnPropertyNames(error));
        for (const text of [Buffer.from(key).toString("hex"), Buffer.from(key).toString("base64"), PASSPHRASE])
          expect(errorText).not.toContain(text);
      }
    });
  });
};
