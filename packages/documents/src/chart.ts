/**
 * Draws a Vega-Lite specification as SVG. It loads no data and no scripts, and interprets
 * expressions instead of compiling them to functions. It runs in a cell, because a model wrote the
 * specification.
 */
import { type ChartRequest, type ChartResult, MAX_CHART_BYTES } from "@hearth/protocol/charts";
import { type Loader, type LoggerInterface, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { fields, findSeparator } from "./formats/csv.ts";
import { LIMITS } from "./limits.ts";
import { isRefusal, refuse } from "./refusal.ts";

/** Draws a chart. Never throws: if the chart cannot be drawn, the result contains the reason. */
export const drawChart = async ({ spec, table }: ChartRequest): Promise<ChartResult> => {
  try {
    refuseOtherLanguages(spec);
    refuseLinks(spec, "");
    const svg = await draw(table === undefined ? spec : withTable(spec, table));
    return { kind: "chart", svg };
  } catch (error) {
    if (isRefusal(error)) return { kind: "refused", why: error.message };
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "refused", why: `The specification is not valid Vega-Lite: ${why.slice(0, 500)}` };
  }
};

type Spec = ChartRequest["spec"];

const refuseOtherLanguages = ({ $schema }: Spec): void => {
  if (typeof $schema === "string" && !$schema.includes("/vega-lite/"))
    refuse("The specification is not Vega-Lite. Write it in Vega-Lite, without $schema.");
};

/** Fields that contain data, which the check skips because a column may have any name. */
const DATA_FIELDS = new Set(["values", "datasets"]);
const LINK_FIELDS = new Set(["url", "href"]);

const refuseLinks = (value: unknown, path: string): void => {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${path}/${key}`;
    if (LINK_FIELDS.has(key))
      refuse(`A chart loads nothing and has no links. Remove ${at}; name a file of the workspace as \`path\`.`);
    if (key === "datasets" && path !== "") refuse(`Datasets belong to the top of the specification. Move ${at}.`);
    if (!DATA_FIELDS.has(key)) refuseLinks(inner, at);
  }
};

const withTable = (spec: Spec, table: string): Spec => {
  const { data } = spec;
  const isNamed = typeof data === "object" && data !== null && "name" in data;
  if (data !== undefined && data !== null && !isNamed)
    refuse("The specification has data and `path` names more. Remove one of them.");
  return { ...spec, data: { ...(isNamed ? (data as Spec) : {}), values: readTable(table) } };
};

type Row = Readonly<Record<string, unknown>>;

const readTable = (text: string): readonly Row[] => {
  const clean = text.replace(/^\uFEFF/, "");
  return /^\s*[[{]/.test(clean) ? readJson(clean) : readSeparated(clean);
};

const readJson = (text: string): readonly Row[] => {
  const rows = parseJson(text);
  if (!Array.isArray(rows) || !rows.every((row) => typeof row === "object" && row !== null))
    return refuse("The JSON file is not a list of objects. Write it as [{…}, {…}].");
  return rows.length > LIMITS.chartRows ? refuseRows() : (rows as readonly Row[]);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return refuse("The file is not valid JSON. Correct it, or use a CSV file.");
  }
};

const readSeparated = (text: string): readonly Row[] => {
  const [head, ...body] = takeRows(text, findSeparator(text) ?? ",");
  if (head === undefined || body.length === 0) return refuse("The table has no rows below its first line.");
  return body
    .filter((row) => row.length > 1 || row[0] !== "")
    .map((row) => Object.fromEntries(head.map((name, at) => [name.trim(), toValue(row[at] ?? "")])));
};

const takeRows = (text: string, separator: string): readonly (readonly string[])[] => {
  const rows: (readonly string[])[] = [];
  for (const row of fields(text, separator)) {
    // One row more than the limit is allowed, because the first row contains the names of the columns.
    if (rows.length > LIMITS.chartRows) return refuseRows();
    rows.push(row);
  }
  return rows;
};

const refuseRows = (): never =>
  refuse(`The table has more than ${LIMITS.chartRows} rows. Aggregate it in the workspace first.`);

/** Converts a field to a number if it is written as one. Vega-Lite parses dates from strings. */
const toValue = (field: string): string | number | null => {
  const text = field.trim();
  if (text === "") return null;
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : text;
};

/** A loader that throws for every access outside the process. */
const LOADER: Loader = {
  load: () => Promise.reject(new Error("A chart loads nothing.")),
  sanitize: () => Promise.reject(new Error("A chart has no links.")),
  http: () => Promise.reject(new Error("A chart loads nothing.")),
  file: () => Promise.reject(new Error("A chart loads nothing.")),
};

const draw = async (spec: Spec): Promise<string> => {
  const errors: string[] = [];
  const logger = createLogger(errors);
  // The compiler reports invalid parts.
  const compiled = compile(spec as unknown as TopLevelSpec, { logger }).spec;
  const runtime = parse(compiled, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: "none", loader: LOADER, logger });
  try {
    await view.runAsync();
    if (errors[0] !== undefined) throw new Error(errors[0]);
    const svg = await view.toSVG();
    requireSize(svg);
    return svg;
  } finally {
    view.finalize();
  }
};

const requireSize = (svg: string): void => {
  const [width, height] = ["width", "height"].map((name) =>
    Number(new RegExp(`^<svg[^>]* ${name}="([0-9.]+)"`).exec(svg)?.[1]),
  );
  const isSmall = (pixels: number | undefined): boolean => pixels !== undefined && pixels <= LIMITS.chartPixels;
  if (!isSmall(width) || !isSmall(height))
    refuse(
      `The chart has ${width} × ${height} pixels, and ${LIMITS.chartPixels} × ${LIMITS.chartPixels} is the most. Make it smaller.`,
    );
  if (new TextEncoder().encode(svg).length > MAX_CHART_BYTES)
    refuse(`The picture has more than ${MAX_CHART_BYTES >> 20} MiB. Aggregate the data, so that it has fewer marks.`);
};

/**
 * Creates a logger that collects errors. Vega only logs errors of the data flow, and draws the
 * chart without the failed part.
 */
const createLogger = (errors: string[]): LoggerInterface => {
  const logger: LoggerInterface = {
    level: () => logger as never,
    error: (...words: unknown[]) => {
      errors.push(words.map(String).join(" "));
      return logger;
    },
    warn: () => logger,
    info: () => logger,
    debug: () => logger,
  } as LoggerInterface;
  return logger;
};
