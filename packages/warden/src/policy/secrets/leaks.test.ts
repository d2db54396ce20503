import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findLeaks, leakKinds, withoutLeaks } from "./leaks.ts";

const A = "Ab3".repeat(60);
const HEX = "0f".repeat(40);
/** Invented keys with the shape of each vendor's own. */
const samples: Readonly<Record<string, readonly string[]>> = {
  anthropic_api: [`sk-ant-api03-${A.slice(0, 93)}-AA`],
  anthropic_oauth: [`sk-ant-oat01-${A.slice(0, 60)}`],
  openrouter: [`sk-or-v1-${HEX.slice(0, 64)}`],
  openai: [`sk-${A.slice(0, 48)}`, `sk-proj-${A.slice(0, 30)}_-${A.slice(0, 30)}`],
  groq: [`gsk_${A.slice(0, 52)}`],
  aws_access_key: ["AKIAIOSFODNN7EXAMPLE"],
  github: [`ghp_${A.slice(0, 36)}`, `gho_${A.slice(0, 36)}`],
  github_pat: [`github_pat_${A.slice(0, 22)}_${A.slice(0, 59)}`],
  stripe: [`sk_live_${A.slice(0, 24)}`, `rk_test_${A.slice(0, 30)}`],
  google: [`AIza${A.slice(0, 35)}`],
  slack: ["xoxb-123456789012-abcdefGHIJ"],
  telegram_bot: [`123456789:AA${A.slice(0, 33)}`],
  sendgrid: [`SG.${A.slice(0, 22)}.${A.slice(0, 43)}`],
  twilio: [`SK${HEX.slice(0, 32)}`],
  jwt: [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${A.slice(0, 43)}`],
  hearth_key: [`hearth_${A.slice(0, 43)}`],
  hearth_placeholder: [`hearth-cred-${A.slice(0, 20)}`],
  bearer: [`Bearer ${A.slice(0, 30)}==`, `authorization: bearer ${A.slice(0, 30)}`],
  pem: [
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n${A}\n${A}==\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\\n${A}\\n-----END PRIVATE KEY-----\\n`,
  ],
};

describe("a text that looks like a key", () => {
  test("every kind has samples", () => expect(Object.keys(samples).toSorted()).toEqual([...leakKinds].toSorted()));

  test.each(Object.entries(samples))("%s is found anywhere in a text and removed completely", (kind, texts) => {
    for (const text of texts) {
      for (const [before, after] of [
        ["", ""],
        ["key=", "\n"],
        ['{"k":"', '"}'],
        ["It is ", ". Keep it."],
      ] as const) {
        const { text: clean, kinds } = withoutLeaks(before + text + after);
        expect([text, kinds]).toEqual([text, [kind]]);
        expect(clean).toContain(`[left out: ${kind}]`);
        expect(clean).not.toContain(A.slice(0, 20));
        expect(clean).not.toContain(HEX.slice(0, 20));
      }
    }
  });

  test("everyday text of people and programs has no match", () => {
    for (const text of [
      "java.util.concurrent.atomic.AtomicReference",
      "import { createRedactor } from './redactor.ts';",
      '<div class="sk-folding-cube sk-circle-fade-dot sk-chase"></div>',
      "ask-me-anything-about-anything",
      "sk-short",
      "commit 0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f",
      "the bearer of good news",
      "Bearer TOKEN",
      'if (text.startsWith("-----BEGIN PUBLIC KEY-----"))',
      "https://example.org/a/very/long/path/with/many/segments/and.a.dot",
      "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
      "12:34:56 123456789: AA",
      "risk-assessment-of-the-whole-project-in-2026",
    ])
      expect([text, findLeaks(text)]).toEqual([text, []]);
  });

  test("code that searches for private keys keeps what follows", () => {
    const code = 'const BEGIN = "-----BEGIN PRIVATE KEY-----";\nconst next = 1;\n';
    expect(withoutLeaks(code).text).toBe('const BEGIN = "[left out: pem]";\nconst next = 1;\n');
  });

  test("several keys are found in order, and the text between them stays", () => {
    const [first, second] = [samples["github"]?.[0] ?? "", samples["stripe"]?.[0] ?? ""];
    expect(withoutLeaks(`a ${first} b ${second} c ${first}`)).toEqual({
      text: "a [left out: github] b [left out: stripe] c [left out: github]",
      kinds: ["github", "stripe"],
    });
  });

  test("a text without a key stays the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        if (findLeaks(text).length === 0) expect(withoutLeaks(text)).toEqual({ text, kinds: [] });
      }),
    );
  });

  test("scanning takes time proportional to the length of any text", () => {
    // Each text would take minutes if a shape could restart at every position.
    const size = 400_000;
    for (const piece of [
      "eyJ",
      "sk-",
      "sk-ant-api",
      "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----",
      "Bearer ",
      "1",
      "SG.",
      "a.",
      "gh",
      "AKIA",
      "A",
      "-",
      "\n",
    ])
      expect(findLeaks(piece.repeat(size / piece.length)).length).toBeGreaterThanOrEqual(0);
  });
});
