/** Converts an XLSX to one table for each sheet. A formula is shown as its last result. */
import { LIMITS } from "../limits.ts";
import { anchor, toTable } from "../markdown.ts";
import { readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";
import { readRelations } from "./office.ts";

const WORKBOOK = "xl/workbook.xml";

export function* readXlsx(zip: Zip): Generator<string> {
  const relations = readRelations(zip, WORKBOOK);
  const sheets: { readonly name: string; readonly part: string }[] = [];
  let is1904 = false;
  readXml(zip.text(WORKBOOK) ?? "", {
    open(element, { name, "r:id": id = "", date1904 }) {
      if (element === "workbookPr") is1904 = date1904 === "1" || date1904 === "true";
      const part = relations.get(id);
      if (element === "sheet" && name !== undefined && part !== undefined) sheets.push({ name, part });
    },
  });
  const strings = readStrings(zip.text("xl/sharedStrings.xml") ?? "");
  const dates = readDateStyles(zip.text("xl/styles.xml") ?? "");
  for (const { name, part } of sheets) {
    const rows = readRows(zip.text(part) ?? "", (cell) => showCell(cell, { strings, dates, is1904 }));
    yield `${anchor("sheet", name)}\n${rows.length === 0 ? "[empty]" : toTable(rows)}`;
  }
}

const readStrings = (xml: string): readonly string[] => {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  let phonetic = 0;
  readXml(xml, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") phonetic += 1;
      isText = name === "t";
    },
    text(piece) {
      if (isText && phonetic === 0) text += piece;
    },
    close(name) {
      isText = false;
      if (name === "rPh") phonetic -= 1;
      if (name === "si") strings.push(text);
    },
  });
  return strings;
};

/** Returns the numbers of the styles that show dates. */
const readDateStyles = (xml: string): ReadonlySet<number> => {
  const formats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
  const styles = new Set<number>();
  let inStyles = false;
  let count = 0;
  readXml(xml, {
    open(name, { numFmtId, formatCode = "" }) {
      const unquoted = formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\./gu, "");
      if (name === "numFmt" && /[dmyhs]/i.test(unquoted)) formats.add(Number(numFmtId));
      if (name === "cellXfs") inStyles = true;
      if (name !== "xf" || !inStyles) return;
      if (formats.has(Number(numFmtId))) styles.add(count);
      count += 1;
    },
    close(name) {
      if (name === "cellXfs") inStyles = false;
    },
  });
  return styles;
};

interface Cell {
  readonly type: string;
  readonly style: number;
  readonly value: string;
}

const readRows = (xml: string, show: (cell: Cell) => string): readonly (readonly string[])[] => {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = { type: "", style: 0, column: 0 };
  let value = "";
  let isValue = false;
  readXml(xml, {
    open(name, { r: place = "", t: type = "n", s: style = "0" }) {
      if (name === "row") row = [];
      if (name === "c") {
        cell = { type, style: Number(style), column: columnOf(place) ?? row.length };
        value = "";
      }
      isValue = name === "v" || name === "t";
    },
    text(piece) {
      if (isValue) value += piece;
    },
    close(name) {
      isValue = false;
      if (name === "c" && value !== "" && cell.column < LIMITS.columns) {
        while (row.length < cell.column) row.push("");
        row[cell.column] = show({ type: cell.type, style: cell.style, value });
      }
      if (name === "row" && row.length > 0) rows.push(row);
    },
  });
  return rows;
};

/** Returns the column of a cell: 1 for `B7`. */
const columnOf = (place: string): number | undefined => {
  const letters = /^[A-Z]{1,3}/.exec(place)?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
};

interface CellContext {
  readonly strings: readonly string[];
  readonly dates: ReadonlySet<number>;
  readonly is1904: boolean;
}

const showCell = ({ type, style, value }: Cell, { strings, dates, is1904 }: CellContext): string => {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  return type === "n" && dates.has(style) ? (toDate(Number(value), is1904) ?? value) : value;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of the day 1970-01-01 in each of the two calendars of spreadsheets. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;

const toDate = (days: number, is1904: boolean): string | undefined => {
  const at = new Date(Math.round((days - (is1904 ? EPOCH_1904 : EPOCH_1900)) * DAY_MS));
  if (Number.isNaN(at.getTime())) return undefined;
  const text = at.toISOString();
  if (days < 1) return text.slice(11, 19);
  return Number.isInteger(days) ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
};
