/**
 * Program `release.ts FOLDER`: builds the UI into a folder that has a copy of our sources, under the
 * same names each time.
 */
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildUi } from "./build.ts";
import { type Manifest, MANIFEST } from "./manifest.ts";
import { hashSources, ROOT, uiSources } from "./sources.ts";

const [folder = ""] = process.argv.slice(2);
const distFolder = join(folder, "packages/ui/dist");
const { folder: buildFolder, files } = await buildUi(distFolder);
await rm(join(distFolder, MANIFEST));
await rename(join(distFolder, buildFolder), join(distFolder, "release"));
// npm packages contain no package-lock.json, so the hash of a release leaves it out.
const paths = uiSources.paths.map((path) => join(folder, path.slice(ROOT.length)));
const manifest: Manifest = {
  builtFrom: hashSources({ documents: [], fixedNameFiles: [], paths }),
  folder: "release",
  files,
};
await writeFile(join(distFolder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
