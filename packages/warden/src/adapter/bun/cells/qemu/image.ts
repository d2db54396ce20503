/** What `scripts/build-rootfs.sh` makes, and where it is: kernel, drivers and root image of the machines. */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Image {
  readonly kernel: string;
  readonly root: string;
  readonly busybox: string;
  readonly modules: readonly string[];
  /** Changes with what it was made of. */
  readonly key: string;
}

const REPOSITORY = new URL("../../../../../../../", import.meta.url);

/** Beside what else is made for this checkout. The script knows the same place. */
export const OUR_FOLDER = fileURLToPath(new URL("node_modules/.hearth-vm", REPOSITORY));
export const ROOTFS = fileURLToPath(new URL("rootfs", REPOSITORY));

/** Nothing where it was not made. */
export const findImage = async (folder: string = OUR_FOLDER): Promise<Image | undefined> => {
  const image = join(folder, "image");
  try {
    const { size, ctimeMs } = await stat(join(image, "root.img"));
    const packages = await readFile(join(image, "packages"));
    const modules = await readdir(join(image, "modules"));
    return {
      kernel: join(image, "kernel"),
      root: join(image, "root.img"),
      busybox: join(image, "busybox"),
      modules: modules.sort().map((name) => join(image, "modules", name)),
      key: createHash("sha256").update(packages).update(`${size} ${ctimeMs}`).digest("hex"),
    };
  } catch {
    return undefined;
  }
};
