/** Texts about sandbox types, isolation and limits. */
import type { CellInfo, CellKind, CellLimits, Isolation, OwnCellLimits, Wall } from "@hearth/protocol";
import * as texts from "./text.ts";

export const kindWords: Readonly<Record<CellKind, string>> = texts.sandboxKinds;
export const isolationWords: Readonly<Record<Isolation, string>> = texts.isolations;
const wallWords: Readonly<Record<Wall, string>> = texts.isolated;

/** Lists what the walls of a sandbox keep apart. */
export const listWalls = ({ walls }: Pick<CellInfo, "walls">): string =>
  walls.length === 0 ? texts.noIsolation : walls.map((wall) => wallWords[wall]).join(", ");

export const describeWalls = (cell: Pick<CellInfo, "walls">): string =>
  cell.walls.length === 0 ? texts.noIsolation : texts.isolationOf(listWalls(cell));

export const listLimits = (limits: CellLimits): string => texts.sandboxLimits(limits);

export const describeRunning = ({ activations }: Pick<CellInfo, "activations">): string =>
  texts.activeRuns(activations.length);

interface LimitField {
  readonly name: keyof OwnCellLimits;
  readonly label: string;
  readonly minimum: number;
}

/** The fields of the limits, in the order of the form. */
export const limitFields = [
  { name: "memoryMiB", label: texts.limitLabels.memoryMiB, minimum: 256 },
  { name: "processes", label: texts.limitLabels.processes, minimum: 16 },
  { name: "cpus", label: texts.limitLabels.cpus, minimum: 0.1 },
  { name: "fileMiB", label: texts.limitLabels.fileMiB, minimum: 1 },
  { name: "diskMiB", label: texts.limitLabels.diskMiB, minimum: 16 },
] as const satisfies readonly LimitField[];
export type LimitName = (typeof limitFields)[number]["name"];

/** Returns the error of a field, if there is one. */
export const checkLimit = ({ name, minimum }: (typeof limitFields)[number], text: string): string | undefined => {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && (name === "cpus" || Number.isInteger(number)) && number >= minimum) return undefined;
  return name === "cpus" ? texts.enterANumberFrom(minimum) : texts.enterAWholeNumberFrom(minimum);
};

/** Returns the limits after these changes, or `null` if no limit is set. */
export const applyLimitChanges = (
  currentLimits: OwnCellLimits,
  changes: Readonly<Record<string, string | null>>,
): OwnCellLimits | null => {
  const entries = limitFields.flatMap(({ name }) => {
    const text = changes[name];
    const value = text === undefined ? currentLimits[name] : text === null ? undefined : Number(text);
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
};
