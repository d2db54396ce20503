/** Converts HTML to Markdown: headings, lists, links, tables and preformatted text. */
import { tidy, toTable } from "../markdown.ts";
import { readHtml } from "../xml.ts";

const SKIPPED = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "select", "textarea"]);
const BLOCKS = new Set([
  ...["address", "article", "aside", "blockquote", "body", "dd", "div", "dl", "dt", "figure", "footer", "form"],
  ...["header", "main", "nav", "ol", "p", "pre", "section", "table", "title", "tr", "ul"],
]);
const HEADING = /^h([1-6])$/;

export const htmlToMarkdown = (source: string): string => {
  const page = createPage();
  readHtml(source, page);
  return page.result();
};

const createPage = () => {
  let text = "";
  let skipped = 0;
  let preformatted = 0;
  let rows: string[][] | undefined;
  /** The open links: where the text of each begins, and its address. */
  const links: { readonly at: number; readonly href: string }[] = [];

  const write = (piece: string): void => {
    const row = rows?.at(-1);
    if (row !== undefined && row.length > 0) row[row.length - 1] += piece;
    else text += piece;
  };
  const openTable = (): void => {
    rows ??= [];
  };
  const closeTable = (): void => {
    const filled = rows?.filter((row) => row.length > 0) ?? [];
    rows = undefined;
    if (filled.length > 0) text += `\n\n${toTable(filled)}\n\n`;
  };

  return {
    open(name: string, attributes: Readonly<Record<string, string>>): void {
      if (SKIPPED.has(name)) skipped += 1;
      const level = HEADING.exec(name)?.[1];
      if (level !== undefined) write(`\n\n${"#".repeat(Number(level))} `);
      else if (name === "table") openTable();
      else if (name === "tr") rows?.push([]);
      else if (name === "td" || name === "th") rows?.at(-1)?.push("");
      else if (name === "li") write("\n- ");
      else if (name === "br") write("\n");
      else if (name === "hr") write("\n\n---\n\n");
      else if (name === "a") links.push({ at: text.length, href: attributes["href"] ?? "" });
      else if (BLOCKS.has(name)) write("\n\n");
      if (name === "pre") preformatted += 1;
    },
    close(name: string): void {
      if (SKIPPED.has(name)) skipped -= 1;
      if (name === "pre") preformatted -= 1;
      if (name === "table") closeTable();
      if (name === "a") {
        const { at = 0, href = "" } = links.pop() ?? {};
        const isShown = rows === undefined && /^(https?|mailto):/i.test(href) && href.length <= 2000;
        const label = text.slice(at).replace(/\s+/gu, " ").trim();
        if (isShown && label !== "" && label !== href) text = `${text.slice(0, at)}[${label}](${href})`;
      }
      if (HEADING.test(name) || BLOCKS.has(name)) write("\n\n");
    },
    text(piece: string): void {
      if (skipped > 0) return;
      write(preformatted > 0 ? piece : piece.replace(/\s+/gu, " "));
    },
    result(): string {
      closeTable();
      return tidy(text.replace(/^ +/gmu, ""));
    },
  };
};
