/** What counts as a link in a text, and where it leads. */
import { expect, test } from "bun:test";
import { linksIn, linkTarget, trimLink, withoutScheme } from "./provenance-links.ts";

/** Link → where it leads. */
const PLACES: readonly (readonly [link: string, place: string | null])[] = [
  ["a@x.example", "mailto:a@x.example"],
  ["mailto:a@X.example", "mailto:a@x.example"],
  ["https://X.example", "https://x.example/"],
  ["HTTPS://x.example/a?b#c", "https://x.example/a?b#c"],
  ["x.example:8080/a", "//x.example:8080/a"],
  ["localhost:8080", "//localhost:8080/"],
  ["tel:123", "//tel:123/"],
  ["tel:+1", "tel:+1"],
  ["ftp://x.example", "ftp://x.example"],
  ["https://u:p@x.example/", "https://u:p@x.example/"],
  ["http://u@x.example", "http://u:@x.example/"],
  ["//x.example/a", "//x.example/a"],
  ["http://", null],
  ["x。example", "//x.example/"],
  ["https:／／x.example", "https://x.example/"],
  ["x\u200b.example", "//x.example/"],
  ["http:x.example", "http://x.example/"],
  ["http://[::1]:80/", "http://[::1]/"],
  ["a b", null],
];

test.each([...PLACES])("the link %p leads to %p", (link, place) => {
  expect(linkTarget(link) ?? null).toBe(place);
});

/** Text → its links. */
const LINKS: readonly (readonly [text: string, links: readonly string[]])[] = [
  ["see x.example now", ["x.example"]],
  ["[a](https://x.example)", ["https://x.example)"]],
  ["<https://x.example>", ["https://x.example"]],
  ["a@x.example", ["a@x.example"]],
  ["a.b@x.example", ["a.b@x.example"]],
  ["(a@x.example", ["a@x.example"]],
  ["x%2Eexample", ["x.example"]],
  ["x&#46;example", ["x.example"]],
  ["x&#x2e;example", ["x.example"]],
  ["x&period;example", ["x.example"]],
  ["x\\.example", ["x.example"]],
  ["x\\u002eexample", ["x.example"]],
  ["x\\x2eexample", ["x.example"]],
  ["x\\u{2e}example", ["x.example"]],
  ["ｘ．ｅｘａｍｐｌｅ", ["ｘ.ｅｘａｍｐｌｅ"]],
  ["1.2.3.4", ["1.2.3.4"]],
  ["1.2.3", []],
  ["1.2.3.4.5", []],
  ["[::1]", ["[::1]"]],
  ["[::1]/a", ["[::1]/a"]],
  ["a:b", []],
  ["//x", ["//x"]],
  ["\\\\x\\y", ["\\\\x\\y"]],
  ["https:/x", []],
  ["mailto:a", ["mailto:a"]],
  ["data:x", ["data:x"]],
  ["v1.2", []],
  ["e.g.", []],
  ["file.md", ["file.md"]],
  ["a..b.cd", ["a..b.cd"]],
  ["x.xn--p1ai", ["x.xn--p1ai"]],
  ["java script:", []],
  ["javascript:1", ["javascript:1"]],
  ["tel: 1", []],
  ["&#9999999;.x", []],
  // The last character that exists, and the number after it.
  ["x&#1114111;.example", []],
  ["x&#1114112;.example", ["x.example"]],
  ["1.a.b.c", []],
  ["&amp;x.example", ["x.example"]],
  ["x.e", []],
  ["1.23.456.789", ["1.23.456.789"]],
  ["foo//bar", ["//bar"]],
  ["%zz.example", ["zz.example"]],
  ["@x.example", ["@x.example"]],
  ['<a href="https://x.example/b">', ["https://x.example/b"]],
  ["magnet:?x", ["magnet:?x"]],
  ["urn:x", ["urn:x"]],
];

test.each([...LINKS])("%p has the links %p", (text, links) => {
  expect(linksIn(text)).toEqual([...links]);
});

test.each([
  ["https://x.example/a).", "https://x.example/a"],
  ["x.example.Then", "x.example"],
  ["https://x.example/a.B", "https://x.example/a.B"],
  ["x.example.then", "x.example.then"],
  ["x.example…", "x.example"],
  ["a!?", "a"],
] as const)("%p without the punctuation of its sentence is %p", (link, trimmed) => {
  expect(trimLink(link)).toBe(trimmed);
});

test("only web links lose their scheme", () => {
  const links = ["https://x.example/", "http://x.example/", "mailto:a@x.example"];
  expect(links.map(withoutScheme)).toEqual(["//x.example/", "//x.example/", "mailto:a@x.example"]);
});
