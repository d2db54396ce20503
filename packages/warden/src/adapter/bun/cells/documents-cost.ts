/**
 * A separate program for `hearth bench documents`: converts documents in cells as the daemon does.
 * Usage: documents-cost.ts FOLDER. Prints a `DocumentsCost` as a line of JSON, or `{"skipped": why}`.
 */
import { createDocuments } from "../../../cells/documents.ts";
import { createBackends } from "../../../cells/backends.ts";
import { createLog } from "../../../kernel/log/log.ts";
import { createBunWorld } from "../world.ts";
import { createScratch } from "./scratch.ts";
import { createBackendTable } from "./table.ts";

/** Measured times in milliseconds, one per run. */
export interface DocumentsCost {
  /** A PDF of 200 pages with 3,000 characters each. */
  readonly pdf: readonly number[];
  /** A short RTF: the cell, the start of its process and its end. */
  readonly short: readonly number[];
}

const PAGE_COUNT = 200;
const LINES_PER_PAGE = 50;
const MEASURED_RUN_COUNT = 5;

const pdfOf = (pages: number): Uint8Array => {
  const FIRST_PAGE_OBJECT = 4;
  const line = "The tenant pays the rent of each month on its third day at the latest";
  const kids = Array.from({ length: pages }, (_, index) => `${FIRST_PAGE_OBJECT + 2 * index} 0 R`);
  const content = (page: number): string => {
    const lines = Array.from({ length: LINES_PER_PAGE }, (_, index) => `(${page}.${index} ${line}) Tj 0 -14 Td`);
    return `BT /F 10 Tf 50 780 Td ${lines.join("\n")} ET`;
  };
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...kids.flatMap((_, index) => {
      const text = content(index + 1);
      const page = `/MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >>`;
      return [
        `<< /Type /Page /Parent 2 0 R ${page} /Contents ${FIRST_PAGE_OBJECT + 2 * index + 1} 0 R >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ];
    }),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  return new TextEncoder().encode(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`);
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const main = async (): Promise<object> => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("usage: documents-cost.ts FOLDER");
  const world = createBunWorld();
  const log = createLog({ now: Date.now, level: "warn", sink: { write: (line) => console.error(line) } });
  const documents = createDocuments({
    backends: createBackends(createBackendTable({ world, log, folder })),
    clock: world.clock,
    scratch: createScratch(`${folder}/scratch`),
  });
  const pdf = pdfOf(PAGE_COUNT);
  const short = new TextEncoder().encode("{\\rtf1 Hello}");
  const cost = { pdf: [] as number[], short: [] as number[] };
  // The first conversion builds the program, so it does not count.
  for (let count = 0; count <= MEASURED_RUN_COUNT; count += 1)
    for (const [name, bytes, lastText] of [
      ["short", short, "Hello"],
      ["pdf", pdf, `[page ${PAGE_COUNT}]`],
    ] as const) {
      const startedAt = performance.now();
      const { result } = await documents.convert(once(bytes), bytes.length);
      if (result.kind === "refused") return { skipped: result.why };
      if (!result.text.includes(lastText)) throw new Error(`the text of ${name} is not complete`);
      if (count > 0) cost[name].push(performance.now() - startedAt);
    }
  return cost satisfies DocumentsCost;
};

console.log(JSON.stringify(await main()));
