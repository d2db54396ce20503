/**
 * Measures the conversion of documents to text. A separate program converts them in cells, as the
 * daemon does.
 */
import { fileURLToPath } from "node:url";
import type { Bench } from "./bench.ts";
import { startChild } from "./child.ts";
import { temporaryFolder } from "./site.ts";
import { median } from "./statistics.ts";
import { show } from "./table.ts";

const PROGRAM = fileURLToPath(
  new URL("../../packages/warden/src/adapter/bun/cells/documents-cost.ts", import.meta.url),
);
const MOST_MS = 3000;

/** The output of the program, in milliseconds. */
interface Cost {
  readonly pdf: readonly number[];
  readonly short: readonly number[];
}

export const documents: Bench = {
  name: "documents",
  about: "a PDF of 200 pages as text, and the least that any document takes",
  async run(site) {
    await using folder = await temporaryFolder(site);
    await using child = startChild(site, {
      command: [process.execPath, "--no-install", PROGRAM, folder.path],
      cwd: site.root,
    });
    const cost = JSON.parse((await child.line("{")).text) as Cost | { readonly skipped: string };
    if ("skipped" in cost) return [{ what: "text of documents", skipped: cost.skipped }];
    const { pdf, short } = cost;
    return [
      {
        what: "text of a PDF with 200 pages",
        value: median(pdf),
        unit: "ms",
        samples: pdf.length,
        target: { atMost: MOST_MS },
        note: `median; best ${show(Math.min(...pdf))}; a cell for each, and its end`,
      },
      { what: "text of one line of RTF", value: median(short), unit: "ms", samples: short.length, note: "median" },
    ];
  },
};
