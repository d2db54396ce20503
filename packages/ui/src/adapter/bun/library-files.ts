/** Files for rare content of messages: the styles and fonts of formulas, and the page that draws diagrams. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DIAGRAM_PAGE } from "./manifest.ts";

export interface LibraryFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Returns the styles and fonts of KaTeX. Every browser that the UI supports reads woff2. */
export const readMathFiles = async (): Promise<readonly LibraryFile[]> => {
  const folder = dirname(fileURLToPath(import.meta.resolve("katex")));
  const css = await readFile(join(folder, "katex.min.css"), "utf8");
  const fonts = (await readdir(join(folder, "fonts"))).filter((name) => name.endsWith(".woff2"));
  return [
    { path: "katex.css", type: "text/css;charset=utf-8", body: encode(withLocalFonts(css)) },
    ...(await Promise.all(
      fonts.map(async (name) => ({
        path: name,
        type: "font/woff2",
        body: new Uint8Array(await readFile(join(folder, "fonts", name))),
      })),
    )),
  ];
};

/** Returns the CSS with links to the fonts of this build, without formats for old browsers. */
const withLocalFonts = (css: string): string =>
  css.replaceAll(/,url\(fonts\/[^)]+\.(?:woff|ttf)\) format\("[^"]+"\)/g, "").replaceAll("url(fonts/", "url(/ui/");

const SCRIPT_PATH = fileURLToPath(new URL("../diagram/diagram.ts", import.meta.url));

/** Leaves out `layout: elk` and formulas in labels, which would double the size of the diagram page. */
const smallMermaidPlugin: Bun.BunPlugin = {
  name: "small mermaid",
  setup: (build) => {
    build.onResolve({ filter: /^(?:katex$|elkjs\/)/ }, ({ path }) => ({ path, namespace: "left-out" }));
    build.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "export default {};", loader: "js" }));
  },
};

/**
 * Builds the page that draws diagrams in a frame. The page contains its script, so its content
 * security policy allows only this script, by its hash, and no network requests.
 */
export const buildDiagramPage = async (): Promise<LibraryFile> => {
  const result = await Bun.build({
    entrypoints: [SCRIPT_PATH],
    target: "browser",
    format: "iife",
    minify: true,
    sourcemap: "none",
    env: "disable",
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    plugins: [smallMermaidPlugin],
  });
  const script = (await (result.outputs[0]?.text() ?? ""))
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title><meta http-equiv="content-security-policy" content="${policy}"><style>body{margin:0;background:transparent}svg{display:block;margin:0 auto}</style></head><body><script>${script}</script></body></html>`;
  return { path: DIAGRAM_PAGE, type: "text/html;charset=utf-8", body: encode(html) };
};
