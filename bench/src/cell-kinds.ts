/** The measured kinds of cells and their targets. */
import type { Target } from "./bench.ts";

export type MeasuredKind = "process" | "landlock" | "bubblewrap" | "qemu";

interface Targets {
  readonly open?: Target;
  /** Overhead of a command compared with running it outside. */
  readonly command?: Target;
}

export const measuredKinds: readonly (readonly [MeasuredKind, Targets])[] = [
  ["process", {}],
  ["landlock", {}],
  ["bubblewrap", { open: { atMost: 60 }, command: { atMost: 5 } }],
  ["qemu", { open: { atMost: 150 } }],
];
