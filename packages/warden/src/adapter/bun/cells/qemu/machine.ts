/**
 * The QEMU arguments of a cell's machine. A snapshot fits only a machine with the same arguments.
 */

/** KVM runs the machine on the processor itself; TCG emulates it. */
export type Accelerator = "kvm" | "tcg";

/** The parameters of a machine. */
export interface MachineShape {
  readonly accelerator: Accelerator;
  readonly memoryMiB: number;
  readonly processors: number;
}

/**
 * Files of a machine. QEMU may lack access to their folders, so it gets them as open descriptors.
 */
export const parts = ["kernel", "initial", "root", "disk", "memory"] as const;
export type Part = (typeof parts)[number];

/** Descriptors that QEMU starts with. */
export const KEEPER_FD = 3;
export const MONITOR_FD = 4;
export const STATE_FD = 5;
const FIRST_PART_FD = 6;

/**
 * An emulated processor has no speculative execution, so mitigations only cost time. On a busy host
 * an emulated timer may be late, and the kernel's check of the timer would panic. `rootfs/start`
 * reads the last option.
 */
const KERNEL_OPTIONS = { kvm: "", tcg: "mitigations=off no_timer_check cell.jit=off" } as const;

const pathOf = (part: Part): string => `/proc/self/fd/${FIRST_PART_FD + parts.indexOf(part)}`;

export interface MachineOptions {
  readonly shape: MachineShape;
  /**
   * With `kept`, the machine's memory is written to the template. With `own`, its memory and disk
   * changes stay private.
   */
  readonly writes: "kept" | "own";
  /** Where the kernel's log goes until it is silenced. */
  readonly console: string | undefined;
}

/**
 * No network, no desktop devices, no defaults: the two ports are the only connections to the
 * outside.
 */
export const machineArguments = ({ shape, writes, console }: MachineOptions): readonly string[] => {
  const share = writes === "kept" ? "on" : "off";
  const snapshot = writes === "kept" ? "off" : "on";
  return [
    ...["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-name", "cell"],
    ...[
      "-machine",
      `q35,accel=${shape.accelerator},memory-backend=memory,usb=off,smbus=off,sata=off,vmport=off,graphics=off`,
    ],
    ...["-cpu", shape.accelerator === "kvm" ? "host,migratable=on" : "max,la57=off"],
    ...["-smp", `${shape.processors}`, "-m", `${shape.memoryMiB}M`],
    ...[
      "-object",
      `memory-backend-file,id=memory,size=${shape.memoryMiB}M,mem-path=${pathOf("memory")},share=${share}`,
    ],
    // A restored machine has both in its memory, but QEMU still reads the kernel's head.
    ...["-kernel", pathOf("kernel"), ...(writes === "kept" ? ["-initrd", pathOf("initial")] : [])],
    ...[
      "-append",
      `console=ttyS0 panic=-1 reboot=t quiet rdinit=/init random.trust_cpu=on ${KERNEL_OPTIONS[shape.accelerator]}`,
    ],
    ...["-drive", `file=${pathOf("root")},if=none,id=root,format=raw,readonly=on,file.locking=off`],
    ...["-device", "virtio-blk-pci,drive=root"],
    ...[
      "-drive",
      `file=${pathOf("disk")},if=none,id=disk,format=raw,cache=unsafe,discard=unmap,file.locking=off,snapshot=${snapshot}`,
    ],
    ...["-device", "virtio-blk-pci,drive=disk"],
    ...["-device", "virtio-serial-pci,max_ports=4"],
    ...["-chardev", "stdio,id=link,signal=off", "-device", "virtserialport,nr=1,chardev=link,name=link"],
    ...["-chardev", `socket,id=keeper,fd=${KEEPER_FD}`, "-device", "virtserialport,nr=2,chardev=keeper,name=keeper"],
    ...["-chardev", console === undefined ? "null,id=console" : `file,id=console,path=${console}`],
    ...["-device", "isa-serial,chardev=console"],
    ...["-chardev", `socket,id=monitor,fd=${MONITOR_FD}`, "-mon", "chardev=monitor,mode=control"],
    ...[
      "-sandbox",
      `on,obsolete=deny,elevateprivileges=deny,spawn=${writes === "kept" ? "allow" : "deny"},resourcecontrol=deny`,
    ],
    ...(writes === "own" ? ["-incoming", "defer"] : []),
  ];
};
