/**
 * Program `main.ts [--to FOLDER] [--platform NAME]... [--key FILE] [--no-image]`: makes the files of a release.
 * Exits with 1 if one cannot be made, and with 2 for wrong arguments.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { signSums, writeBom, writeSums } from "./documents.ts";
import { buildExecutable } from "./executable.ts";
import { buildImage, writeImageBom } from "./image/image.ts";
import { buildNpmPackage } from "./npm-package.ts";
import { platforms } from "./platforms.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const USAGE = `usage: npm run release -- [--to FOLDER] [--platform ${platforms.map(({ name }) => name).join("|")}]... [--key FILE] [--no-image]`;

interface Plan {
  readonly to: string;
  readonly names: readonly string[];
  readonly key: string | undefined;
  readonly hasImage: boolean;
}

const release = async ({ to, names, key, hasImage }: Plan): Promise<void> => {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  await mkdir(to, { recursive: true });
  const [other] = await readdir(to);
  if (other !== undefined) throw new Error(`${to} is not empty: it has ${other}. Name a new folder with --to.`);
  const scratch = await mkdtemp(join(tmpdir(), "hearth-release-"));
  try {
    for (const platform of platforms.filter(({ name }) => names.includes(name))) {
      const outfile = join(to, `hearth-${version}-${platform.name}`);
      await buildExecutable({ root: ROOT, version, platform, scratch, outfile });
      if (!hasImage || platform.os !== process.platform || platform.arch !== process.arch) continue;
      const packages = await buildImage({ root: ROOT, version, platform, scratch, outfile: `${outfile}.oci.tar` });
      await writeImageBom(version, packages, `${outfile}.oci.cdx.json`);
    }
    await buildNpmPackage({ root: ROOT, version, scratch, outfile: join(to, `hearth-${version}.tgz`) });
    await writeBom(ROOT, join(to, `hearth-${version}.cdx.json`));
    await writeSums(to);
    if (key !== undefined) await signSums(to, key, version);
    for (const name of (await readdir(to)).sort()) console.log(join(to, name));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const options = () => {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        to: { type: "string", default: "dist/release" },
        platform: { type: "string", multiple: true, default: platforms.map(({ name }) => name) },
        key: { type: "string" },
        image: { type: "boolean", default: true },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
};

const { to, platform, key, image } = options();
const unknown = platform.find((name) => !platforms.some((known) => known.name === name));
if (unknown !== undefined) {
  console.error(`There is no platform ${unknown}. ${USAGE}`);
  process.exit(2);
}
try {
  await release({
    to: resolve(to),
    names: platform,
    key: key === undefined ? undefined : resolve(key),
    hasImage: image,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
