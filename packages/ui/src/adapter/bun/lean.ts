/** What is left out of what others wrote, as no page runs it: plugins of the build. Each is held against the whole in lean.test.ts. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** zod weighs a fifth of what a first load may; what a page needs of it is a tenth of that. */
export const smallShapes: Bun.BunPlugin = {
  name: "small shapes",
  setup: (build) => {
    build.onResolve({ filter: /^zod$/ }, () => ({ path: SHAPES }));
  },
};
const SHAPES = fileURLToPath(new URL("../browser/shapes.ts", import.meta.url));

/** What the warden says to its cells and to its memory, and how. No page takes part in it. */
const withoutFrames: Bun.BunPlugin = {
  name: "without frames",
  setup: (build) => {
    build.onLoad({ filter: /\/protocol\/src\/(frame|codec|link|memory-frames)\.ts$/ }, () => ({
      contents: "export {};",
      loader: "ts",
    }));
  },
};

/** marked is one file: the lexer, and after it everything that makes HTML of tokens, which no page does. */
export const lexerAlone: Bun.BunPlugin = {
  name: "lexer alone",
  setup: (build) => {
    build.onLoad({ filter: /\/marked\/lib\/marked\.esm\.js$/ }, async ({ path }) => ({
      contents: cutToLexer(await readFile(path, "utf8")),
      loader: "js",
    }));
  },
};

/** Throws where the file is not the one that this was written for. */
export const cutToLexer = (marked: string): string => {
  const exported = /export\s*\{([^}]*)\}/.exec(marked)?.[1] ?? "";
  const nameOf = (name: string): string =>
    new RegExp(`([\\w$]+) as ${name}(?:,|$)`).exec(exported)?.[1] ?? `nothing that is called ${name}`;
  const beginOf = (name: string): number => marked.indexOf(`var ${nameOf(name)}=class`);
  const kept = ["Tokenizer", "Lexer"];
  const end = beginOf("Renderer");
  if (kept.some((name) => beginOf(name) === -1 || beginOf(name) > end)) {
    throw new Error("marked is built in another way than before: see what cutToLexer in lean.ts cuts away.");
  }
  return `${marked.slice(0, end)}\nexport { ${kept.map((name) => `${nameOf(name)} as ${name}`).join(", ")} };\n`;
};

/** The router brings along what React had not when it was written. */
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
