/** The kinds of cells that are measured, and what is promised of each. */
import type { Target } from "./bench.ts";

export type MeasuredKind = "process" | "landlock" | "bubblewrap" | "qemu";

interface Targets {
  readonly open?: Target;
  /** Of a command, over the same outside. */
  readonly command?: Target;
}

export const measuredKinds: readonly (readonly [MeasuredKind, Targets])[] = [
  ["process", {}],
  ["landlock", {}],
  ["bubblewrap", { open: { atMost: 60 }, command: { atMost: 5 } }],
  ["qemu", { open: { atMost: 150 } }],
];
