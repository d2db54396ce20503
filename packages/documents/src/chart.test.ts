import { expect, test } from "bun:test";
import type { ChartRequest } from "@hearth/protocol/charts";
import { drawChart } from "./chart.ts";
import { LIMITS } from "./limits.ts";

const VALUES = [
  { month: "May", euros: 12 },
  { month: "June", euros: 31 },
];
const ENCODING = { x: { field: "month", type: "nominal" }, y: { field: "euros", type: "quantitative" } };
const BARS = { mark: "bar", encoding: ENCODING };

const svgOf = async (request: ChartRequest): Promise<string> => {
  const result = await drawChart(request);
  return result.kind === "chart" ? result.svg : `refused: ${result.why}`;
};
const whyOf = async (spec: ChartRequest["spec"], table?: string): Promise<string> => {
  const result = await drawChart(table === undefined ? { spec } : { spec, table });
  return result.kind === "refused" ? result.why : result.svg.slice(0, 100);
};
const barsIn = (svg: string): number => svg.match(/aria-roledescription="bar"/g)?.length ?? 0;

test("inline data becomes a chart with one bar for each row", async () => {
  const svg = await svgOf({ spec: { ...BARS, data: { values: VALUES } } });
  expect(svg).toStartWith("<svg ");
  expect([barsIn(svg), svg.includes(">June<")]).toEqual([2, true]);
});

for (const [kind, table] of [
  ["CSV with a byte order mark", "\uFEFFmonth,euros\r\nMay,12\r\nJune,31\r\n"],
  ["TSV", "month\teuros\nMay\t12\nJune\t31\n"],
  ["JSON", JSON.stringify(VALUES)],
])
  test(`a file of ${kind} gives the same chart as inline data`, async () => {
    const inline = await svgOf({ spec: { ...BARS, data: { values: VALUES } } });
    expect(await svgOf({ spec: BARS, table: table ?? "" })).toBe(inline);
  });

test("a named data source takes the rows of the file", async () => {
  expect(barsIn(await svgOf({ spec: { ...BARS, data: { name: "sales" } }, table: "month,euros\nMay,1\n" }))).toBe(1);
});

test("an expression is interpreted, so no function is made of its text", async () => {
  const { Function: original } = globalThis;
  const made: unknown[] = [];
  globalThis.Function = new Proxy(original, {
    construct: (target, given, self) => {
      made.push(given);
      return Reflect.construct(target, given, self) as object;
    },
    apply: (target, self, given) => {
      made.push(given);
      return Reflect.apply(target, self, given) as unknown;
    },
  });
  try {
    const transform = [{ calculate: "datum.euros * 2", as: "double" }];
    const y = { field: "double", type: "quantitative" };
    const svg = await svgOf({
      spec: { mark: "bar", data: { values: VALUES }, transform, encoding: { ...ENCODING, y } },
    });
    expect(svg).toContain("double: 62");
    expect(made).toEqual([]);
  } finally {
    globalThis.Function = original;
  }
});

test("text of the data stays text", async () => {
  const values = [{ month: "</text><script>alert(1)</script>", euros: 1 }];
  const svg = await svgOf({ spec: { ...BARS, data: { values } } });
  expect(svg).toContain("&lt;script&gt;");
  expect(svg).not.toContain("<script");
});

test("A55: data, pictures and links from elsewhere are refused", async () => {
  const link = (path: string): string =>
    `A chart loads nothing and has no links. Remove ${path}; name a file of the workspace as \`path\`.`;
  expect(await whyOf({ ...BARS, data: { url: "http://127.0.0.1/x.csv" } })).toBe(link("/data/url"));
  expect(await whyOf({ layer: [{ ...BARS, data: { url: "file:///etc/passwd" } }] })).toBe(link("/layer/0/data/url"));
  expect(await whyOf({ mark: "image", encoding: { url: { field: "u" } }, data: { values: [] } })).toBe(
    link("/encoding/url"),
  );
  expect(await whyOf({ ...BARS, encoding: { ...ENCODING, href: { value: "javascript:x" } } })).toBe(
    link("/encoding/href"),
  );
  expect(await whyOf({ ...BARS, data: { values: VALUES }, config: { mark: { href: "http://x/" } } })).toBe(
    link("/config/mark/href"),
  );
  const lookup = [{ lookup: "month", from: { data: { url: "http://x/" }, key: "a", fields: ["b"] } }];
  expect(await whyOf({ ...BARS, data: { values: VALUES }, transform: lookup })).toBe(
    link("/transform/0/from/data/url"),
  );
});

test("a link that another format hides reaches no loader and no picture", async () => {
  const usermeta = { embedOptions: { loader: { baseURL: "http://x/" } } };
  const svg = await svgOf({ spec: { ...BARS, usermeta, data: { values: VALUES } } });
  expect(svg).not.toContain("http://x/");
});

test("A55: each size beyond a limit has its own sentence", async () => {
  const values = VALUES;
  expect(await whyOf({ ...BARS, data: { values }, width: 100_000 })).toMatch(
    /^The chart has 100\d+ × \d+ pixels, and 4000 × 4000 is the most\. Make it smaller\.$/,
  );
  const rows = `a,b\n${"1,2\n".repeat(LIMITS.chartRows + 1)}`;
  const tooMany = `The table has more than ${LIMITS.chartRows} rows. Aggregate it in the workspace first.`;
  expect(await whyOf(BARS, rows)).toBe(tooMany);
  expect(await whyOf(BARS, JSON.stringify(Array.from({ length: LIMITS.chartRows + 1 }, () => ({}))))).toBe(tooMany);
  const points = {
    mark: "point",
    data: { sequence: { start: 0, stop: 20_000 } },
    encoding: { x: { field: "data", type: "quantitative" } },
  };
  expect(await whyOf(points)).toBe("The picture has more than 1 MiB. Aggregate the data, so that it has fewer marks.");
});

test("a specification or file that is not usable has its own sentence", async () => {
  expect(await whyOf({ $schema: "https://vega.github.io/schema/vega/v6.json", marks: [] })).toBe(
    "The specification is not Vega-Lite. Write it in Vega-Lite, without $schema.",
  );
  expect(await whyOf({ mark: 7 })).toStartWith("The specification is not valid Vega-Lite: ");
  expect(await whyOf({ ...BARS, data: { values: VALUES }, transform: [{ calculate: "1 +", as: "x" }] })).toMatch(
    /^The specification is not valid Vega-Lite: /,
  );
  expect(await whyOf({ ...BARS, data: { values: VALUES } }, "a,b\n1,2\n")).toBe(
    "The specification has data and `path` names more. Remove one of them.",
  );
  expect(await whyOf(BARS, "{")).toBe("The file is not valid JSON. Correct it, or use a CSV file.");
  expect(await whyOf(BARS, '{"a":1}')).toBe("The JSON file is not a list of objects. Write it as [{…}, {…}].");
  expect(await whyOf(BARS, "month,euros\n")).toBe("The table has no rows below its first line.");
});
