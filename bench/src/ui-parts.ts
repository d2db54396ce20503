/** Measures the parts of the UI that are loaded on demand: their gzipped bytes. */
import type { Finding } from "./bench.ts";

/** A file of the build, with the bytes that the house sends for it. */
export interface PartFile {
  readonly name: string;
  readonly bytes: number;
}

/** The largest parts, with the names of their files. The first match counts. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ["formulas: KaTeX", /^drawn-formula-|^katex\.css$/],
  ["formulas: fonts, of which a browser loads the used ones", /\.woff2$/],
  ["diagrams: the frame with Mermaid", /^diagram\.html$/],
  ["charts: Chart.js", /^usage-chart-/],
  ["highlighted code", /^highlighted-/],
];

const OTHER = "all other parts together: dialogs, settings, search, brain";

/** Lists the files that the first load does not need, in one language. */
export const listLazyFiles = async (url: string, firstLoad: ReadonlySet<string>): Promise<readonly PartFile[]> => {
  // The service worker keeps all files with hashed names, so its text lists them.
  const worker = await (await fetch(`${url}/ui/worker.js`)).text();
  const hashed = new Set(worker.match(/[\w.-]+-[0-9a-z]{8}\.(?:js|css)/g));
  const styles = await (await fetch(`${url}/ui/katex.css`)).text();
  const fonts = new Set([...styles.matchAll(/\/ui\/([\w.-]+\.woff2)/g)].map(([, name = ""]) => name));
  const names = [...hashed, ...fonts, "katex.css", "diagram.html"].filter((name) => !firstLoad.has(name));
  return Promise.all(
    names.map(async (name) => {
      const response = await fetch(`${url}/ui/${name}`, { decompress: false, headers: { "accept-encoding": "gzip" } });
      return { name, bytes: (await response.arrayBuffer()).byteLength };
    }),
  );
};

/** Converts the files to findings, one per part. */
export const toPartFindings = (files: readonly PartFile[]): readonly Finding[] => {
  const byPart = new Map<string, PartFile[]>();
  for (const file of files) {
    const [part] = PARTS.find(([, pattern]) => pattern.test(file.name)) ?? [OTHER];
    byPart.set(part, [...(byPart.get(part) ?? []), file]);
  }
  return [...PARTS.map(([part]) => part), OTHER].flatMap((part) => {
    const own = byPart.get(part);
    return own === undefined
      ? []
      : [
          {
            what: `on demand, ${part}`,
            value: own.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
            unit: "kB",
            samples: 1,
            note: `${own.length} ${own.length === 1 ? "file" : "files"}, gzipped, without headers`,
          },
        ];
  });
};
