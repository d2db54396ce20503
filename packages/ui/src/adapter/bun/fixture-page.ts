/** A small page for build tests, with a style, an image and a lazy part. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type UiSources, uiSources } from "./sources.ts";

export interface FixturePage extends AsyncDisposable {
  readonly sources: UiSources;
  /** Output folder of builds. */
  readonly distFolder: string;
  /** Changes or adds a file. */
  write(name: string, text: string): Promise<void>;
  /** Adds a German document and German texts. */
  addGerman(): Promise<void>;
}

export const createFixturePage = async (): Promise<FixturePage> => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-ui-"));
  const page = join(folder, "page");
  const write = (name: string, text: string): Promise<unknown> => Bun.write(join(page, name), text);
  await Promise.all(Object.entries(files).map(([name, text]) => write(name, text)));
  const documents = [join(page, "index.html")];
  return {
    sources: {
      documents,
      worker: uiSources.worker,
      fixedNameFiles: [join(page, "icon.svg")],
      hasLibraries: false,
      paths: [page],
    },
    distFolder: join(folder, "dist"),
    write: (name, text) => writeFile(join(page, name), text),
    async addGerman() {
      await write("index.de.html", (files["index.html"] ?? "").replace('lang="en"', 'lang="de"'));
      await write("text.de.ts", 'export const late = "kam später";\n');
      documents.push(join(page, "index.de.html"));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
};

const files: Readonly<Record<string, string>> = {
  "index.html": `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Fixture</title>
    <link rel="icon" type="image/svg+xml" href="./icon.svg" />
    <script type="module" src="./main.tsx"></script>
  </head>
  <body></body>
</html>
`,
  "icon.svg": `<svg xmlns="http://www.w3.org/2000/svg"><path d="${"M0 0h9v9z".repeat(20)}"/></svg>\n`,
  "main.tsx": `import styles from "./main.module.css";
document.title = [styles.first, process.env.NODE_ENV, typeof process.env.HOME].join(" ");
document.onclick = async () => (await import("./late.tsx")).late();
document.onkeydown = async () => (await import("./plain.ts")).plain();
`,
  "main.module.css": ".first { color: light-dark(#fff, #000); }\n",
  "late.tsx": `import styles from "./late.module.css";
import * as texts from "./text.ts";
export const late = () => { document.title = texts.late + styles.second; };
`,
  "text.ts": 'export const late = "came late";\n',
  "plain.ts": 'export const plain = () => { document.title += " plain"; };\n',
  "late.module.css": ".second { margin: 0; }\n",
};
