/** Kinds of cell, what holds in one and what it may use up, in words. */
import type { CellInfo, CellKind, CellLimits, Isolation, OwnCellLimits, Wall } from "@hearth/protocol";

export const kindWords: Readonly<Record<CellKind, string>> = {
  auto: "The fastest one with walls that works here",
  strongest: "The one with most walls that works here",
  inline: "In the house's own process, without walls",
  process: "A process of its own, without walls",
  landlock: "Landlock: its files and no network",
  bubblewrap: "bubblewrap: a world of its own",
  qemu: "A virtual machine",
};

export const isolationWords: Readonly<Record<Isolation, string>> = {
  none: "in the house's own process",
  process: "a process of its own",
  container: "a world of its own on the host's kernel",
  kernel: "a kernel of its own",
  vm: "a machine of its own",
};

const wallWords: Readonly<Record<Wall, string>> = {
  fs: "files",
  net: "network",
  kernel: "kernel",
  memory: "memory",
  pids: "processes",
  cpu: "CPU",
};

export const tellWalls = ({ walls }: Pick<CellInfo, "walls">): string =>
  walls.length === 0 ? "No wall holds" : `Walls that hold: ${walls.map((wall) => wallWords[wall]).join(", ")}`;

export const tellLimits = ({ memoryMiB, processes, cpus, fileMiB, diskMiB }: CellLimits): string =>
  `At most ${memoryMiB} MiB of memory, ${processes} processes, ${cpus} CPU, ${fileMiB} MiB a file, ${diskMiB} MiB in all`;

export const tellRunning = ({ activations }: Pick<CellInfo, "activations">): string =>
  activations.length === 0
    ? "Nothing runs"
    : activations.length === 1
      ? "One turn runs"
      : `${activations.length} turns run`;

/** The limits as fields, in the order of the form. */
export const limitFields = [
  { name: "memoryMiB", label: "Memory, MiB", least: 256 },
  { name: "processes", label: "Processes and threads at once", least: 16 },
  { name: "cpus", label: "CPU, 0.5 is half of one", least: 0.1 },
  { name: "fileMiB", label: "Largest file, MiB", least: 1 },
  { name: "diskMiB", label: "Files in all, MiB", least: 16 },
] as const satisfies readonly { readonly name: keyof OwnCellLimits; readonly label: string; readonly least: number }[];
export type LimitName = (typeof limitFields)[number]["name"];

/** What is wrong with a field's text, if something is. */
export const checkLimit = ({ name, least }: (typeof limitFields)[number], text: string): string | undefined => {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && (name === "cpus" || Number.isInteger(number)) && number >= least) return undefined;
  return name === "cpus" ? `Write a number from ${least} on.` : `Write a whole number from ${least} on.`;
};

/** The limits after these changes, or nothing where none is left. */
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
