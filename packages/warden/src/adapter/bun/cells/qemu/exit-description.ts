/** Describes how a machine ended. */

export interface MachineExit {
  /** Exit code of QEMU itself. */
  readonly code: number;
  readonly signal: string | number | null;
  /** QEMU's last output. */
  readonly words: string;
  /** How the machine itself stopped, in QEMU's terms. */
  readonly stopped: string | undefined;
  readonly memoryMiB: number;
}

/** Describes the exit for people. `rootfs/start` decides how the machine stops. */
export const describeExit = ({ code, signal, words, stopped, memoryMiB }: MachineExit): string => {
  if (stopped === "guest-shutdown") return `its machine ended because it used up its ${memoryMiB} MiB of memory`;
  if (stopped === "guest-reset") return "its machine shut down because its inmate ended";
  return `its machine ended with ${signal ?? code}${words === "" ? "" : `: ${words}`}`;
};
