/** Makes the npm package `hearth`: our own files; npm installs the runtime and the dependencies. */
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeProgramFolder } from "./program-folder.ts";
import { run } from "./run.ts";
import { npmDependencies } from "./third-party.ts";

export interface NpmPackageOptions {
  readonly root: string;
  readonly version: string;
  /** An existing folder for intermediate files. */
  readonly scratch: string;
  readonly outfile: string;
}

export const buildNpmPackage = async ({ root, version, scratch, outfile }: NpmPackageOptions): Promise<void> => {
  const folder = join(scratch, "npm-package");
  await mkdir(folder);
  await writeProgramFolder(root, folder);
  await copyFile(join(root, "README.md"), join(folder, "README.md"));
  await copyFile(join(root, "scripts/release/npm-launcher.sh"), join(folder, "hearth"));
  await chmod(join(folder, "hearth"), 0o755);
  const { description, license, engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly description: string;
    readonly license: string;
    readonly engines: Readonly<Record<string, string>>;
  };
  const manifest = Object.assign(
    { name: "hearth", version, description, license, type: "module", engines, bin: { hearth: "hearth" } },
    { files: ["hearth", "docs", "packages", "rootfs", "starter", "tsconfig.json"] },
    npmDependencies(root),
  );
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const packed = await run(["npm", "pack", "--silent", "--ignore-scripts"], folder);
  await rename(join(folder, packed.trim()), outfile);
  await rm(folder, { recursive: true });
};
