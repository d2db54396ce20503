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

export interface AcceleratorOptions {
  /** Whether KVM can be opened. */
  readonly hasKvm: boolean;
  /** Boots a machine and saves it. Rejects if the machine does not boot. */
  readonly boot: (accelerator: Accelerator) => Promise<void>;
  readonly failures: KvmFailures;
}

/** Prefers KVM. After a failed boot, KVM is not tried again while `failures` has that failure. */
export const chooseAccelerator = async ({ hasKvm, boot, failures }: AcceleratorOptions): Promise<Accelerator> => {
  if (hasKvm && !(await failures.hasRecent())) {
    try {
      await boot("kvm");
      return "kvm";
    } catch {
      await failures.add();
    }
  }
  await boot("tcg");
  return "tcg";
};

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
  readonly clock: Pick<Clock, "now">;
  /** A file with an id that changes when the host is restarted. */
  readonly bootId?: string;
}

/** `scripts/build-rootfs.sh --fresh` removes the file. */
const FILE = "kvm-failure";
const RECENT_MS = 24 * 60 * 60_000;

export const createKvmFailures = (options: KvmFailuresOptions): KvmFailures => {
  const { folder, version, clock, bootId = "/proc/sys/kernel/random/boot_id" } = options;
  const path = join(folder, FILE);

  const describeHost = async (): Promise<string> => `${(await readFile(bootId, "utf8")).trim()} ${version}`;

  return {
    async hasRecent() {
      const text = await readFile(path, "utf8").catch(() => "");
      const [time = "", host] = text.split("\n");
      const age = clock.now() - Date.parse(time);
      return age >= 0 && age < RECENT_MS && host === (await describeHost());
    },

    add: async () => writeFile(path, `${new Date(clock.now()).toISOString()}\n${await describeHost()}\n`),
  };
};
