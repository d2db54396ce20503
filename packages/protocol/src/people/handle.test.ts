import { describe, expect, test } from "bun:test";
import { isHandle, MAX_HANDLE_LENGTH, nameToHandle, parseMentions } from "./handle.ts";

describe("a handle", () => {
  const handles: Readonly<Record<string, string>> = {
    "Archive Bot": "archive-bot",
    "  Ada   Lovelace!  ": "ada-lovelace",
    "R2-D2": "r2-d2",
    Zoë: "zoë",
    "e\u0301t\u00e9": "été",
    ＦＵＬＬ: "full",
    山田太郎: "山田太郎",
    हिन्दी: "हिन्दी",
    _under_score_: "under-score",
    "a/b\\c:d": "a-b-c-d",
    "🤖 bot 🤖": "bot",
    "--": "",
    "🤖": "",
    "\u200b\u202e": "",
    "": "",
  };
  for (const [name, handle] of Object.entries(handles)) {
    test(`of ${JSON.stringify(name)} is ${JSON.stringify(handle)}`, () => {
      expect(nameToHandle(name)).toBe(handle);
      expect(isHandle(handle)).toBe(handle !== "");
    });
  }

  test("is at most 64 characters, cut between characters and never at a hyphen", () => {
    expect(nameToHandle("x".repeat(200))).toBe("x".repeat(MAX_HANDLE_LENGTH));
    expect(nameToHandle("𐐨".repeat(200))).toBe("𐐨".repeat(MAX_HANDLE_LENGTH));
    expect(nameToHandle(`${"x".repeat(63)} ${"y".repeat(9)}`)).toBe("x".repeat(63));
  });

  test("is its own slug for every name", () => {
    const names = Array.from({ length: 0x30000 / 64 }, (_, block) =>
      Array.from({ length: 64 }, (_unused, index) => block * 64 + index)
        .filter((point) => point < 0xd800 || point > 0xdfff)
        .map((point) => String.fromCodePoint(point)),
    );
    const broken = [...names.flat(), ...names.map((block) => block.join(""))].filter((name) => {
      const handle = nameToHandle(name);
      return nameToHandle(handle) !== handle;
    });
    expect(broken).toEqual([]);
  });

  test("rejects similar texts", () => {
    for (const text of ["Ada", "a b", "-a", "a-", "a--b", "@a", "ﬁ", "x".repeat(65)])
      expect([text, isHandle(text)]).toEqual([text, false]);
  });
});

describe("mentions", () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    "@ada hello": ["ada"],
    "hello @ada, and @Bob!": ["ada", "bob"],
    "@ada @ada @Ada": ["ada"],
    "(@ada) **@bob** “@eve”": ["ada", "bob", "eve"],
    "@山田 さん": ["山田"],
    "@e\u0301mile": ["émile"],
    "@archive-bot.": ["archive-bot"],
    "@ada- @bob--x": ["ada", "bob-x"],
    "line\n@ada\n- @bob": ["ada", "bob"],
    "mail ada@example.com": [],
    "https://example.com/@ada": [],
    "@@ada": [],
    "a.@ada": [],
    "@ ada": [],
    "@": [],
    "@-ada": [],
    "@🤖": [],
    "`@ada` and ``@bob``": [],
    "```\n@ada\n``` @bob": ["bob"],
    "```js\nnever closed @ada": [],
    "`open @ada\n@bob`": ["ada", "bob"],
  };
  for (const [text, handles] of Object.entries(texts)) {
    test(`in ${JSON.stringify(text)}: ${handles.join(", ") || "none"}`, () => {
      expect(parseMentions(text)).toEqual(handles);
    });
  }

  const naughty = [
    "undefined",
    "__proto__",
    "@__proto__",
    "<script>alert(1)</script>",
    "'; DROP TABLE records; --",
    "../../../etc/passwd",
    "$(touch x)",
    "%s%d%n",
    "\u0000",
    "\ufeff@ada",
    "\ud800@ada",
    "@ada\ud800",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "ᚠᛇᚻ",
    "‮@ada‭",
    "👩‍👩‍👧‍👦",
    "İstanbul",
    "ﷺ".repeat(100),
    "@".repeat(10_000),
    "`".repeat(10_000),
    `@${"a".repeat(100_000)}`,
    `${"```".repeat(5000)}@ada`,
  ];
  test("and handles of hostile text are valid or empty", () => {
    for (const text of naughty) {
      for (const handle of [nameToHandle(text), ...parseMentions(text), ...parseMentions(`@${text}`)]) {
        expect([text, handle === "" || isHandle(handle)]).toEqual([text, true]);
      }
    }
  });
});
