/**
 * The numbers of the system calls that the filter names, for each machine. A call that a machine
 * lacks is left out there.
 */

export interface CallTable extends Readonly<Partial<Record<AnyCall, number>>> {}

export type Machine = "x64" | "arm64";

/** From 424 on, the numbers are the same on every machine. */
const young = {
  ...{ pidfd_send_signal: 424, pidfd_open: 434 },
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429 },
  ...{ fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, clone3: 435, openat2: 437, pidfd_getfd: 438 },
  ...{ process_madvise: 440, mount_setattr: 442, quotactl_fd: 443, fchmodat2: 452 },
} as const;

const x64 = {
  ...{ open: 2, ioctl: 16, socket: 41, socketpair: 53, clone: 56, creat: 85, chmod: 90, fchmod: 91, ptrace: 101 },
  ...{ syslog: 103, mknod: 133, uselib: 134, personality: 135, ustat: 136, sysfs: 139, vhangup: 153 },
  ...{ modify_ldt: 154, pivot_root: 155, adjtimex: 159, chroot: 161, acct: 163, settimeofday: 164, mount: 165 },
  ...{ umount2: 166, swapon: 167, swapoff: 168, reboot: 169, sethostname: 170, setdomainname: 171, iopl: 172 },
  ...{ ioperm: 173, init_module: 175, delete_module: 176, quotactl: 179, nfsservctl: 180, lookup_dcookie: 212 },
  ...{ clock_settime: 227, kexec_load: 246, add_key: 248, request_key: 249, keyctl: 250, migrate_pages: 256 },
  ...{ openat: 257, mknodat: 259, fchmodat: 268, unshare: 272, move_pages: 279, perf_event_open: 298 },
  ...{ fanotify_init: 300, name_to_handle_at: 303, open_by_handle_at: 304, clock_adjtime: 305, setns: 308 },
  ...{ process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, finit_module: 313, kexec_file_load: 320 },
  ...{ bpf: 321, userfaultfd: 323 },
  ...{ shmget: 29, shmat: 30, semget: 64, msgget: 68, chown: 92, fchown: 93, lchown: 94, utime: 132 },
  ...{ setpriority: 141, sched_setparam: 142, sched_setscheduler: 144, setrlimit: 160, setxattr: 188, lsetxattr: 189 },
  ...{ fsetxattr: 190, removexattr: 197, lremovexattr: 198, fremovexattr: 199, sched_setaffinity: 203 },
  ...{
    utimes: 235,
    mq_open: 240,
    mq_unlink: 241,
    ioprio_set: 251,
    inotify_add_watch: 254,
    inotify_init1: 294,
    fchownat: 260,
  },
  ...{ futimesat: 261, utimensat: 280, prlimit64: 302, sched_setattr: 314 },
  ...{ kill: 62, fcntl: 72, rt_sigqueueinfo: 129, tkill: 200, tgkill: 234, rt_tgsigqueueinfo: 297 },
  ...young,
} as const;

const arm64 = {
  ...{ lookup_dcookie: 18, ioctl: 29, mknodat: 33, umount2: 39, mount: 40, pivot_root: 41, nfsservctl: 42 },
  ...{ chroot: 51, fchmod: 52, fchmodat: 53, openat: 56, vhangup: 58, quotactl: 60, acct: 89, personality: 92 },
  ...{ unshare: 97, kexec_load: 104, init_module: 105, delete_module: 106, clock_settime: 112, syslog: 116 },
  ...{ ptrace: 117, reboot: 142, sethostname: 161, setdomainname: 162, settimeofday: 170, adjtimex: 171 },
  ...{ socket: 198, socketpair: 199, add_key: 217, request_key: 218, keyctl: 219, clone: 220, swapon: 224 },
  ...{ swapoff: 225, migrate_pages: 238, move_pages: 239, perf_event_open: 241, fanotify_init: 262 },
  ...{ name_to_handle_at: 264, open_by_handle_at: 265, clock_adjtime: 266, setns: 268, process_vm_readv: 270 },
  ...{ process_vm_writev: 271, kcmp: 272, finit_module: 273, bpf: 280, userfaultfd: 282, kexec_file_load: 294 },
  ...{ setxattr: 5, lsetxattr: 6, fsetxattr: 7, removexattr: 14, lremovexattr: 15, fremovexattr: 16 },
  ...{
    inotify_init1: 26,
    inotify_add_watch: 27,
    ioprio_set: 30,
    fchownat: 54,
    fchown: 55,
    utimensat: 88,
    sched_setparam: 118,
  },
  ...{
    sched_setscheduler: 119,
    sched_setaffinity: 122,
    setpriority: 140,
    setrlimit: 164,
    mq_open: 180,
    mq_unlink: 181,
  },
  ...{ msgget: 186, semget: 190, shmget: 194, shmat: 196, prlimit64: 261, sched_setattr: 274 },
  ...{ fcntl: 25, kill: 129, tkill: 130, tgkill: 131, rt_sigqueueinfo: 138, rt_tgsigqueueinfo: 240 },
  ...young,
} as const;

type AnyCall = keyof typeof x64 | keyof typeof arm64;

/** `audit` is the kernel's number for the machine. */
export const machines: Readonly<Record<Machine, { readonly audit: number; readonly calls: CallTable }>> = {
  x64: { audit: 0xc000003e, calls: x64 },
  arm64: { audit: 0xc00000b7, calls: arm64 },
};
