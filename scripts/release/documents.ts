/** Writes the files that describe a release: its contents, and the hashes and signature of its files. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "./archive.ts";
import { platforms } from "./platforms.ts";
import { run } from "./run.ts";
import { releasedPackages } from "./third-party.ts";

export const SUMS = "SHA256SUMS";

interface Component {
  readonly "bom-ref": string;
}

interface Bom {
  serialNumber?: string;
  readonly metadata: { timestamp?: string; readonly component: { name: string } };
  components: readonly Component[];
  dependencies: readonly { readonly ref: string; dependsOn?: readonly string[] }[];
}

/**
 * Writes the CycloneDX document of npm, reduced to the packages of the release. It has no time and no
 * random number, so the same sources have the same document.
 */
export const writeBom = async (root: string, path: string): Promise<void> => {
  const bom = JSON.parse(await run(["npm", "sbom", "--sbom-format=cyclonedx", "--package-lock-only"], root)) as Bom;
  const runtimes = platforms.map(({ runtime }) => `${runtime}@${Bun.version}`);
  const released = new Set([...releasedPackages(root), ...runtimes]);
  const isReleased = (ref: string): boolean =>
    released.has(ref) || /^@hearth\/(?!bench@|tests@|testing@)/.test(ref) || ref.startsWith("hearth@");
  delete bom.serialNumber;
  delete bom.metadata.timestamp;
  bom.metadata.component.name = "hearth";
  bom.components = bom.components.filter((each) => isReleased(each["bom-ref"]));
  const missing = [...released].filter((ref) => !bom.components.some((each) => each["bom-ref"] === ref));
  if (missing.length > 0) throw new Error(`npm sbom lists no ${missing.join(", ")}. Run npm ci, then try again.`);
  bom.dependencies = bom.dependencies.filter(({ ref }) => isReleased(ref));
  for (const each of bom.dependencies) each.dependsOn = (each.dependsOn ?? []).filter(isReleased);
  await writeFile(path, `${JSON.stringify(bom, null, 2)}\n`);
};

/** Writes the hash of every file of the folder, in the form that `sha256sum --check` reads. */
export const writeSums = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(SUMS)).sort();
  const lines: string[] = [];
  for (const name of names) lines.push(`${await sha256(join(folder, name))}  ${name}\n`);
  await writeFile(join(folder, SUMS), lines.join(""));
};

/** Signs the hashes with minisign, which asks for the password of the key. */
export const signSums = async (folder: string, key: string, version: string): Promise<void> => {
  if (Bun.which("minisign") === null) throw new Error("There is no minisign to sign with. Install it, then try again.");
  const comment = `hearth ${version}`;
  const child = Bun.spawn(["minisign", "-S", "-s", key, "-m", SUMS, "-t", comment], {
    cwd: folder,
    stdio: ["inherit", "inherit", "inherit"],
  });
  const code = await child.exited;
  if (code !== 0)
    throw new Error(`minisign ended with ${code}. Check the key ${key} and its password, then try again.`);
};
