/** The contract of `PasswordHash` as tests. */
import { describe, expect, test } from "bun:test";
import type { PasswordHash } from "./password-hash.ts";

export const passwordHashConformance = (name: string, open: () => PasswordHash): void => {
  describe(`password hash: ${name}`, () => {
    test("a hashed text is verified, and similar texts are not", async () => {
      const passwords = open();
      const text = "correct horse\u0000 battery 🐎";
      const hash = await passwords.hash(text);
      expect(await passwords.verify(text, hash)).toBe(true);
      for (const other of ["", text.slice(0, -2), `${text} `, text.toUpperCase(), text.split("\u0000")[0] ?? "", hash])
        expect([other, await passwords.verify(other, hash)]).toEqual([other, false]);
    });

    test("two hashes of one text differ, and neither contains it", async () => {
      const passwords = open();
      const [first, second] = [await passwords.hash("correct horse"), await passwords.hash("correct horse")];
      expect(first).not.toBe(second);
      expect(first).not.toContain("correct");
      expect(await passwords.verify("correct horse", second)).toBe(true);
    });

    test("the decoy can be verified against and matches no text", async () => {
      const { decoy, verify } = open();
      for (const text of ["x", "decoy", decoy, "correct horse"]) expect(await verify(text, decoy)).toBe(false);
    });

    test("a long text counts to its end", async () => {
      const passwords = open();
      const long = "x".repeat(1000);
      const hash = await passwords.hash(`${long}a`);
      expect(await passwords.verify(`${long}b`, hash)).toBe(false);
      expect(await passwords.verify(`${long}a`, hash)).toBe(true);
    });
  });
};
