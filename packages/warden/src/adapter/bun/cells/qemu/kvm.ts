/**
 * The choice between KVM and emulation. The signs that KVM is available may be wrong, so only
 * booting a machine proves that it works.
 */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@hearth/protocol";
import type { Accelerator } from "./machine.ts";

const READ_WRITE = 0o6;

/**
 * Returns the groups that QEMU needs to open KVM when it runs as another user than the daemon.
 * Returns undefined when KVM cannot be opened at all.
 */
export const findKvm = async (
  user: number | undefined,
): Promise<{ readonly groups: readonly number[] } | undefined> => {
  try {
    const { mode, gid } = await stat("/dev/kvm");
    const canOpen = (shift: number): boolean => ((mode >> shift) & READ_WRITE) === READ_WRITE;
    if (user === undefined || canOpen(0)) return { groups: [] };
    return canOpen(3) && gid !== 0 ? { groups: [gid] } : undefined;
  } catch {
    return undefined;
  }
};

export interface AcceleratorOptions {
  /** Whether KVM can be opened. */
  readonly hasKvm: boolean;
  /** Boots a machine and saves it. Rejects if the machine does not boot. */
  readonly boot: (accelerator: Accelerator) => Promise<void>;
  readonly failures: KvmFailures;
}

/**
 * Prefers KVM. If a machine boots only without it, `failures` records this, and KVM is not tried
 * again while the record is recent. If no machine boots, KVM is not the reason.
 */
export const chooseAccelerator = async ({ hasKvm, boot, failures }: AcceleratorOptions): Promise<Accelerator> => {
  const shouldTryKvm = hasKvm && !(await failures.hasRecent());
  if (shouldTryKvm && (await succeeds(boot("kvm")))) return "kvm";
  await boot("tcg");
  if (shouldTryKvm) await failures.add();
  return "tcg";
};

const succeeds = (boot: Promise<void>): Promise<boolean> =>
  boot.then(
    () => true,
    () => false,
  );

/** A record, shared by all processes that use the folder, of the last failure to boot with KVM. */
export interface KvmFailures {
  /**
   * Whether the last failure is less than a day old, and neither the host was restarted nor QEMU
   * changed since then.
   */
  hasRecent(): Promise<boolean>;
  add(): Promise<void>;
}

export interface KvmFailuresOptions {
  readonly folder: string;
  /** The version of QEMU. */
  readonly version: string;
  /** An id that changes when the host is restarted. */
  readonly bootId: string;
  readonly clock: Pick<Clock, "now">;
}

/** `scripts/build-rootfs.sh --fresh` removes the file. */
const FAILURE_FILE = "kvm-failure";
const RECENT_MS = 24 * 60 * 60_000;

export const createKvmFailures = ({ folder, version, bootId, clock }: KvmFailuresOptions): KvmFailures => {
  const path = join(folder, FAILURE_FILE);
  const presentHost = `${bootId} ${version}`;

  return {
    async hasRecent() {
      const text = await readFile(path, "utf8").catch(() => "");
      const [time = "", host] = text.split("\n");
      const age = clock.now() - Date.parse(time);
      return age >= 0 && age < RECENT_MS && host === presentHost;
    },

    add: async () => writeFile(path, `${new Date(clock.now()).toISOString()}\n${presentHost}\n`),
  };
};
