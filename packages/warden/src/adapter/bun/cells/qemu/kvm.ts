/** Whether KVM may be requested. Only booting a machine proves that it works. */
import { stat } from "node:fs/promises";

const READ_WRITE = 0o6;

/**
 * The groups that QEMU needs to open KVM when it runs as another user than the daemon. Undefined
 * when KVM cannot be opened at all.
 */
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
