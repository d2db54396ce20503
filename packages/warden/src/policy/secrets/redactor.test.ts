import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formsOf } from "./forms.ts";
import { createRedaction } from "./redaction.ts";
import { createRedactor, type Redactor } from "./redactor.ts";

const encoder = new TextEncoder();
const SECRET = "tok_s3cr3t/value+ä";
const ONE = [{ name: "ONE", value: SECRET }];

/** The output for each chunk of the input. */
const pass = (redactor: Redactor, bytes: Uint8Array, cuts: readonly number[]): readonly Buffer[] => {
  const stream = redactor.stream();
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  const pieces = [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
  return [...pieces.map((piece) => Buffer.from(stream.push(piece))), Buffer.from(stream.end())];
};

describe("a redactor", () => {
  test("leaves nothing of a value in any form, for any split of the bytes", () => {
    const redactor = createRedactor(ONE);
    const form = fc.constantFrom(...formsOf(SECRET).map((bytes) => Buffer.from(bytes)));
    const noise = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes));
    // Half of a form, which must not match.
    const half = form.map((bytes) => bytes.subarray(0, bytes.length >> 1));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(form, noise, half), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (parts, cuts) => {
          const bytes = new Uint8Array(Buffer.concat(parts));
          const whole = Buffer.concat(pass(redactor, bytes, []));
          for (const known of formsOf(SECRET)) expect(whole.includes(known)).toBe(false);
          expect(Buffer.concat(pass(redactor, bytes, cuts)).equals(whole)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("inserts the name in its place and passes all other bytes unchanged", () => {
    const redactor = createRedactor(ONE);
    const before = Buffer.from([0, 255, 254, 116, 111, 107]);
    for (const form of formsOf(SECRET)) {
      const out = Buffer.concat(pass(redactor, new Uint8Array(Buffer.concat([before, form, before])), [3, 9, 20]));
      expect(out.equals(Buffer.concat([before, Buffer.from("[secret ONE]"), before]))).toBe(true);
    }
  });

  test("gives the same result byte by byte as all at once", () => {
    const text = `x${SECRET}y${btoa(`user:${SECRET.slice(0, -1)}`)}${SECRET}`;
    const bytes = encoder.encode(text);
    const redactor = createRedactor(ONE);
    const all = pass(
      redactor,
      bytes,
      Array.from(bytes, (_, index) => index),
    );
    expect(Buffer.concat(all).toString()).toBe(Buffer.concat(pass(redactor, bytes, [])).toString());
  });

  test("passes what cannot begin a value at once, and holds the rest only as long as it might", () => {
    const stream = createRedactor(ONE).stream();
    const push = (text: string): string => Buffer.from(stream.push(encoder.encode(text))).toString();
    expect(push("data: hello\n\n")).toBe("data: hello\n\n");
    expect(push("the tok_s3c")).toBe("the ");
    expect(push("r3t")).toBe("");
    expect(push(" is done")).toBe("tok_s3cr3t is done");
    expect(push("to")).toBe("");
    expect(Buffer.from(stream.end()).toString()).toBe("to");
  });

  test("buffers less than the longest form, however much passes", () => {
    const value = "ab".repeat(2000);
    const redactor = createRedactor([{ name: "LONG", value }]);
    const longest = Math.max(...formsOf(value).map(({ length }) => length));
    const stream = redactor.stream();
    let came = 0;
    let went = 0;
    for (let round = 0; round < 200; round += 1) {
      const piece = encoder.encode("ab".repeat(500).slice(round % 7));
      came += piece.length;
      went += stream.push(piece).length;
      // A replacement is shorter than the value, so compare only the rounds before it.
      if (round < 3) expect(came - went).toBeLessThan(longest);
    }
    expect(stream.end().length).toBeLessThan(longest);
  });

  test("matches the longer of two values with the same prefix, and the shorter one where it occurs alone", () => {
    const redactor = createRedactor([
      { name: "SHORT", value: "abcdefgh" },
      { name: "LONG", value: "abcdefghijkl" },
    ]);
    expect(redactor.text("abcdefghijkl abcdefgh abcdefghij")).toBe("[secret LONG] [secret SHORT] [secret SHORT]ij");
  });

  describe("at a line break in a value", () => {
    const redactor = createRedactor([{ name: "ONE", value: "one-long-secret-value" }]);
    const encoded = btoa("one-long-secret-value");
    const broken = (by: string): string => `${encoded.slice(0, 12)}${by}${encoded.slice(12)}`;

    test.each(["\n", "\r\n", "\n\t ", "\\n", "\\r\\n", "\\n\\t", " ".repeat(16)])(
      "redacts the encoded value around %j",
      (by) => {
        expect(redactor.text(`a ${broken(by)} b`)).toBe("a [secret ONE] b");
        const bytes = encoder.encode(`a ${broken(by)} b`);
        const oneByOne = pass(redactor, bytes, [...bytes.keys()]);
        expect(Buffer.concat(oneByOne).toString()).toBe("a [secret ONE] b");
      },
    );

    test.each(["-", "n", "xn", "\\", "\\x", "\\\\n", "\u0000n", " ".repeat(17)])(
      "passes other bytes within the encoded value: %j",
      (by) => expect(redactor.text(`a ${broken(by)} b`)).toBe(`a ${broken(by)} b`),
    );

    test("passes a break within the value itself", () => {
      expect(redactor.text("one-long-\nsecret-value")).toBe("one-long-\nsecret-value");
    });
  });

  test("redacts a value that is as long as its replacement", () => {
    const value = "twelve-chars";
    expect(createRedactor([{ name: "ONE", value }]).text(`a ${value} b`)).toBe("a [secret ONE] b");
    expect(value.length).toBe("[secret ONE]".length);
  });

  test("leaves a text without any value unchanged, also if it is malformed", () => {
    const redactor = createRedactor(ONE);
    for (const text of ["", "plain", "\ufeffbom", "\ud800"]) expect(redactor.text(text)).toBe(text);
    expect(redactor.text(`\ufeff${SECRET}`)).toBe("\ufeff[secret ONE]");
  });

  test("passes everything where there are no secrets", () => {
    const redactor = createRedactor([]);
    expect(redactor.text(SECRET)).toBe(SECRET);
    expect(Buffer.concat(pass(redactor, encoder.encode(SECRET), [4])).toString()).toBe(SECRET);
  });
});

describe("the redaction of a house", () => {
  test("applies to each value from when it is learned, and to the previous value until the daemon ends", () => {
    const redaction = createRedaction();
    expect(redaction.text("the first value")).toBe("the first value");
    redaction.learn("house", "ONE", "the first value");
    const early = redaction.stream();
    redaction.learn("house", "ONE", "the second value");
    redaction.learn("house", "ONE", "the second value");
    redaction.learn("other", "ONE", "another house's");
    expect(redaction.text("the first value, the second value, another house's")).toBe(
      "[secret ONE], [secret ONE], [secret ONE]",
    );
    expect(Buffer.from(early.push(encoder.encode("the first value,"))).toString()).toBe("[secret ONE],");
  });
});

/**
 * Ways in which programs echo a text. Each decodes back, and must not reveal the secret after
 * redaction.
 */
const echoes: Readonly<Record<string, (text: string) => Buffer | string>> = {
  "base64 in lines of 76": (text) => (btoaUtf8(text).match(/.{1,76}/g) ?? []).join("\r\n"),
  "base64 in lines of 64, in JSON": (text) => JSON.stringify((btoaUtf8(text).match(/.{1,64}/g) ?? []).join("\n")),
  "base64 in lines of 10, indented": (text) => (btoaUtf8(text).match(/.{1,10}/g) ?? []).join("\n    "),
  "hex in lines": (text) =>
    (
      Buffer.from(text)
        .toString("hex")
        .match(/.{1,32}/g) ?? []
    ).join("\n"),
  "hex with spaces": (text) => (Buffer.from(text).toString("hex").match(/../g) ?? []).join(" "),
  "hex with colons": (text) => (Buffer.from(text).toString("hex").toUpperCase().match(/../g) ?? []).join(":"),
  base32: base32,
  "base32 in lower case": (text) => base32(text).toLowerCase(),
  "escapes of JavaScript": (text) => escapeAll(text, (unit) => `\\u${unit.toString(16).padStart(4, "0")}`),
  "escapes in capitals": (text) => escapeAll(text, (unit) => `\\u${unit.toString(16).padStart(4, "0").toUpperCase()}`),
  "escapes of bytes": (text) =>
    [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  "UTF-16, little-endian": (text) => Buffer.from(text, "utf16le"),
  "UTF-16, big-endian": (text) => Buffer.from(text, "utf16le").swap16(),
  "entities by number": (text) => [...text].map((character) => `&#${character.codePointAt(0)};`).join(""),
  "entities by hex number": (text) =>
    [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(""),
  "entities by name": (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  "a list of bytes": (text) => JSON.stringify([...Buffer.from(text)]),
};

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString("base64");
}

function escapeAll(text: string, toEscape: (unit: number) => string): string {
  return Array.from({ length: text.length }, (_, index) => toEscape(text.charCodeAt(index))).join("");
}

/** RFC 4648 base32, bit by bit. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const digits = (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, "0"), 2));
  return digits.map((digit) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[digit]).join("");
}

test.each(Object.entries(echoes))("a value echoed as %s is removed at every alignment", (_name, echo) => {
  const secret = 'tok_<s3cr3t>&"value"/0123456789-and-so-on';
  const redactor = createRedactor([{ name: "ONE", value: secret }]);
  for (let before = 0; before < 90; before += 1) {
    const sent = echo(`${"x".repeat(before)}${secret}${"y".repeat(7)}`);
    const bytes = typeof sent === "string" ? Buffer.from(sent) : sent;
    const whole = Buffer.concat(pass(redactor, new Uint8Array(bytes), []));
    expect([before, whole.includes("[secret ONE]")]).toEqual([before, true]);
    // At most a few characters at the border of a group are left of the secret.
    const rest = bytes.length - Buffer.from(echo(secret)).length;
    expect(whole.length - "[secret ONE]".length).toBeLessThan(rest + 24);
    const cut = Buffer.concat(pass(redactor, new Uint8Array(bytes), [1, 7, 50, 51, 52, 90, 200]));
    expect(cut.equals(whole)).toBe(true);
  }
});
