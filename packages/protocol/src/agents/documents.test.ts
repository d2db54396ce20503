import { describe, expect, test } from "bun:test";
import { excerptOf, isMail, isHtml, isTable } from "./documents.ts";

describe("a text", () => {
  test.each([
    ["<!DOCTYPE html>\n<p>", true],
    ["  <?xml version='1.0'?><!-- a --><html lang='en'>", true],
    ["see <html>", false],
    ["<htmlish>", false],
  ])("%j is a page: %p", (text, expected) => expect(isHtml(text)).toBe(expected));

  test.each([
    ["From: a@b.example\r\nDate: today\r\n\r\nhello", true],
    ["Received: x\nFrom: a@b.example\n\nhello", true],
    ["From: a@b.example\n\nDate: today", false],
    ["Dear Ana,\nFrom: a\nDate: b", false],
  ])("%j is a mail: %p", (text, expected) => expect(isMail(text)).toBe(expected));

  test.each([
    ["a,b\n1,2\n", true],
    ['a;b\n"1;1";2\n3', true],
    ["a\tb\n1\t2\n", true],
    ["a,b\n1\n", false],
    ["one\ntwo\n", false],
    ["a,b", false],
  ])("%j is a table: %p", (text, expected) => expect(isTable(text)).toBe(expected));
});

test("an excerpt ends with the mark of its file, and names how much it is", () => {
  const file = { name: 'a "b".pdf', hash: "0123456789abcdef", path: "inbox/a.pdf" };
  const begin = '[file 0123456789: the text of "a \\"b\\".pdf", until 0123456789 ends]\n';
  const end = "\n[end 0123456789]";
  expect(excerptOf(file, { text: "words", cut: false }, 5)).toBe(`${begin}words${end}`);
  expect(excerptOf(file, { text: "words", cut: false }, 4)).toBe(
    `${begin}word\n[cut: the first 4 of 5 characters; the tool read shows the rest of inbox/a.pdf]${end}`,
  );
  expect(excerptOf({ ...file, path: undefined }, { text: "words", cut: true }, 5)).toBe(
    `${begin}words\n[cut: the first 5 of 5+ characters]${end}`,
  );
});
