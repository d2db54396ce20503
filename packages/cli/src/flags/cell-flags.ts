/** Flags for a bot's cell and its limits, and the text that describes them. */
import { type AgentContent, type OwnCellLimits, backendKinds } from "@hearth/protocol";
import type { FlagValues, Flags } from "../command.ts";
import { UsageError } from "../args/usage-error.ts";

const kinds = ["auto", "strongest", ...backendKinds];

export const cellFlags = {
  cell: { kind: "text", value: "CELL", choices: kinds, summary: `the isolation of its cell: ${kinds.join(", ")}` },
  memory: { kind: "text", value: "MIB", summary: "memory of its cell, including commands, in MiB" },
  processes: { kind: "text", value: "COUNT", summary: "processes and threads at once in its cell" },
  cpus: { kind: "text", value: "SHARE", summary: "CPUs of its cell: 0.5 is half a CPU" },
  "file-size": { kind: "text", value: "MIB", summary: "the largest file that a command may write, in MiB" },
  disk: { kind: "text", value: "MIB", summary: "disk space of its workspace and its cell's folders, in MiB" },
} as const satisfies Flags;

const limitNames = {
  memory: "memoryMiB",
  processes: "processes",
  cpus: "cpus",
  "file-size": "fileMiB",
  disk: "diskMiB",
} as const satisfies Record<string, keyof OwnCellLimits>;
type LimitFlag = keyof typeof limitNames;

/**
 * Returns the current limits with the changes of the flags. An empty text removes a limit. The result
 * `null` removes all limits.
 */
export const changeLimits = (
  flags: Pick<FlagValues<typeof cellFlags>, LimitFlag>,
  currentLimits: OwnCellLimits = {},
): { readonly limits?: OwnCellLimits | null } => {
  const changedFlags = (Object.keys(limitNames) as LimitFlag[]).filter((flag) => flags[flag] !== undefined);
  if (changedFlags.length === 0) return {};
  const limits: { -readonly [Name in keyof OwnCellLimits]: OwnCellLimits[Name] } = { ...currentLimits };
  for (const flag of changedFlags) {
    if (flags[flag] === "") delete limits[limitNames[flag]];
    else limits[limitNames[flag]] = toNumber(flag, flags[flag] ?? "");
  }
  return { limits: Object.keys(limits).length === 0 ? null : limits };
};

const toNumber = (flag: LimitFlag, text: string): number => {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(
    `--${flag} takes a number, not "${text}".`,
    `For example: --${flag} ${flag === "cpus" ? "0.5" : "512"}. An empty text restores the house's default.`,
  );
};

/**
 * Describes a cell, for example "bubblewrap, memory 512 MiB, processes 64". Returns undefined when
 * the house's defaults apply.
 */
export const describeCell = ({ cell, limits = {} }: Pick<AgentContent, "cell" | "limits">): string | undefined => {
  const { memoryMiB, processes, cpus, fileMiB, diskMiB } = limits;
  const parts = [
    cell,
    memoryMiB && `memory ${memoryMiB} MiB`,
    processes && `processes ${processes}`,
    cpus && `CPU ${cpus}`,
    fileMiB && `files ${fileMiB} MiB`,
    diskMiB && `disk ${diskMiB} MiB`,
  ].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(", ");
};
