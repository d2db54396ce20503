/**
 * All known escape attempts, the walls that each kind of cell promises, and both as a table for the
 * documentation.
 */
import { type BackendKind, type Wall, walls } from "@hearth/protocol";
import type { Escape } from "./escape.ts";
import { fileEscapes } from "./escape-files.ts";
import { kernelEscapes } from "./escape-kernel.ts";
import { limitEscapes } from "./escape-limits.ts";
import { networkEscapes } from "./escape-network.ts";

export const escapes: readonly Escape[] = [...fileEscapes, ...networkEscapes, ...kernelEscapes, ...limitEscapes];

/** The walls that a backend promises, each always or under a condition. A missing wall is not promised. */
export type PromisedWalls = Readonly<
  Partial<Record<Wall, "always" | "with control groups" | "with control groups, or not as root" | FromOneProcessor>>
>;
type FromOneProcessor = "with control groups, or from one processor up";

export const promisedWalls = {
  process: {},
  landlock: {
    fs: "always",
    net: "always",
    kernel: "always",
    memory: "with control groups",
    pids: "with control groups",
    cpu: "with control groups",
  },
  bubblewrap: {
    fs: "always",
    net: "always",
    kernel: "always",
    memory: "with control groups",
    pids: "with control groups, or not as root",
    cpu: "with control groups",
  },
  qemu: {
    fs: "always",
    net: "always",
    kernel: "always",
    memory: "always",
    pids: "always",
    cpu: "with control groups, or from one processor up",
  },
} as const satisfies Readonly<Partial<Record<BackendKind, PromisedWalls>>>;

/** Returns the escape attempts as Markdown. */
export const describeEscapes = (): string => {
  const kinds: readonly (readonly [string, PromisedWalls])[] = Object.entries(promisedWalls);
  const rows = walls.map((wall) => {
    const tried = escapes.filter((escape) => escape.wall === wall);
    return [wall, ...kinds.map(([, promised]) => promised[wall] ?? "no"), String(tried.length)];
  });
  const lists = walls.map((wall) => {
    const names = escapes.filter((escape) => escape.wall === wall).map(({ name }) => name);
    return `- \`${wall}\`: ${names.join(" · ")}`;
  });
  return [...table(["wall", ...kinds.map(([kind]) => `\`${kind}\``), "tried"], rows), "", ...lists].join("\n");
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = head.map((name, column) =>
    Math.max(...[name, ...rows.map((row) => row[column] ?? "")].map((cell) => cell.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)];
};
