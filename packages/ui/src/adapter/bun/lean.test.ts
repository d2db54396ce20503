/** Compares the reduced libraries with the complete ones. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Lexer } from "marked";
import { cutToLexer, lexerAlone } from "./lean.ts";

const MARKED = fileURLToPath(import.meta.resolve("marked"));
const FIXTURES = ["xss", "blns"].map((name) => new URL(`../../../../../tests/fixtures/${name}.json`, import.meta.url));

const samples = `# Head

A **paragraph** with _some_ \`code\`, [a link](https://example.com "title"), <https://a.example>, www.b.example
and ~~more~~, ![a picture](x.png) and a [reference][one].

[one]: https://c.example

1. one
   - two
   - [x] three

> a quote

| a | b |
|---|:-:|
| 1 | 2 |

---

\`\`\`ts
const a = 1;
\`\`\`

<b>html</b>
`;

test("the reduced lexer makes the same tokens as all of marked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-lexer-"));
  try {
    const built = await Bun.build({ entrypoints: [MARKED], plugins: [lexerAlone], outdir: folder });
    const small: { readonly Lexer: typeof Lexer } = await import(built.outputs[0]?.path ?? "");
    expect(Object.keys(small).toSorted()).toEqual(["Lexer", "Tokenizer"]);
    const texts = await Promise.all(
      FIXTURES.map(async (url): Promise<{ items: readonly string[] }> => Bun.file(url).json()),
    );
    const all = [samples, ...texts.flatMap(({ items }) => items)];
    expect(all.length).toBeGreaterThan(100);
    for (const text of all) {
      const options = { gfm: true, breaks: true };
      expect(new small.Lexer(options).lex(text)).toEqual(new Lexer(options).lex(text));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("an unknown structure of marked is rejected", async () => {
  const marked = await readFile(MARKED, "utf8");
  expect(cutToLexer(marked).length).toBeLessThan(marked.length * 0.85);
  const exported = marked.lastIndexOf("export{");
  for (const other of ["", marked.slice(0, exported), marked.replaceAll("=class", "= class"), "export{a as Lexer};"])
    expect(() => cutToLexer(other)).toThrow("unknown structure");
});
