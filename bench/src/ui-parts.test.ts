import { expect, test } from "bun:test";
import { listLazyFiles, toPartFindings } from "./ui-parts.ts";

test("each part is a finding, and the files of the first load are in none", async () => {
  const files: Readonly<Record<string, string>> = {
    "worker.js": 'files:["index-00000000.js","drawn-formula-11111111.js","highlighted-22222222.js","x-33333333.js"]',
    "katex.css": "@font-face{src:url(/ui/A.woff2)}",
    "A.woff2": "a".repeat(40),
    "diagram.html": "d".repeat(50),
    "drawn-formula-11111111.js": "f".repeat(60),
    "highlighted-22222222.js": "h".repeat(70),
    "x-33333333.js": "x".repeat(80),
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => new Response(files[new URL(request.url).pathname.slice("/ui/".length)] ?? ""),
  });
  try {
    const found = await listLazyFiles(`http://127.0.0.1:${server.port}`, new Set(["index-00000000.js"]));
    const findings = toPartFindings(found).map(({ what, ...rest }) => [what, "value" in rest ? rest.value : undefined]);
    expect(findings).toEqual([
      ["on demand, formulas: KaTeX", (60 + 32) / 1000],
      ["on demand, formulas: fonts, of which a browser loads the used ones", 0.04],
      ["on demand, diagrams: the frame with Mermaid", 0.05],
      ["on demand, highlighted code", 0.07],
      ["on demand, all other parts together: dialogs, settings, search, brain", 0.08],
    ]);
  } finally {
    await server.stop(true);
  }
});
