import { describe, expect, test } from "bun:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeUi } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { CitationsProvider } from "./citations.ts";
import { CodeText } from "./code-text.tsx";
import { limits } from "./lex.ts";
import { Markdown } from "./markdown.tsx";
import { PlainText } from "./plain-text.tsx";

/** Without class names and button icons, which these tests do not cover. */
const draw = (element: ReactElement): string =>
  renderToStaticMarkup(<UiProvider value={createFakeUi()}>{element}</UiProvider>)
    .replaceAll(/ class="[^"]*"/g, "")
    .replaceAll(/<svg.*?<\/svg>/g, "");

const drawText = (text: string): string =>
  draw(<Markdown text={text} />).replace(/^<div dir="auto">(.*)<\/div>$/s, "$1");

const to = (href: string): string =>
  `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow" referrerPolicy="no-referrer"`;

describe("Markdown rendering", () => {
  test.each([
    ["# a *b*", '<h2 dir="auto">a <em>b</em></h2>'],
    ["## a", '<h3 dir="auto">a</h3>'],
    ["### a", '<h4 dir="auto">a</h4>'],
    ["#### a", '<h5 dir="auto">a</h5>'],
    ["###### a", '<h5 dir="auto">a</h5>'],
    ["a\nb", '<p dir="auto">a<br/>b</p>'],
    ["a\n\nb", '<p dir="auto">a</p><p dir="auto">b</p>'],
    [
      "**a** _b_ ~~c~~ ***d***",
      '<p dir="auto"><strong>a</strong> <em>b</em> <del>c</del> <em><strong>d</strong></em></p>',
    ],
    ["`<a> &amp;`", '<p dir="auto"><code dir="ltr">&lt;a&gt; &amp;amp;</code></p>'],
    ["&lt;b&gt; &amp; \\*c\\*", '<p dir="auto">&lt;b&gt; &amp; *c*</p>'],
    ["- a\n- b\n  - c", '<ul><li dir="auto">a</li><li dir="auto">b<ul><li dir="auto">c</li></ul></li></ul>'],
    ["3. a\n4. b", '<ol start="3"><li dir="auto">a</li><li dir="auto">b</li></ol>'],
    ["- a\n\n- b", '<ul><li dir="auto"><p dir="auto">a</p></li><li dir="auto"><p dir="auto">b</p></li></ul>'],
    [
      "- [x] a\n- [ ] b",
      '<ul><li dir="auto"><input type="checkbox" aria-label="Done" disabled="" readOnly="" checked=""/>a</li>' +
        '<li dir="auto"><input type="checkbox" aria-label="To do" disabled="" readOnly=""/>b</li></ul>',
    ],
    [
      "> a\n> > b",
      '<blockquote dir="auto"><p dir="auto">a</p><blockquote dir="auto"><p dir="auto">b</p></blockquote></blockquote>',
    ],
    ["---", "<hr/>"],
    [
      "<b>a</b> *c*",
      '<p dir="auto"><span dir="auto">&lt;b&gt;</span>a<span dir="auto">&lt;/b&gt;</span> <em>c</em></p>',
    ],
    ["<div>\n*a*\n</div>", '<p dir="auto"><span dir="auto">&lt;div&gt;\n*a*\n&lt;/div&gt;</span></p>'],
    ["<!-- a -->", '<p dir="auto"><span dir="auto">&lt;!-- a --&gt;</span></p>'],
    ["[//]: # (hidden words)", '<p dir="auto"><span dir="auto">[//]: # (hidden words)</span></p>'],
  ])("%j", (text, markup) => {
    expect(drawText(text)).toBe(markup);
  });

  test("a table has a head and aligned cells", () => {
    expect(drawText("| a | b |\n|:-:|---|\n| *c* | d |")).toBe(
      '<div><table><thead><tr><th scope="col" dir="auto">a</th><th scope="col" dir="auto">b</th></tr></thead>' +
        '<tbody><tr><td dir="auto"><em>c</em></td><td dir="auto">d</td></tr></tbody></table></div>',
    );
  });

  test("a table whose rows have more cells than its head is shown as written, so that no cell is lost", () => {
    expect(drawText("| a |\n|---|\n| b || c |")).toContain("| a |\n|---|\n| b || c |</code>");
    expect(drawText("| a |\n|---|\n| b \\| c |")).toContain('<td dir="auto">b | c</td>');
  });

  test("code shows its language and has a copy button", () => {
    expect(drawText("```ts\nconst a = 1;\n  <b>\n```")).toMatch(
      /^<div dir="ltr"><p><bdi>ts<\/bdi><\/p><div><pre><code>const a = 1;\n {2}&lt;b&gt;<\/code><\/pre><\/div><div><button[^>]*aria-label="Copy"[^>]*><\/button><\/div><\/div>$/,
    );
  });

  test("code without a language has no title", () => {
    expect(drawText("```\na\n```")).toStartWith('<div dir="ltr"><div><pre><code>a</code></pre></div><div><button');
  });

  test("an unfinished code block is code", () => {
    expect(drawText("a\n```\nb **c")).toContain("<code>b **c</code>");
  });
});

describe("links", () => {
  test.each([
    ["https://example.org/a", `${to("https://example.org/a")}>https://example.org/a</a>`],
    ["<me@example.org>", `${to("mailto:me@example.org")}>me@example.org</a>`],
    ["www.example.org", `${to("http://www.example.org/")}>www.example.org</a>`],
    ["[*a* b](https://example.org)", `${to("https://example.org/")}><em>a</em> b</a><bdi> (example.org)</bdi>`],
    [
      '[a](https://example.org "b&amp;c")',
      `${to("https://example.org/")} title="b&amp;c">a</a><bdi> (example.org)</bdi>`,
    ],
    ["[](https://example.org)", `${to("https://example.org/")}>https://example.org/</a><bdi> (example.org)</bdi>`],
    [
      "[bank.example](https://evil.example)",
      `${to("https://evil.example/")}>bank.example</a><bdi> (leads to evil.example)</bdi>`,
    ],
    [
      "<https://аррӏе.com>",
      `${to("https://xn--80ak6aa92e.com/")}>https://аррӏе.com</a><bdi> (xn--80ak6aa92e.com)</bdi>`,
    ],
    [
      "![a cat](https://example.org/cat.png)",
      `<span>Image: a cat<bdi> (example.org)</bdi></span> ${to("https://example.org/cat.png")}>Open image in new tab</a>`,
    ],
    [
      "![see bank.example](https://evil.example/a.png)",
      `<span>Image: see bank.example<bdi> (leads to evil.example)</bdi></span> ${to("https://evil.example/a.png")}>Open image in new tab</a>`,
    ],
    ["[a](javascript:alert`1`)", "a<bdi> (javascript:alert`1`)</bdi>"],
    ["[a](javascript&#58;alert)", "a<bdi> (javascript:alert)</bdi>"],
    ['[a](/settings "b")', "a<bdi> (/settings &quot;b&quot;)</bdi>"],
    ["[a](https://bank.example@evil.example)", "a<bdi> (https://bank.example@evil.example)</bdi>"],
    ["<javascript:alert>", "javascript:alert"],
    ["![a](data:image/png;base64,aa)", "Image: a<bdi> (data:image/png;base64,aa)</bdi>"],
    [
      "[![a](https://one.example/a.png)](https://two.example)",
      `${to("https://two.example/")}><bdi>Image: a<bdi> (https://one.example/a.png)</bdi></bdi></a><bdi> (two.example)</bdi>`,
    ],
  ])("%s", (text, markup) => {
    expect(drawText(text)).toBe(`<p dir="auto"><bdi>${markup}</bdi></p>`);
  });

  test("an address with an invisible character is no link, and shows the character", () => {
    expect(drawText("[a](https://exa\u200Bmple.org)")).toMatch(/^(?!.*<a ).*U\+200B/);
  });
});

describe("footnotes", () => {
  /** Without the id of the text. */
  const drawNotes = (text: string): string => drawText(text).replaceAll(/ id="[^"]*?(\d+(?:-mark)?)"/g, " id=$1");
  const mark = (number: number, label: string): string =>
    `<sup><button type="button" id=${number}-mark aria-label="Footnote ${number}" title="${label}">${number}</button></sup>`;

  test("a mark is a number, and the footnotes are a list after the text", () => {
    const markup = drawNotes(
      "It rains[^Rain] and snows[^2].\n\n[^rain]: See *that*.\nAlso this.\n[^2]: Cold.\n\n    Very.\n\nEnd.",
    );
    expect(markup).toStartWith(
      `<p dir="auto">It rains${mark(1, "rain")} and snows${mark(2, "2")}.</p><p dir="auto">End.</p>` +
        '<section aria-label="Footnotes"><ol><li id=1 tabindex="-1" dir="auto"><p dir="auto">See <em>that</em>.<br/>Also this.</p>',
    );
    expect(markup).toContain('<li id=2 tabindex="-1" dir="auto"><p dir="auto">Cold.</p><p dir="auto">Very.</p>');
  });

  test("a mark without a footnote, a link and code stay as written; a footnote without a mark is listed", () => {
    expect(drawText("a[^1] b")).toBe('<p dir="auto">a[^1] b</p>');
    expect(drawText("[^1](https://example.org)\n\n[^1]: b")).toContain(">^1</a>");
    expect(drawText("`[^1]`\n\n[^1]: b")).toContain('<code dir="ltr">[^1]</code>');
    expect(drawText("a\n\n[^1]: https://example.org")).toMatch(/<li id=.*<a href="https:\/\/example\.org\/"/);
    expect(drawText("a[^1]\n\n[^1]: b\n\n[^1]: c")).toMatch(/<li [^>]*><p dir="auto">b<.*<li [^>]*><p dir="auto">c</);
    expect(drawText("> [^1]: b")).toContain("[^1]: b");
  });

  test("many footnotes and marks are parsed in bounded time and depth", () => {
    const many = Array.from({ length: 3000 }, (_, index) => `[^${index}]: a`).join("\n\n");
    expect(drawText(many).match(/<li /g)).toHaveLength(3000);
    expect(drawText(`${"[^1]: ".repeat(3000)}a`)).toContain("a");
    expect(drawText(`a\n${"[^".repeat(10_000)}`)).toContain("[^[^");
  });
});

describe("limits", () => {
  test("a text over the Markdown limit is plain, with a button for the rest", () => {
    const markup = drawText(`**a**${"b".repeat(limits.textLength)}`);
    expect(markup).toContain("**a**bbb");
    expect(markup).toContain(">Show all 50,005 characters</button>");
    expect(markup.length).toBeLessThan(5000);
  });

  test("a text at the limit is Markdown", () => {
    expect(drawText(`**a**${"b".repeat(limits.textLength - 5)}`)).toContain("<strong>a</strong>");
  });

  test("a paragraph of many lines keeps every line break", () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}`);
    const markup = drawText(lines.join("\n"));
    expect(markup.match(/<br\/>/g)).toHaveLength(1999);
    for (const line of lines) expect(markup).toContain(line);
  });

  test("a very long line keeps every character", () => {
    const text = "🔥".repeat(6000);
    expect(drawText(text)).toBe(`<p dir="auto">${text}</p>`);
  });

  test.each([
    ["quotes", `${">".repeat(500)}a`, "blockquote"],
    ["lists", `${"- ".repeat(500)}a`, "ul"],
  ])("nested %s stop at a maximum depth, as text", (_name, text, element) => {
    const markup = drawText(text);
    expect(markup.match(new RegExp(`<${element}`, "g"))?.length).toBeLessThanOrEqual(limits.depth);
    expect(markup).toMatch(/a<\/span>/);
  });

  test("nested emphasis stops at a maximum depth, as text", () => {
    const markup = drawText(`${"*a **b ".repeat(15)}c${"** *".repeat(15)}`);
    expect(markup.match(/<(?:em|strong)>/g)?.length).toBeLessThan(2 * limits.depth);
    expect(markup).toContain("c");
  });

  test("a table with too many cells is shown as written", () => {
    expect(drawText(`|a|\n|-|\n${"|b|\n".repeat(limits.cells + 1)}`)).not.toContain("<table>");
    expect(drawText(`|a|\n|-|\n${"|b|\n".repeat(100)}`)).toContain("<table>");
  });
});

describe("plain text", () => {
  test("plain text keeps its line breaks and markers", () => {
    expect(draw(<PlainText text={"**a**\r\n  <b>\u202E"} />)).toBe(
      '<span dir="auto">**a**\n  &lt;b&gt;<span dir="ltr" title="Invisible characters">U+202E</span></span>',
    );
  });

  test("a tool's text shows invisible characters", () => {
    expect(draw(<CodeText text={"a\u001B[31m"} />)).toContain("U+001B</span>[31m</code></pre>");
  });
});

describe("citations", () => {
  const cite = (text: string): string =>
    draw(
      <Router ssrPath="/">
        <CitationsProvider
          value={(address) =>
            address === "inbox/1#page-2" ? { path: "/rooms/den?file=upl_1", name: "b.pdf" } : undefined
          }
        >
          <Markdown text={text} />
        </CitationsProvider>
      </Router>,
    );

  test("a link that the house gave opens the document in this page, and names it", () => {
    expect(cite("[b.pdf, page 2](inbox/1#page-2)")).toContain(
      '<a href="/rooms/den?file=upl_1">b.pdf, page 2</a></bdi>',
    );
    expect(cite("[the *rent*](inbox/1#page-2)")).toContain(
      '<a href="/rooms/den?file=upl_1">the <em>rent</em></a><bdi> (b.pdf)</bdi>',
    );
  });

  test("any other target is text, however it is written", () => {
    for (const text of ["[a](inbox/2#page-2)", "[a](inbox&#47;2)", "[a]\n\n[a]: inbox/2", "![a](inbox/1#page-2)"])
      expect(cite(text)).not.toContain("<a ");
    expect(drawText("[a](inbox/1#page-2)")).not.toContain("<a ");
  });
});
