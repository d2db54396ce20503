/** Installs libraries in a temporary folder, one folder for each, so that each has its own size. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startChild } from "../child.ts";
import { sizeOf } from "../sizes.ts";
import { type Folder, type Site, temporaryFolder } from "../site.ts";

export interface LibraryFolder extends Folder {
  /** MiB on the disk by library, including its dependencies. */
  readonly sizes: ReadonlyMap<string, number>;
}

/**
 * `libraries`: name → exact version. Needs npm and its registry. The libraries are not dependencies
 * of Hearth, so that a library that loses is not installed with it.
 */
export const installLibraries = async (
  site: Site,
  libraries: Readonly<Record<string, string>>,
): Promise<LibraryFolder> => {
  const folder = await temporaryFolder(site);
  const sizes = new Map<string, number>();
  for (const [name, version] of Object.entries(libraries)) {
    const place = join(folder.path, name);
    site.say(`installing ${name} ${version} in a temporary folder`);
    await mkdir(place, { recursive: true });
    await Bun.write(join(place, "package.json"), "{}\n");
    await using child = startChild(site, {
      command: [
        "sh",
        "-c",
        'npm install --no-audit --no-fund --omit=peer "$1" && echo "installed"',
        "sh",
        `${name}@${version}`,
      ],
      cwd: place,
    });
    await child.line("installed");
    sizes.set(name, await sizeOf(join(place, "node_modules")));
  }
  return { ...folder, sizes };
};
