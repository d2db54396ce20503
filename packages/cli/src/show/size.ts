/** Formats sizes for a terminal: `812 bytes`, `38.2 MiB`, `4 GiB`. */

const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;
const STEP = 1024;

export const formatSize = (bytes: number): string => {
  if (bytes < STEP) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const step = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  return `${(bytes / STEP ** step).toFixed(1).replace(/\.0$/, "")} ${UNITS[step - 1] ?? ""}`;
};
