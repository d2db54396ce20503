import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { htmlToText, MAX_HTML_LENGTH } from "./html-text.ts";

const at = (html: string) => htmlToText(html, "https://example.com/a/b");

test("a page becomes its title and readable text, with absolute links", async () => {
  const page = `<title>Bike &amp; shed</title><style>x{}</style><script>alert(1)</script><nav><a href=/x>menu</a></nav>
    <h1>Hello <b>there</b></h1><p>Text with <a href="/deep?a=1&amp;b=2">a link</a>.</p><ul><li>one<li>two</ul>
    <table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table><img src=x onerror=1><footer>f</footer>`;
  const lines = (await at(page)).split("\n").filter((line) => line.trim() !== "");
  expect(lines).toEqual([
    "Bike & shed",
    "Hello there",
    "Text with a link <https://example.com/deep?a=1&b=2>.",
    " * one",
    " * two",
    "A   B",
    "1   2",
  ]);
});

test("script links are removed", async () => {
  for (const href of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd"])
    expect(await at(`<p><a href="${href}">here</a></p>`)).toBe("here");
});

test("a page nested too deeply is refused, and one that is too long is cut", async () => {
  const deep = await at("<b><i>".repeat(60_000)).catch((error: unknown) => error);
  expect(isHearthError(deep, "tool.failed") || deep === "").toBe(true);
  const long = await at(`${"x".repeat(MAX_HTML_LENGTH)}<p>never</p>`);
  expect(long.length).toBe(MAX_HTML_LENGTH);
});
