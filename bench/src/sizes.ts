/** Sizes on the disk. */

const MIB = 1024 * 1024;

/** Returns the disk usage of a folder in MiB, as `du` counts it: hard links count once. */
export const sizeOf = async (folder: string): Promise<number> => {
  const du = Bun.spawn(["du", "-sk", folder], { stdout: "pipe" });
  const text = await new Response(du.stdout).text();
  if ((await du.exited) !== 0) throw new Error("du failed.");
  return (Number.parseInt(text, 10) * 1024) / MIB;
};
