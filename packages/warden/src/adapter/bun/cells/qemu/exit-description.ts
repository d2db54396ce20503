/** How a machine ended, in words. */

export interface End {
  /** Of QEMU itself. */
  readonly code: number;
  readonly signal: string | number | null;
  /** What it had to say. */
  readonly words: string;
  /** What the machine did by itself, in QEMU's words. */
  readonly stopped: string | undefined;
  readonly memoryMiB: number;
}

/** How it stops is the machine's own choice, see `rootfs/start`: what that says is told, and nothing depends on it. */
export const describeEnd = ({ code, signal, words, stopped, memoryMiB }: End): string => {
  if (stopped === "guest-shutdown") return `it used up its ${memoryMiB} MiB of memory; its machine ended`;
  if (stopped === "guest-reset") return "its machine ended, as it does when its inmate has";
  return `its machine ended with ${signal ?? code}${words === "" ? "" : `: ${words}`}`;
};
