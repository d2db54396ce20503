/**
 * Program `build.ts [ROOT FOLDER]`: precompiles the command unless the compiled program is current.
 * Exits with 1 on failure.
 */
import { join } from "node:path";
import { compile } from "./compile.ts";
import { findCompiled, ownFolders } from "./compiled.ts";

const [root = ownFolders.root, folder = ownFolders.folder] = process.argv.slice(2);

try {
  if (findCompiled({ root, folder }) === undefined)
    await compile({ root, folder }, join(root, "packages/cli/src/command-line.ts"));
} catch (error) {
  // The bundler reports its errors as one AggregateError.
  console.error(error instanceof AggregateError ? error.errors.map(String).join("\n") : String(error));
  process.exit(1);
}
