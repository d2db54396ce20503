/**
 * A program of its own: makes the inmate's program of our sources. `inmate-build.ts ENTRY FOLDER` writes a file for the entry and one for each
 * part that it imports when it needs it, each with all that it is made of and compiled ahead. Ends with 1 and words when it cannot.
 */
import { basename, dirname, join } from "node:path";

/** What was imported by the way, by absolute paths of the sources. */
const build = async (entry: string, folder: string): Promise<readonly string[]> => {
  const parts: string[] = [];
  await Bun.build({
    entrypoints: [entry],
    outdir: folder,
    naming: `${nameOf(entry)}.js`,
    target: "bun",
    // What is compiled ahead is read in half the time, and there is no other form for it.
    ...{ format: "cjs", bytecode: true },
    minify: { syntax: true, whitespace: true },
    plugins: [
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
  // It grows meanwhile.
  for (const source of sources) for (const part of await build(source, folder)) sources.add(part);
  if (new Set([...sources].map(nameOf)).size < sources.size) throw new Error("two parts have one name");
} catch (error) {
  // What the bundler has to say is told one by one.
  const words = error instanceof AggregateError ? error.errors.map(String).join("\n") : String(error);
  console.error(words);
  process.exit(1);
}
