/**
 * A separate program that bundles the inmate from our sources. `inmate-build.ts ENTRY FOLDER`
 * writes one compiled file for the entry and one for each lazily imported part. Exits with 1 and a
 * message when it fails.
 */
import { basename, dirname, join } from "node:path";

/** Builds one entry and returns the absolute source paths of its lazy imports. */
const build = async (entry: string, folder: string): Promise<readonly string[]> => {
  const parts: string[] = [];
  await Bun.build({
    entrypoints: [entry],
    outdir: folder,
    naming: `${nameOf(entry)}.js`,
    target: "bun",
    // Bytecode loads in half the time and requires this format.
    format: "cjs",
    bytecode: true,
    minify: { syntax: true, whitespace: true },
    plugins: [
      {
        // Vega's builds for Node read files and use a top-level `await`, so this uses its builds for browsers.
        name: "charts",
        setup(builder) {
          builder.onResolve({ filter: /^vega-(canvas|loader)$/ }, ({ path, importer }) => ({
            path: join(dirname(Bun.resolveSync(path, dirname(importer))), `${path}.browser.js`),
          }));
        },
      },
      {
        name: "parts",
        setup(builder) {
          builder.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, path, importer }) => {
            if (kind !== "dynamic-import") return undefined;
            const part = join(dirname(importer), path);
            parts.push(part);
            return { path: `./${nameOf(part)}.js`, external: true };
          });
        },
      },
    ],
  });
  return parts;
};

const nameOf = (source: string): string => basename(source, ".ts");

const [entry, folder] = process.argv.slice(2);
if (entry === undefined || folder === undefined) throw new Error("usage: inmate-build.ts ENTRY FOLDER");

try {
  const sources = new Set([entry]);
  // `sources` grows during the loop.
  for (const source of sources) for (const part of await build(source, folder)) sources.add(part);
  if (new Set([...sources].map(nameOf)).size < sources.size) throw new Error("two source files have the same name");
} catch (error) {
  // The bundler puts all its errors into one AggregateError.
  const message = error instanceof AggregateError ? error.errors.map(String).join("\n") : String(error);
  console.error(message);
  process.exit(1);
}
