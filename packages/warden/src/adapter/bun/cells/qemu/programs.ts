/** Bundles the programs that run inside a machine, each into one file. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy, HearthError } from "@hearth/protocol";
import { ROOTFS_SOURCES } from "./image.ts";

export interface Programs {
  readonly init: Uint8Array;
  readonly start: Uint8Array;
  readonly keeper: Uint8Array;
  readonly inmate: Uint8Array;
}

/** Bundles the programs once per process: the sources do not change while it runs. */
export const bundlePrograms: () => Promise<Programs> = lazy(async () => ({
  init: await readFile(join(ROOTFS_SOURCES, "init")),
  start: await readFile(join(ROOTFS_SOURCES, "start")),
  keeper: await bundle("keeper"),
  inmate: await bundle("inmate"),
}));

/** Bundles one program in a separate process, because the bundler does not release its memory. */
const bundle = async (name: string): Promise<Uint8Array> => {
  const entry = fileURLToPath(new URL(`guest/${name}.ts`, import.meta.url));
  const child = Bun.spawn(
    [process.execPath, "build", entry, "--target=bun", "--minify-syntax", "--minify-whitespace"],
    {
      cwd: dirname(entry),
      env: { PATH: "/usr/bin:/bin" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [code, bytes, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
  ]);
  if (code === 0) return bytes;
  throw new HearthError("cell.unavailable", `Could not build a program of the cell's machine: ${errors.trim()}`, {
    hint: "Run: hearth doctor",
  });
};
