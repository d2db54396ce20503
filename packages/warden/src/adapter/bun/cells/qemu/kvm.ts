/** Whether KVM may be asked for. Only a boot shows whether it works. */
import { stat } from "node:fs/promises";

const READ_WRITE = 0o6;

/** Groups that a QEMU needs to be in to open it, where it is not who the daemon is. Nothing where it cannot be opened at all. */
export const findKvm = async (
  user: number | undefined,
): Promise<{ readonly groups: readonly number[] } | undefined> => {
  try {
    const { mode, gid } = await stat("/dev/kvm");
    const may = (shift: number): boolean => ((mode >> shift) & READ_WRITE) === READ_WRITE;
    if (user === undefined || may(0)) return { groups: [] };
    return may(3) && gid !== 0 ? { groups: [gid] } : undefined;
  } catch {
    return undefined;
  }
};
