/** A program of its own: compiles the command ahead unless it is, here or as `build.ts ROOT FOLDER`. Ends with 1 and words when it cannot. */
import { join } from "node:path";
import { compile } from "./compile.ts";
import { findCompiled, ourPlace } from "./compiled.ts";

const [root = ourPlace.root, folder = ourPlace.folder] = process.argv.slice(2);

try {
  if (findCompiled({ root, folder }) === undefined)
    await compile({ root, folder }, join(root, "packages/cli/src/command-line.ts"));
} catch (error) {
  // What the bundler has to say is told one by one.
  console.error(error instanceof AggregateError ? error.errors.map(String).join("\n") : String(error));
  process.exit(1);
}
