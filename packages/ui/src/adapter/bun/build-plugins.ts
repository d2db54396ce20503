/**
 * Build plugins that leave out code of libraries that the UI does not use. build-plugins.test.ts compares the
 * reduced libraries with the complete ones.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as protocol from "@hearth/protocol";
import * as api from "@hearth/protocol/api";
import type { Operation } from "@hearth/protocol/operations";

/** Replaces zod by shapes.ts: zod would take a fifth of the first load, and the UI uses a tenth of it. */
export const shapesPlugin: Bun.BunPlugin = {
  name: "small shapes",
  setup: (build) => {
    build.onResolve({ filter: /^zod$/ }, () => ({ path: SHAPES }));
  },
};
const SHAPES = fileURLToPath(new URL("../browser/shapes.ts", import.meta.url));

/** Leaves out the documentation of operations. A client needs only their addresses and answer schemas. */
const addressesPlugin: Bun.BunPlugin = {
  name: "addresses alone",
  setup: (build) => {
    build.onLoad({ filter: /\/protocol\/src\/operations\/(?!index\.)[\w-]+\.ts$/ }, async ({ path }) => ({
      contents: toAddresses(await import(path)),
      loader: "ts",
    }));
  },
};

/** Returns source text with the groups of operations that the module exports, without other exports. */
export const toAddresses = (moduleExports: Readonly<Record<string, unknown>>): string => {
  const imports = new Map<string, string>();
  const toAddress = ({ id, method, path, answers: { schema, type } }: Operation): string => {
    if (schema === undefined || type !== undefined) return JSON.stringify({ method, path, answers: {} });
    const schemaExport = findExport(schema);
    if (schemaExport === undefined) throw new Error(`The protocol does not export the schema of the answer to ${id}.`);
    imports.set(schemaExport.name, schemaExport.module);
    return `{ method: "${method}", path: "${path}", answers: { schema: ${schemaExport.name} } }`;
  };
  const groups = Object.entries(moduleExports).flatMap(([name, group]) =>
    isGroup(group)
      ? `export const ${name} = { ${Object.entries(group)
          .map(([key, operation]) => `${key}: ${toAddress(operation)}`)
          .join(", ")} };`
      : [],
  );
  const importLines = [...imports].map(([name, module]) => `import { ${name} } from "${module}";`);
  return [...importLines, ...groups, "export {};"].join("\n");
};

/** The protocol's modules that export schemas, by their path from a file of operations. */
const SCHEMAS = { "../index.ts": protocol, "../house/api.ts": api } as const;

const findExport = (schema: unknown): { readonly name: string; readonly module: string } | undefined => {
  for (const [module, exports] of Object.entries(SCHEMAS)) {
    const [name] = Object.entries(exports).find(([, value]) => value === schema) ?? [];
    if (name !== undefined) return { name, module };
  }
  return undefined;
};

const isGroup = (value: unknown): value is Readonly<Record<string, Operation>> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((entry) => typeof entry === "object" && entry !== null && "path" in entry);

/**
 * Lets the bundler leave out unused schemas. A client needs only the schemas of answers, and most
 * schemas validate requests.
 */
const schemasPlugin: Bun.BunPlugin = {
  name: "used schemas",
  setup: (build) => {
    build.onLoad({ filter: /\/protocol\/src\/(?!operations\/)[\w/-]+\.ts$/ }, async ({ path }) => ({
      contents: markSchemas(await readFile(path, "utf8")),
      loader: "ts",
    }));
  },
};

/** Marks the schemas of a module as free of side effects. */
export const markSchemas = (source: string): string =>
  source.replace(/^((?:export )?const \w+ =)(\s+z\b[^]*?);$/gm, "$1 /* @__PURE__ */ (() =>$2)();");

/** marked is one file: the lexer, followed by the HTML renderer, which the UI does not use. */
export const lexerPlugin: Bun.BunPlugin = {
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
  const exportList = /export\s*\{([^}]*)\}/.exec(marked)?.[1] ?? "";
  /**
   * Returns the local name of an export of marked. For an unknown export, returns a text that does
   * not occur in marked.
   */
  const nameOf = (name: string): string =>
    new RegExp(`([\\w$]+) as ${name}(?:,|$)`).exec(exportList)?.[1] ?? `nothing that is called ${name}`;
  const findBegin = (name: string): number => marked.indexOf(`var ${nameOf(name)}=class`);
  const exportedNames = ["Tokenizer", "Lexer"];
  const end = findBegin("Renderer");
  if (exportedNames.some((name) => findBegin(name) === -1 || findBegin(name) > end)) {
    throw new Error("marked has an unknown structure. Update cutToLexer in build-plugins.ts.");
  }
  return `${marked.slice(0, end)}\nexport { ${exportedNames.map((name) => `${nameOf(name)} as ${name}`).join(", ")} };\n`;
};

/** Replaces the router's polyfill of `useSyncExternalStore` by React's own function. */
const reactStorePlugin: Bun.BunPlugin = {
  name: "React store",
  setup: (build) => {
    build.onLoad({ filter: /\/use-sync-external-store\/shim\/index\.js$/ }, () => ({
      contents: 'export { useSyncExternalStore } from "react";',
      loader: "js",
    }));
  },
};

export const buildPlugins: readonly Bun.BunPlugin[] = [
  shapesPlugin,
  addressesPlugin,
  schemasPlugin,
  lexerPlugin,
  reactStorePlugin,
];
