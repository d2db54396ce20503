/** Where a bot lives and what it may use up there, as flags and in words. */
import { type AgentContent, type OwnCellLimits, backendKinds } from "@hearth/protocol";
import type { FlagValues, Flags } from "./command.ts";
import { UsageError } from "./usage-error.ts";

const kinds = ["auto", "strongest", ...backendKinds];

export const cellFlags = {
  cell: { kind: "text", value: "CELL", choices: kinds, summary: `the walls around it: ${kinds.join(", ")}` },
  memory: { kind: "text", value: "MIB", summary: "memory of a cell of its own, commands and all, in MiB" },
  processes: { kind: "text", value: "COUNT", summary: "processes and threads at once there" },
  cpus: { kind: "text", value: "SHARE", summary: "processors there: 0.5 is half of one" },
  "file-size": { kind: "text", value: "MIB", summary: "largest file that a command may write, in MiB" },
  disk: { kind: "text", value: "MIB", summary: "what its workspace and its cell's own folders may hold, in MiB" },
} as const satisfies Flags;

const limitOf = {
  memory: "memoryMiB",
  processes: "processes",
  cpus: "cpus",
  "file-size": "fileMiB",
  disk: "diskMiB",
} as const satisfies Record<string, keyof OwnCellLimits>;
type LimitFlag = keyof typeof limitOf;

/** The limits that were given, on top of the present ones; an empty text takes one away, and `null` all. */
export const changeLimits = (
  given: Pick<FlagValues<typeof cellFlags>, LimitFlag>,
  present: OwnCellLimits = {},
): { readonly limits?: OwnCellLimits | null } => {
  const changed = (Object.keys(limitOf) as LimitFlag[]).filter((flag) => given[flag] !== undefined);
  if (changed.length === 0) return {};
  const limits: { -readonly [Name in keyof OwnCellLimits]: OwnCellLimits[Name] } = { ...present };
  for (const flag of changed) {
    if (given[flag] === "") delete limits[limitOf[flag]];
    else limits[limitOf[flag]] = toNumber(flag, given[flag] ?? "");
  }
  return { limits: Object.keys(limits).length === 0 ? null : limits };
};

const toNumber = (flag: LimitFlag, text: string): number => {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(
    `--${flag} takes a number, not "${text}".`,
    `Such as: --${flag} ${flag === "cpus" ? "0.5" : "512"}. An empty text leaves it to the house.`,
  );
};

/** "bubblewrap, memory 512 MiB, processes 64"; nothing where the house decides it all. */
export const tellCell = ({ cell, limits = {} }: Pick<AgentContent, "cell" | "limits">): string | undefined => {
  const { memoryMiB, processes, cpus, fileMiB, diskMiB } = limits;
  const words = [
    cell,
    memoryMiB && `memory ${memoryMiB} MiB`,
    processes && `processes ${processes}`,
    cpus && `CPU ${cpus}`,
    fileMiB && `files ${fileMiB} MiB`,
    diskMiB && `disk ${diskMiB} MiB`,
  ].filter(Boolean);
  return words.length === 0 ? undefined : words.join(", ");
};
