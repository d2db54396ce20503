/**
 * Build plugins that remove unused parts of libraries. lean.test.ts compares each with the complete
 * library.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** zod would take a fifth of the first load, and the UI uses a tenth of it. */
export const smallShapes: Bun.BunPlugin = {
  name: "small shapes",
  setup: (build) => {
    build.onResolve({ filter: /^zod$/ }, () => ({ path: SHAPES }));
  },
};
const SHAPES = fileURLToPath(new URL("../browser/shapes.ts", import.meta.url));

/** Frames between the warden, its cells and its memory are not used by the UI. */
const withoutFrames: Bun.BunPlugin = {
  name: "without frames",
  setup: (build) => {
    build.onLoad({ filter: /\/protocol\/src\/(frame|codec|link|memory-frames)\.ts$/ }, () => ({
      contents: "export {};",
      loader: "ts",
    }));
  },
};

/** marked is one file: the lexer, followed by the HTML renderer, which the UI does not use. */
export const lexerAlone: Bun.BunPlugin = {
  name: "lexer alone",
  setup: (build) => {
    build.onLoad({ filter: /\/marked\/lib\/marked\.esm\.js$/ }, async ({ path }) => ({
      contents: cutToLexer(await readFile(path, "utf8")),
      loader: "js",
    }));
  },
};

/** Throws for an unknown structure of marked. */
export const cutToLexer = (marked: string): string => {
  const exported = /export\s*\{([^}]*)\}/.exec(marked)?.[1] ?? "";
  const nameOf = (name: string): string =>
    new RegExp(`([\\w$]+) as ${name}(?:,|$)`).exec(exported)?.[1] ?? `nothing that is called ${name}`;
  const beginOf = (name: string): number => marked.indexOf(`var ${nameOf(name)}=class`);
  const kept = ["Tokenizer", "Lexer"];
  const end = beginOf("Renderer");
  if (kept.some((name) => beginOf(name) === -1 || beginOf(name) > end)) {
    throw new Error("marked has an unknown structure. Update cutToLexer in lean.ts.");
  }
  return `${marked.slice(0, end)}\nexport { ${kept.map((name) => `${nameOf(name)} as ${name}`).join(", ")} };\n`;
};

/** The router contains a polyfill for an API that React now has. */
const ownStore: Bun.BunPlugin = {
  name: "own store",
  setup: (build) => {
    build.onLoad({ filter: /\/use-sync-external-store\/shim\/index\.js$/ }, () => ({
      contents: 'export { useSyncExternalStore } from "react";',
      loader: "js",
    }));
  },
};

export const lean: readonly Bun.BunPlugin[] = [smallShapes, withoutFrames, lexerAlone, ownStore];
