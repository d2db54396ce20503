import { expect, test } from "bun:test";
import fc from "fast-check";
import { formsOf } from "./forms.ts";

const value = fc.string({ unit: "binary", minLength: 8, maxLength: 60 }).filter((text) => text.isWellFormed());
const contains = (text: string, secret: string): boolean =>
  formsOf(secret).some((form) => Buffer.from(text).includes(form));

test("a value is found as it is and in every encoding, at every alignment", () => {
  fc.assert(
    fc.property(
      value,
      fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
      fc.string(),
      (secret, before, after) => {
        const text = before + secret + after;
        for (const encoding of ["base64", "base64url", "hex"] as const)
          expect([encoding, contains(Buffer.from(text).toString(encoding), secret)]).toEqual([encoding, true]);
        for (const encoded of [
          text,
          Buffer.from(text).toString("hex").toUpperCase(),
          encodeURIComponent(text),
          encodeURI(text),
          new URLSearchParams({ q: text }).toString(),
          JSON.stringify({ text }),
        ])
          expect(contains(encoded, secret)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test("a value is found as other programs escape it", () => {
  const secret = "a/b<c>&d'é🐎\"x";
  for (const text of [
    String.raw`{"v":"a\/b<c>&d'\u00e9\ud83d\udc0e\"x"}`,
    '{"v":"a/b\\u003cc\\u003e\\u0026d\'é🐎\\"x"}',
    "v=a%2Fb%3Cc%3E%26d%27%C3%A9%F0%9F%90%8E%22x",
    "v=a%2fb%3cc%3e%26d'%c3%a9%f0%9f%90%8e%22x",
  ])
    expect([text, contains(text, secret)]).toEqual([text, true]);
  const bytes = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, "0"));
  expect(contains(bytes.map((byte) => `%${byte}`).join(""), secret)).toBe(true);
});

test("a value is found reversed, in ROT13 and in lower case", () => {
  const secret = "HEARTH-Canary-7f3a";
  for (const text of ["x.a3f7-yranaC-HTRAEH.y", "URNEGU-Pnanel-7s3n", "hearth-canary-7f3a.evil.example"])
    expect([text, contains(text, secret)]).toEqual([text, true]);
});

test("no form is short, and none is listed twice", () => {
  fc.assert(
    fc.property(value, (secret) => {
      const forms = formsOf(secret).map((form) => Buffer.from(form).toString("latin1"));
      expect(new Set(forms).size).toBe(forms.length);
      for (const form of forms) expect(form.length).toBeGreaterThanOrEqual(8);
    }),
    { numRuns: 100 },
  );
});
