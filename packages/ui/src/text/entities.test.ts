import { expect, test } from "bun:test";
import { decodeEntities } from "./entities.ts";

test.each([
  ["&lt;b&gt; &amp;amp; &quot;&apos;", "<b> &amp; \"'"],
  ["&#60;&#x3C;&#X3c;", "<<<"],
  ["a&nbsp;b", "a\u00A0b"],
  ["&hellip;&mdash;&rarr;&colon;", "…—→:"],
  ["&#x1F525;", "🔥"],
  ["&#xD7FF;&#xE000;&#x10FFFF;", "\uD7FF\uE000\u{10FFFF}"],
  ["&#xDFFF;", "\uFFFD"],
  ["&#0;&#xD800;&#x110000;", "\uFFFD\uFFFD\uFFFD"],
])("%s is decoded once", (text, decoded) => {
  expect(decodeEntities(text)).toBe(decoded);
});

test.each(["&unknown;", "&constructor;", "&amp", "&#;", "&#x;", "& amp;", "&LT;", "&#99999999;"])(
  "the unknown reference %s stays unchanged",
  (text) => {
    expect(decodeEntities(text)).toBe(text);
  },
);
