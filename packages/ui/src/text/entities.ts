/** Decodes character references in Markdown text. Unknown ones stay unchanged. */

/** Names of character references, each followed by its character. */
const table =
  "amp& lt< gt> quot\" apos' copy© reg® trade™ hellip… mdash— ndash– bull• middot· times× deg° larr← rarr→ le≤ ge≥ ne≠ euro€ " +
  "lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» check✓ lbrack[ rbrack] vert| grave` num# ast* lowbar_ colon: nbsp\u00A0";

const charactersByName: ReadonlyMap<string, string> = new Map(
  [...table.matchAll(/([a-z]+)([^a-z])/g)].map(([, name = "", character = ""]) => [name, character]),
);

export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g,
    (reference, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return charactersByName.get(name) ?? reference;
      return characterOf(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal));
    },
  );

const characterOf = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\uFFFD" : String.fromCodePoint(code);
