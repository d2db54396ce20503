/** Texts about sandbox types, isolation and limits. */
import type { CellInfo, CellKind, CellLimits, Isolation, OwnCellLimits, Wall } from "@hearth/protocol";

export const kindWords: Readonly<Record<CellKind, string>> = {
  auto: "Automatic: the fastest type with isolation",
  strongest: "Automatic: the type with the strongest isolation",
  inline: "Inside Hearth, no isolation",
  process: "Process, no isolation",
  landlock: "Landlock: isolated files, no network",
  bubblewrap: "bubblewrap: container",
  qemu: "Virtual machine",
};

export const isolationWords: Readonly<Record<Isolation, string>> = {
  none: "inside Hearth",
  process: "process",
  container: "container",
  kernel: "sandboxed kernel",
  vm: "virtual machine",
};

const wallWords: Readonly<Record<Wall, string>> = {
  fs: "files",
  net: "network",
  kernel: "kernel",
  memory: "memory",
  pids: "processes",
  cpu: "CPU",
};

export const describeWalls = ({ walls }: Pick<CellInfo, "walls">): string =>
  walls.length === 0 ? "No isolation" : `Isolation: ${walls.map((wall) => wallWords[wall]).join(", ")}`;

export const describeLimits = ({ memoryMiB, processes, cpus, fileMiB, diskMiB }: CellLimits): string =>
  `Limits: ${memoryMiB} MiB of memory, ${processes} processes, ${cpus} CPU, ${fileMiB} MiB per file, ${diskMiB} MiB in total`;

export const describeRunning = ({ activations }: Pick<CellInfo, "activations">): string =>
  activations.length === 0
    ? "No active runs"
    : activations.length === 1
      ? "1 active run"
      : `${activations.length} active runs`;

/** The fields of the limits, in the order of the form. */
export const limitFields = [
  { name: "memoryMiB", label: "Memory, MiB", least: 256 },
  { name: "processes", label: "Processes and threads", least: 16 },
  { name: "cpus", label: "CPUs (0.5 is half of one)", least: 0.1 },
  { name: "fileMiB", label: "Largest file, MiB", least: 1 },
  { name: "diskMiB", label: "All files, MiB", least: 16 },
] as const satisfies readonly { readonly name: keyof OwnCellLimits; readonly label: string; readonly least: number }[];
export type LimitName = (typeof limitFields)[number]["name"];

/** Returns the error of a field, if there is one. */
export const checkLimit = ({ name, least }: (typeof limitFields)[number], text: string): string | undefined => {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && (name === "cpus" || Number.isInteger(number)) && number >= least) return undefined;
  return name === "cpus" ? `Enter a number of at least ${least}.` : `Enter a whole number of at least ${least}.`;
};

/** Returns the limits after these changes, or `null` if no limit is set. */
export const limitsAfter = (
  present: OwnCellLimits,
  changes: Readonly<Record<string, string | null>>,
): OwnCellLimits | null => {
  const entries = limitFields.flatMap(({ name }) => {
    const text = changes[name];
    const value = text === undefined ? present[name] : text === null ? undefined : Number(text);
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
};
