/** Tests hostile texts: the markup contains nothing that runs or loads, and loses no word. */
import { describe, expect, test } from "bun:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeUi } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { CodeBlock, CodeText } from "./code-text.tsx";
import { decodeEntities } from "./entities.ts";
import { limits } from "./lex.ts";
import { Markdown } from "./markdown.tsx";
import { PlainText } from "./plain-text.tsx";
import { toVisible } from "./visible.tsx";

const corpus = await Promise.all(
  ["xss", "blns"].map(async (name): Promise<{ items: readonly string[] }> =>
    Bun.file(new URL(`../../../../tests/fixtures/${name}.json`, import.meta.url)).json(),
  ),
);
const items = corpus.flatMap((file) => file.items);

/** Allowed attributes by element, besides common ones. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "div span p h2 h3 h4 h5 strong em del code pre bdi br ul blockquote hr table thead tbody tr td"
      .split(" ")
      .map((name) => [name, []]),
  ),
  ol: ["start"],
  li: ["id", "tabindex"],
  sup: [],
  section: [],
  th: ["scope"],
  a: ["href", "target", "rel", "referrerpolicy"],
  input: ["type", "disabled", "readonly", "checked"],
  button: ["type", "id"],
  svg: [
    "viewbox",
    "width",
    "height",
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "aria-hidden",
    "focusable",
  ],
  path: ["d"],
  rect: ["x", "y", "width", "height", "rx"],
  circle: ["cx", "cy", "r"],
};
const anywhere = ["class", "dir", "title", "aria-label"];

/** Finds forbidden markup, and extracts the visible text. */
const inspect = async (markup: string): Promise<{ readonly wrongs: readonly string[]; readonly words: string }> => {
  const wrongs: string[] = [];
  let words = "";
  let values = "";
  const rewriter = new HTMLRewriter()
    .on("*", {
      element: (element) => {
        const own = allowed[element.tagName];
        if (own === undefined) wrongs.push(`<${element.tagName}>`);
        for (const [name, value] of element.attributes) {
          if (![...(own ?? []), ...anywhere].includes(name.toLowerCase())) wrongs.push(`${element.tagName} ${name}`);
          if (name === "href" && !/^(?:https?:\/\/|mailto:)/.test(value)) wrongs.push(`href ${value}`);
          if (["href", "title", "start"].includes(name)) values += ` ${decodeEntities(value)}`;
        }
        if (element.tagName === "a" && element.getAttribute("rel") !== "noopener noreferrer nofollow")
          wrongs.push("rel");
        if (element.tagName === "br" || element.tagName === "p") words += " ";
      },
      comments: (comment) => void wrongs.push(`<!--${comment.text}-->`),
    })
    .onDocument({ text: (chunk) => void (words += chunk.text) });
  await rewriter.transform(new Response(markup)).text();
  return { wrongs, words: decodeEntities(words) + values };
};

const draw = (element: ReactElement): string =>
  renderToStaticMarkup(<UiProvider value={createFakeUi()}>{element}</UiProvider>);

/**
 * Words of a text that the visible text lacks. Ignores decoded references, percent encoding in
 * targets, and trimmed whitespace.
 */
const findLost = (text: string, shown: string): readonly string[] => {
  const unescaped = shown.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll("%", ""), "hex").toString(),
  );
  const whole = [shown, toVisible(decodeEntities(shown)), unescaped].join("\n").toLowerCase();
  const words =
    toVisible(decodeEntities(text).replaceAll(/[\uFEFF\u2028\u2029]/g, ""))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !whole.includes(word));
};

/** Positions of text in Markdown. */
const places: Readonly<Record<string, (item: string) => string>> = {
  "a message": (item) => item,
  "a link's text": (item) => `[${item}](https://example.org)`,
  "a link's target": (item) => `[a](${item})`,
  "a link's target in brackets": (item) => `[a](<${item}>)`,
  "a link's title": (item) => `[a](https://example.org "${item}")`,
  "an image's words": (item) => `![${item}](https://example.org)`,
  "an image's source": (item) => `![a](${item})`,
  "a definition": (item) => `[a]\n\n[a]: ${item}`,
  "a fence": (item) => `\`\`\`${item}\n${item}\n\`\`\``,
  "a footnote": (item) => `a[^1]\n\n[^1]: ${item}`,
  "a footnote's label": (item) => `a[^${item}]\n\n[^${item}]: b`,
  "a table": (item) => `| ${item} | b |\n|---|---|\n| c | ${item} |`,
  "a list": (item) => `- ${item}\n  - ${item}`,
  "a heading": (item) => `# ${item}`,
  "a quote": (item) => `> ${item}`,
  emphasis: (item) => `**${item}** ~~${item}~~`,
};

describe("naughty strings in Markdown", () => {
  test.each(Object.entries(places))("are safe in %s", async (_name, place) => {
    for (const item of items) {
      const text = place(item);
      const { wrongs, words } = await inspect(draw(<Markdown text={text} />));
      expect({ text, wrongs, lost: findLost(text, words) }).toEqual({ text, wrongs: [], lost: [] });
    }
  });

  test("are safe while they stream", async () => {
    for (const item of items) {
      expect((await inspect(draw(<Markdown text={`a ${item}`} isStreaming />))).wrongs).toEqual([]);
    }
  });
});

describe("naughty strings elsewhere", () => {
  test.each([
    ["plain text", (item: string) => <PlainText text={item} />],
    ["code", (item: string) => <CodeBlock text={item} language={item} />],
    ["what a tool gave", (item: string) => <CodeText text={item} />],
    ["a title", (item: string) => <p title={toVisible(item)} aria-label={toVisible(item)} />],
  ])("are safe in %s", async (_name, element) => {
    for (const item of items) {
      const { wrongs, words } = await inspect(draw(element(item)));
      expect({ item, wrongs, lost: findLost(item, words) }).toEqual({ item, wrongs: [], lost: [] });
    }
  });
});

/** A seeded pseudo-random generator. */
const createDice = (seed: number): ((sides: number) => number) => {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

const scraps = [
  ..."*_~`[]()<>!#|-+>\\&;:\"'=\n\n \t/@.".split(""),
  ..."**|__|~~|```|~~~|\n\n|\n- |\n1. |\n> |\n# |\n| |\n|-|-|\n|](|![|https://a.example/|javascript:|mailto:a@b.c|www.a.b|<b>|</b>|<!--|-->|<script>|<a href=|&lt;|&#x3c;|\u202E|\u200B|word|слово|\n    |[x]: |[x]|[^1]|\n[^1]: |- [ ] |\r\n|\0".split(
    "|",
  ),
];

test("random mixtures of Markdown are safe, whole or growing", async () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const dice = createDice(seed);
    const text = Array.from({ length: dice(60) }, () => scraps[dice(scraps.length)]).join("");
    for (const isStreaming of [false, true]) {
      const { wrongs, words } = await inspect(draw(<Markdown text={text} isStreaming={isStreaming} />));
      // The label of a footnote becomes its number.
      const written = text.replaceAll("\r\n", "\n").replaceAll("[^1]", " ");
      const lost = isStreaming ? [] : findLost(written, words);
      expect({ seed, text, wrongs, lost }).toEqual({ seed, text, wrongs: [], lost: [] });
    }
  }
});

const fill = (scrap: string): string => scrap.repeat(limits.textLength / scrap.length);
const wide = Math.floor(limits.textLength / 4);

test.each([
  ...["[a](", "*a_ ", "<", "|a|\n", "> - ", "- a\n", "a@"].map((scrap): [string, string] => [scrap, fill(scrap)]),
  ["a mail address without an end", `${fill("a-_").slice(1)}@`],
  ["brackets in brackets", "[".repeat(wide) + "]".repeat(wide)],
  ["a ragged table", `${"|a".repeat(wide / 4)}|\n${"|-".repeat(wide / 4)}|\n${"b\n".repeat(wide)}`],
])(
  "%j, repeated up to the length limit, renders quickly",
  async (_name, text) => {
    const { wrongs } = await inspect(draw(<Markdown text={text.slice(0, limits.textLength)} />));
    expect(wrongs).toEqual([]);
  },
  180_000,
);
