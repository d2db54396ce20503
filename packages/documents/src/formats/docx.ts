/** Converts a DOCX: headings, lists, tables, footnotes, and page breaks as Word last showed them. */
import { anchor, tidy, toTable } from "../markdown.ts";
import { type Attributes, readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";

export function* readDocx(zip: Zip): Generator<string> {
  yield readBody(zip.text("word/document.xml") ?? "");
  for (const part of ["word/footnotes.xml", "word/endnotes.xml"]) {
    const notes = readBody(zip.text(part) ?? "");
    if (notes !== "") yield `${anchor("notes", part.slice(5, -4))}\n${notes}`;
  }
}

const readBody = (xml: string): string => {
  const body = createBody();
  readXml(xml, body);
  return body.result();
};

const createBody = () => {
  const blocks: string[] = [];
  let page = 1;
  let paragraph = "";
  let prefix = "";
  let isText = false;
  let fallbacks = 0;
  /** The rows of the open table. A table inside a cell becomes text of that cell. */
  let rows: string[][] | undefined;
  let tables = 0;

  const turnPage = (): void => {
    if (page === 1) blocks.unshift(anchor("page", 1));
    page += 1;
    blocks.push(anchor("page", page));
  };
  const begin = (name: string, attributes: Attributes): void => {
    const value = attributes["w:val"] ?? "";
    if (name === "w:p") [paragraph, prefix] = ["", ""];
    else if (name === "w:pStyle") prefix = toPrefix(value) ?? prefix;
    else if (name === "w:numPr") prefix ||= "- ";
    else if (name === "w:tab") paragraph += "\t";
    else if (name === "w:lastRenderedPageBreak" || (name === "w:br" && attributes["w:type"] === "page")) turnPage();
    else if (name === "w:br" || name === "w:cr") paragraph += "\n";
    else if (name === "w:tr" && tables === 1) rows?.push([]);
    else if (name === "w:tc" && tables === 1) rows?.at(-1)?.push("");
  };
  const endParagraph = (): void => {
    const row = rows?.at(-1);
    if (row !== undefined && row.length > 0) row[row.length - 1] += `${paragraph} `;
    else if (paragraph.trim() !== "") blocks.push(prefix + paragraph.trim());
    paragraph = "";
  };

  return {
    open(name: string, attributes: Attributes): void {
      if (name === "mc:Fallback") fallbacks += 1;
      if (fallbacks > 0) return;
      if (name === "w:tbl") {
        tables += 1;
        rows ??= [];
      }
      isText = name === "w:t";
      begin(name, attributes);
    },
    text(piece: string): void {
      if (isText && fallbacks === 0) paragraph += piece;
    },
    close(name: string): void {
      isText = false;
      if (name === "mc:Fallback") fallbacks -= 1;
      if (fallbacks > 0) return;
      if (name === "w:p") endParagraph();
      if (name !== "w:tbl") return;
      tables -= 1;
      if (tables > 0 || rows === undefined) return;
      if (rows.length > 0) blocks.push(toTable(rows));
      rows = undefined;
    },
    result: (): string => tidy(blocks.join("\n\n")),
  };
};

/**
 * Returns the Markdown prefix of a style by its id. Ids are mostly English, but names are in the
 * language of the program.
 */
const toPrefix = (style: string): string | undefined => {
  if (style === "Title") return "# ";
  const level = /^Heading([1-6])$/i.exec(style)?.[1];
  return level === undefined ? undefined : `${"#".repeat(Number(level))} `;
};
