import { describe, expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { hasHidden, toVisible, VisibleText } from "./visible.tsx";

describe("invisible characters", () => {
  test.each([
    ["a right-to-left override", "photo\u202Egnp.exe", "photo‹U+202E›gnp.exe"],
    ["isolates", "\u2066a\u2069", "‹U+2066›a‹U+2069›"],
    ["zero-width spaces, counted", "pay\u200B\u200B\u200Bpal", "pay‹U+200B×3›pal"],
    ["a run of different ones", "a\u200B\u2060b", "a‹U+200B U+2060›b"],
    ["tags", "ok\u{E0049}\u{E0067}", "ok‹U+E0049 U+E0067›"],
    ["controls", "\u0000a\u001B[31m\u007F\u0085", "‹U+0000›a‹U+001B›[31m‹U+007F U+0085›"],
    ["a byte order mark", "\uFEFFa", "‹U+FEFF›a"],
    ["line separators", "a\u2028b\u2029c", "a‹U+2028›b‹U+2029›c"],
    ["half a character", "a\uD83D", "a‹U+D83D›"],
    ["joiners in plain ASCII", "pay\u200Dpal, \u200Ca", "pay‹U+200D›pal, ‹U+200C›a"],
    ["variation selectors that carry bytes", "😀\uFE00\uFE01", "😀\uFE00‹U+FE01›"],
    ["the selectors beyond the basic plane", "a\u{E0101}", "a‹U+E0101›"],
    ["letters that are blank", "a\u3164\uFFA0b", "a‹U+3164 U+FFA0›b"],
  ])("%s: shown by code point", (_name, text, shown) => {
    expect(toVisible(text)).toBe(shown);
    expect(hasHidden(text)).toBe(true);
  });

  test.each([
    ["line ends and tabs", "a\n\tb\r\n"],
    ["emoji of several characters", "👩‍👩‍👧 ❤️‍🔥 🏳️‍🌈 1️⃣ 👍🏽"],
    ["scripts that join", "می‌خواهم क्‍ष"],
    ["Hebrew and Arabic", "שלום مرحبا"],
    ["combining marks", "é ñ ก็"],
  ])("%s stay unchanged", (_name, text) => {
    expect(toVisible(text)).toBe(text);
    expect(hasHidden(text)).toBe(false);
  });

  test("on a page the code point is a labelled element, and the text around it stays whole", () => {
    expect(renderToStaticMarkup(<VisibleText text={"a\u202Eb<i>"} />)).toMatch(
      /^a<span dir="ltr"[^>]* title="Invisible characters">U\+202E<\/span>b&lt;i&gt;$/,
    );
  });
});
