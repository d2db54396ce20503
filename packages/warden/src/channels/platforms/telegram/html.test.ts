import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readMarkdown } from "../../markdown.ts";
import { splitMarkdown } from "../../pieces.ts";
import { parseTelegramHtml } from "./fake-html.ts";
import { toTelegramHtml } from "./html.ts";

const ours = ["b", "i", "s", "code", "pre", "a", "blockquote"];

describe("Markdown as Telegram's HTML", () => {
  test.each([
    ["**bold** and __bold__", "<b>bold</b> and <b>bold</b>"],
    ["*it* _it_ ~~gone~~ `code`", "<i>it</i> <i>it</i> <s>gone</s> <code>code</code>"],
    ["***both***", "<b><i>both</i></b>"],
    ["***a** b*", "<i><b>a</b> b</i>"],
    ["**a _b ~~c~~_ d**", "<b>a <i>b <s>c</s></i> d</b>"],
    ["**over\ntwo lines**", "<b>over\ntwo lines</b>"],
    ["**a\n\nb**", "**a\n\nb**"],
    ["**note:**then", "<b>note:</b>then"],
    ["snake_case_name and 2 * 3 * 4 and ~one~", "snake_case_name and 2 * 3 * 4 and ~one~"],
    ["**open and *open", "**open and *open"],
    ["``a ` b`` `` ` ``", "<code>a ` b</code> <code>`</code>"],
    ["`**no**` \\*no\\* \\`no\\`", "<code>**no**</code> *no* `no`"],
    ["**a `b** c` d**", "<b>a <code>b** c</code> d</b>"],
    ['<b> & "q"', "&lt;b&gt; &amp; &quot;q&quot;"],
    ["# Title #\n## **Bold** title", "<b>Title</b>\n<b>Bold title</b>"],
    ["#hashtag", "#hashtag"],
    ["- one\n  * two\n3. three\n+ **four**", "• one\n  • two\n3. three\n• <b>four</b>"],
    ["- one\n  continues", "• one\n  continues"],
    ["> a\n> > b\nc", "<blockquote>a\nb</blockquote>\nc"],
    ["a\n\n---\n***\nb", "a\n\n———\n———\nb"],
    ["```ts\nlet a = 1 < 2;\n```\nend", '<pre><code class="language-ts">let a = 1 &lt; 2;</code></pre>\nend'],
    ["```\n**no**\n\n# no", "<pre>**no**\n\n# no</pre>"],
    ["1. do\n   ~~~\n   x\n     y\n   ~~~", "1. do\n<pre>x\n  y</pre>"],
    ["````\n```\n````", "<pre>```</pre>"],
    ['```"><b>\nx\n```', "<pre>x</pre>"],
    ["> ```\n> x\n> ```", "<blockquote><pre>x</pre></blockquote>"],
    ["[**a** b](https://x.example/?a=1&b=2)", '<a href="https://x.example/?a=1&amp;b=2"><b>a</b> b</a>'],
    ['![pic](https://x.example/p_(1).png "t")', '<a href="https://x.example/p_(1).png">pic</a>'],
    ["<https://x.example/_a_>", '<a href="https://x.example/_a_">https://x.example/_a_</a>'],
    ["https://x.example/_a_b_ *it*", "https://x.example/_a_b_ <i>it</i>"],
    ["**https://x.example**", "<b>https://x.example</b>"],
    [
      "[x](javascript:alert(1)) [y](tg://user?id=1) [](https://a.example)",
      "[x](javascript:alert(1)) [y](tg://user?id=1) [](https://a.example)",
    ],
    ['[x](https://a.example/"onclick="b)', '<a href="https://a.example/&quot;onclick=&quot;b">x</a>'],
  ])("%j", (markdown, html) => {
    expect(toTelegramHtml(markdown)).toBe(html);
    expect(parseTelegramHtml(html)).toMatchObject({ ok: true });
  });

  test("the HTML of any text has only Telegram's tags, all closed, and the same text as the Markdown in at most as many characters", () => {
    const spice = fc.constantFrom(
      ...[
        "*",
        "**",
        "***",
        "_",
        "__",
        "~~",
        "`",
        "``",
        "```",
        "\\",
        "[",
        "](",
        "[a](https://b.example)",
        ")",
        "<",
        ">",
        "&",
      ],
      ...[
        "&lt;",
        "<b>",
        "</b>",
        '"',
        "#",
        "# ",
        "- ",
        "1. ",
        "> ",
        "\n",
        "\n\n",
        "\n```js\n",
        "\n> ",
        "---",
        " ",
        "a",
        "b c",
      ],
    );
    const text = fc.oneof(
      fc.array(spice, { maxLength: 60 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary", maxLength: 200 }),
    );
    fc.assert(
      fc.property(text, (markdown) => {
        const parsed = parseTelegramHtml(toTelegramHtml(markdown));
        if (!parsed.ok) throw new Error(parsed.description);
        expect(parsed.tags.filter((tag) => !ours.includes(tag))).toEqual([]);
        expect(parsed.text).toBe(readMarkdown(markdown));
        expect(parsed.text.length).toBeLessThanOrEqual(markdown.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a piece of any length fits as HTML", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("& ", "- **<a>** & `b`\n", "> 👩‍👩‍👧‍👦 _x_ ", "[a](https://b.example/) "),
        fc.integer({ min: 1, max: 4_000 }),
        (unit, count) => {
          for (const piece of splitMarkdown(unit.repeat(count), 4096)) {
            const parsed = parseTelegramHtml(toTelegramHtml(piece));
            expect(parsed.ok && parsed.text.length <= 4096).toBe(true);
            expect(piece.length).toBeLessThanOrEqual(4096);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("the fake reader of Telegram's HTML", () => {
  test.each([
    ["<x>a</x>", 'Unsupported start tag "x" at byte offset 0'],
    ["a</b>", "Unexpected end tag at byte offset 1"],
    ["<b><i>a</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
    ["<b>a", 'Can\'t find end tag corresponding to start tag "b"'],
    ["a < b", "Unclosed start tag at byte offset 2"],
    ['<a onclick="x">a</a>', "Unexpected attribute at byte offset 0"],
  ])("does not take %j", (html, why) => {
    expect(parseTelegramHtml(html)).toEqual({ ok: false, description: `Bad Request: can't parse entities: ${why}` });
  });

  test("reads the same entities as the server", () => {
    expect(parseTelegramHtml("&lt;&amp;&quot;&#65;&nbsp;&")).toMatchObject({ text: '<&"A&nbsp;&' });
  });
});
