/** Components of the UI contain no text. Texts are in `text.ts`, where they can be translated. */
import { expect, test } from "bun:test";
import { plant } from "./planted.ts";
import { readRepository, readTree, type Tree } from "./source.ts";

/** Commands, names and parts of files, which are the same in every language. */
const SAME_IN_ALL_LANGUAGES: ReadonlySet<string> = new Set([
  "hearth up",
  "hearth login",
  "[budget]",
  "hearth.toml",
  "Hearth",
  "https://example.org",
]);

const writtenTexts = ({ files }: Tree): readonly string[] =>
  files
    .filter(({ path }) => path.startsWith("packages/ui/src/") && !path.includes(".test."))
    .flatMap(({ path, texts }) =>
      texts.filter(({ text }) => !SAME_IN_ALL_LANGUAGES.has(text)).map(({ text, line }) => `${path}:${line}: ${text}`),
    );

test("no component contains text", async () => {
  expect(writtenTexts(await readRepository())).toEqual([]);
});

test("the check finds text in elements, attributes and conditions", async () => {
  const view = `
    export const View = ({ isNew, name }: { readonly isNew: boolean; readonly name: string }) => (
      <section aria-label="Open rooms" className="list">
        Hello {name}
        <input placeholder={\`Search \${name}\`} type="text" />
        {isNew ? " (new)" : ""} · {name === "admin" ? name : ""}
        <kbd>j</kbd>
      </section>
    );`;
  await using planted = await plant({ "packages/ui/src/app/view.tsx": view });
  expect(writtenTexts(await readTree(planted.folder))).toEqual([
    "packages/ui/src/app/view.tsx:3: Open rooms",
    "packages/ui/src/app/view.tsx:3: Hello",
    "packages/ui/src/app/view.tsx:5: Search",
    "packages/ui/src/app/view.tsx:6: (new)",
  ]);
});
