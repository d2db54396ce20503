/**
 * A tmpfs of a few megabytes that a test fills and frees. Mounting needs root, and a container that
 * permits it.
 */
import { mkdirSync, mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk extends Disposable {
  /** An empty folder on it. */
  readonly home: string;
  /** Fills the disk, except for this many bytes. */
  fill(left: number): void;
  free(): void;
}

export const createSmallDisk = (megabytes: number): SmallDisk => {
  const mount = mkdtempSync(join(tmpdir(), "hearth-disk-"));
  const { success, stderr } = Bun.spawnSync(
    ["mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "hearth-test", mount],
    { stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  if (!success) {
    rmdirSync(mount);
    throw new Error(stderr.toString().trim());
  }
  const home = join(mount, "home");
  mkdirSync(home, { mode: 0o700 });
  const filler = join(mount, "filler");
  return {
    home,
    fill(left) {
      const { bavail, bsize } = statfsSync(mount);
      try {
        writeFileSync(filler, new Uint8Array(Math.max(0, bavail * bsize - left)), { flag: "a" });
      } catch (error) {
        // The house wrote in the meantime, so less space was left. The disk is full.
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", "-l", mount]);
      rmdirSync(mount);
    },
  };
};

/** The reason why this machine cannot mount one, or `undefined`. */
export const whyNoSmallDisk = (): string | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "mounting a small disk needs root on Linux";
  try {
    createSmallDisk(1)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return `this machine mounts no small disk: ${error instanceof Error ? error.message : String(error)}`;
  }
};
