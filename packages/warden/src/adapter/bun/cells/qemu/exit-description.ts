/** Describes how a machine ended. */

export interface End {
  /** Exit code of QEMU itself. */
  readonly code: number;
  readonly signal: string | number | null;
  /** QEMU's last output. */
  readonly words: string;
  /** How the machine itself stopped, in QEMU's terms. */
  readonly stopped: string | undefined;
  readonly memoryMiB: number;
}

/**
 * The machine chooses how it stops, see `rootfs/start`. The description is only reported; nothing
 * depends on it.
 */
export const describeEnd = ({ code, signal, words, stopped, memoryMiB }: End): string => {
  if (stopped === "guest-shutdown") return `it used up its ${memoryMiB} MiB of memory; its machine ended`;
  if (stopped === "guest-reset") return "its machine ended, as it does when its inmate has";
  return `its machine ended with ${signal ?? code}${words === "" ? "" : `: ${words}`}`;
};
