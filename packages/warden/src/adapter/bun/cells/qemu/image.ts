/**
 * Finds the kernel, drivers and root image of virtual machines, which `scripts/build-rootfs.sh` builds.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Image {
  readonly kernel: string;
  readonly root: string;
  readonly busybox: string;
  readonly modules: readonly string[];
  /** A cache key, which changes when the image is built again. */
  readonly key: string;
}

const REPOSITORY = new URL("../../../../../../../", import.meta.url);

/** The output folder of `build-rootfs.sh` in this checkout. The script contains the same path. */
export const BUILD_FOLDER = fileURLToPath(new URL("node_modules/.hearth-vm", REPOSITORY));
export const ROOTFS_SOURCES = fileURLToPath(new URL("rootfs", REPOSITORY));

/** Undefined when no image was built. */
export const findImage = async (folder: string = BUILD_FOLDER): Promise<Image | undefined> => {
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
