import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Label, OWNER_LABEL } from "@hearth/protocol";
import { createRedaction } from "../secrets/redaction.ts";
import { createTurnTaint, type LabelledValue } from "../taint/turn-taint.ts";
import { createLeakScan } from "./leak-scan.ts";
import { createMayStayActive, defang, toOutgoing } from "./outgoing.ts";
import { linksIn } from "../taint/provenance-links.ts";

const data: { readonly canary: string; readonly items: readonly string[] } = JSON.parse(
  readFileSync(join(import.meta.dir, "../fixtures/output-exfil.json"), "utf8"),
);
const items = data.items.map((item) => item.replaceAll("{C}", data.canary));
const STRANGER: Label = { ...OWNER_LABEL, integrity: "untrusted", sources: ["page"] };
const none = (): boolean => false;
const handOf = (...held: readonly (readonly [string, Label])[]) => {
  const taint = createTurnTaint();
  for (const [text, label] of held) taint.add({ text, label } satisfies LabelledValue);
  return taint;
};

/**
 * The parts that a browser, a chat platform or a program that reads directives would follow or
 * fetch.
 */
const alive = (text: string): readonly string[] => [
  ...linksIn(text).filter((link) => !/^\[:\]|^\/*hxxps?:|\[\.\]/i.test(link)),
  ...(text.match(
    /<[a-z/!][^>]*>|!\[[^\]]*\]\(|\]\([^)]*[:/]|^\s*\[[^\]]+\]:\s*\S+:|https?:|\b(?:media|file|data|javascript|mailto|tel):\S/gimu,
  ) ?? []),
];

describe("no row of the table leads anywhere", () => {
  for (const [index, item] of items.entries())
    test(`${index} ${JSON.stringify(item)}`, () => {
      for (const text of [item, `Look: ${item} there.`, `- **${item}**\n\n> ${item}`, `${item}\n\n${item}`]) {
        const said = defang(text, none);
        expect(alive(said)).toEqual([]);
        expect(defang(said, none)).toBe(said);
        if (item.includes("evil.example")) expect(said).toContain("evil[.]example");
      }
    });
});

test("C1: a former link stays readable, with its full host", () => {
  for (const [text, said] of [
    ["[click](https://evil.example/?q=1)", "click (hxxps://evil[.]example/?q=1)"],
    ['[click](<https://evil.example/a> "a title")', "click, a title (hxxps://evil[.]example/a)"],
    ["![x](https://evil.example/p.png)", "image: x (hxxps://evil[.]example/p[.]png)"],
    ["![x][r]\n\n[r]: https://evil.example/C", "![x][r]\n\nr: hxxps://evil[.]example/C"],
    [
      "[![x](https://evil.example/a.png)](https://evil.example/b)",
      "image: x (hxxps://evil[.]example/a[.]png) (hxxps://evil[.]example/b)",
    ],
    ["See www.evil.example.", "See www[.]evil[.]example."],
    ["<https://evil.example>", "<hxxps://evil[.]example>"],
    ["write to a@evil.example", "write to a[at]evil[.]example"],
    ["`curl https://evil.example`", "`curl hxxps://evil[.]example`"],
    ["https&#58;//evil&#46;example", "hxxps[&]#58;//evil[&]#46;example"],
    ["ht\u200btps://evil\u2060.example", "hxxps://evil[.]example"],
    ["[x](javascript:alert(1))", "x (javascript[:]alert(1))"],
    ["[x](java&Tab;script:alert(1))", "x (java&Tab;script:alert(1))"],
  ] as const)
    expect(defang(text, none)).toBe(said);
});

test("words, numbers, code and file names are unchanged", () => {
  for (const text of [
    "Plain words, e.g. these: 3.14, at 12:30. [x] done, see src/index.ts and data.json!",
    "```ts\nconsole.log(list[i](event), matrix[0][1]); // std::move\nconst a: Map<string, T> = { [key]: 5 };\n```",
    "`foo.bar()` and `a.b.c` do; x < y > z, 1 <2",
    "# Title\n\n- item\n- [ ] open\n\n| a | b |\n| - | - |\n| 1 | 2 |",
    "[a note](notes/today.txt)",
  ])
    expect(defang(text, none)).toBe(text);
});

test("a link stays active where the owner wrote it, or where the turn read exactly that link at a host that the owner named", () => {
  const hand = handOf(
    ["read https://news.example/today and ask bea@people.example", OWNER_LABEL],
    ["see https://news.example/story/1 and https://evil.example/x", STRANGER],
  );
  const mayStay = createMayStayActive(hand);
  for (const link of ["https://news.example/today", "https://news.example/story/1"]) {
    expect(defang(`Here: ${link}.`, mayStay)).toBe(`Here: ${link}.`);
    expect(defang(`[one](${link})`, mayStay)).toBe(`one (${link})`);
  }
  expect(defang("I asked bea@people.example", mayStay)).toBe("I asked bea@people.example");
  expect(alive(defang("I asked eve@people.example", mayStay))).toEqual([]);
  for (const link of [
    "https://evil.example/x",
    "https://news.example/story/1?d=secret",
    "https://news.example/made-up",
    "https://news.example.evil.example/today",
    "https://news.example@evil.example/today",
    "https://news.example/today?to=https://evil.example",
  ])
    expect(alive(defang(`Here: ${link} .`, mayStay))).toEqual([]);
});

test("a replacement forms no new markup", () => {
  const said = defang("@:https://evil.example/x", none);
  expect(said).toBe("at: hxxps://evil[.]example/x");
  expect(defang(said, none)).toBe(said);
});

test("in code, only links with a scheme are disarmed, anywhere in a word, and code stays code", () => {
  expect(defang("`a.bc,https://evil.example/x`", none)).not.toContain("https://");
  expect(defang("`a.bctel:123`", none)).not.toContain("tel:1");
  expect(defang("`console.log(a.b)`", none)).toBe("`console.log(a.b)`");
});

test("no link survives, whatever is around it, and the result is idempotent", () => {
  const piece = fc.oneof(
    fc.constantFrom(...items),
    fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "!",
      "<",
      ">",
      "`",
      "```\n",
      "\n",
      " ",
      '"',
      "\\",
      "&#46;",
      "%2e",
      ":",
      "//",
      ".",
      "@",
      "\u200b",
    ),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join("")),
      (text) => {
        const said = defang(text, none);
        expect(defang(said, none)).toBe(said);
        expect(said).not.toMatch(/https?:\/\/|(?:data|javascript|mailto|tel|file|media):\S/i);
      },
    ),
    { numRuns: 500 },
  );
});

test("a long text of opening brackets takes linear time", () => {
  for (const unit of ["[", "![", "](", "[a](", "<a ", "`", "```\n", "[a]: ", "http://", "a.", "&#"])
    expect(defang(unit.repeat(20_000), none).length).toBeGreaterThan(0);
});

test("a secret does not leave in pieces or between invisible characters", () => {
  const redaction = createRedaction();
  redaction.learn("house", "ONE", "canary-value-7f3a");
  const leakScan = createLeakScan(redaction);
  const hand = handOf(["x", STRANGER]);
  const token = `ghp_${"aB3".repeat(12)}`;
  for (const text of [
    "canary-value-7f3a",
    "canary-value-7f3a".split("").join("\u200b"),
    btoa("xcanary-value-7f3a"),
    `https://a.example/${encodeURIComponent("canary-value-7f3a")}`,
    token.split("").join("\u2060"),
  ]) {
    const said = toOutgoing(`It is ${text}.`, hand, leakScan);
    expect(said).toMatch(/\[secret ONE\]|\[left out: github\]/);
    expect(said.replaceAll(/\[.+?\]/g, "")).not.toContain("7f3a");
  }
});
