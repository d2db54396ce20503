/**
 * Builds the seccomp filter of a cell, which decides the system calls that its processes may make.
 * It refuses calls that a cell does not need and allows the rest, because users run arbitrary
 * commands. It also refuses system calls that are newer than this list.
 */
import { type CallTable, type Machine, machines } from "./system-calls.ts";

export interface SeccompOptions {
  readonly machine: Machine;
  /**
   * `own`: the cell has separate namespaces for network, processes and files, so its calls affect
   * only the cell.
   * `host`: the cell shares the host's namespaces, so it may create no socket, and may make no
   * change that the kernel would permit by name alone.
   */
  readonly world: "own" | "host";
  /**
   * The inmate's process id as the cell numbers it. The inmate's commands may not stop or end it,
   * nor change its limits.
   */
  readonly inmate?: number;
}

/** Returns the filter in the kernel's format, with eight bytes per instruction. */
export const createSeccompFilter = ({ machine, world, inmate }: SeccompOptions): Uint8Array<ArrayBuffer> => {
  const { audit, calls } = machines[machine];
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCH_AT],
    // The calls of another machine have other numbers, so the rules below would be wrong.
    [IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER_AT],
    // Also refuses the calls of x32, whose numbers begin far above.
    [IF_AT_LEAST, 0, 1, FIRST_UNKNOWN_CALL],
    [RETURN, 0, 0, refuse(ENOSYS)],
  ];
  for (const [name, rules] of groupByCall([
    ...RULES,
    ...(world === "own" ? OWN_WORLD : HOST_WORLD),
    ...(inmate === undefined ? [] : inmateRules(inmate)),
  ])) {
    const number = calls[name];
    if (number === undefined) continue;
    const block: Instruction[] = [...rules.flatMap(compileRule), [RETURN, 0, 0, ALLOW]];
    program.push([IF_EQUAL, 0, block.length, number], ...block);
  }
  program.push([RETURN, 0, 0, ALLOW]);
  return assemble(program);
};

type CallName = keyof CallTable;

/** Refuses a call if every check holds for its arguments. A rule without checks always refuses. */
interface Rule {
  readonly call: CallName;
  readonly error: number;
  readonly when: readonly Check[];
}

/** Checks the lower half of an argument. The calls use no other half. */
type Check = { readonly argument: number } & (
  | { readonly anyOf: number }
  | { readonly in: readonly number[] }
  | { readonly notIn: readonly number[] }
);

const EPERM = 1;
const ENOSYS = 38;
const EPROTONOSUPPORT = 93;
const EAFNOSUPPORT = 97;

/** The number of `statmount`. This call and all later ones are newer than this list. */
const FIRST_UNKNOWN_CALL = 457;

const refuseCalls = (error: number, ...calls: readonly CallName[]): Rule[] =>
  calls.map((call) => ({ call, error, when: [] }));

/** Every CLONE_NEW… flag that is not also a signal number. */
const NEW_NAMESPACES = 0x7e020000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Setuid and setgid give a file's owner or group to its users. On the host the owner is the daemon's user. */
const SETUID_BITS = 0o6000;
/** O_CREAT or O_TMPFILE: without one of them the mode has no effect. */
const CREATE_FLAGS = 0x40 | 0x400000;
/**
 * The allowed values: Linux, also with another word length or an old layout. Other personalities
 * make attacks easier.
 */
const PERSONALITIES = [0, 0x8, 0x20000, 0x20008, 0xffffffff];

const refuseSetuid = (call: CallName, mode: number, flags?: number): Rule => ({
  call,
  error: EPERM,
  when: [
    ...(flags === undefined ? [] : [{ argument: flags, anyOf: CREATE_FLAGS }]),
    { argument: mode, anyOf: SETUID_BITS },
  ],
});

const RULES: readonly Rule[] = [
  // Other processes.
  ...refuseCalls(EPERM, "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"),
  ...refuseCalls(EPERM, "move_pages", "migrate_pages"),
  // Mounts and namespaces. A libc that gets ENOSYS falls back to `clone`, whose flags the filter
  // can see.
  ...refuseCalls(EPERM, "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "mount_setattr"),
  ...refuseCalls(EPERM, "fsopen", "fsconfig", "fsmount", "fspick", "unshare", "setns"),
  ...refuseCalls(ENOSYS, "clone3"),
  { call: "clone", error: EPERM, when: [{ argument: 0, anyOf: NEW_NAMESPACES }] },
  ...refuseCalls(EPERM, "open_by_handle_at", "name_to_handle_at"),
  // Large and recent parts of the kernel, where most vulnerabilities are found.
  ...refuseCalls(
    EPERM,
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
  ),
  ...refuseCalls(EPERM, "add_key", "request_key", "keyctl", "fanotify_init", "lookup_dcookie", "modify_ldt", "uselib"),
  { call: "personality", error: EPERM, when: [{ argument: 0, notIn: PERSONALITIES }] },
  // The machine itself.
  ...refuseCalls(EPERM, "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot"),
  ...refuseCalls(EPERM, "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "nfsservctl", "syslog", "vhangup"),
  ...refuseCalls(EPERM, "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname"),
  ...refuseCalls(EPERM, "iopl", "ioperm", "ustat", "sysfs"),
  // This call types input into a terminal in place of the terminal's owner.
  { call: "ioctl", error: EPERM, when: [{ argument: 1, in: [TIOCSTI, TIOCLINUX] }] },
  ...[
    refuseSetuid("chmod", 1),
    refuseSetuid("fchmod", 1),
    refuseSetuid("fchmodat", 2),
    refuseSetuid("fchmodat2", 2),
    refuseSetuid("creat", 1),
  ],
  ...[refuseSetuid("mknod", 1), refuseSetuid("mknodat", 2), refuseSetuid("open", 2, 1), refuseSetuid("openat", 3, 2)],
  // The mode of this call is behind a pointer. A libc that gets ENOSYS uses `openat` instead.
  ...refuseCalls(ENOSYS, "openat2"),
];

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const FAMILIES = [AF_UNIX, AF_INET, AF_INET6];
/** The protocols: that of the family, TCP and UDP. */
const PROTOCOLS = [0, 6, 17];
/**
 * Only datagram types are refused. A pair of stream sockets stays a pair, but a datagram socket can
 * send to any address.
 */
const DATAGRAM_BIT = 0x2;

/**
 * Signals that stop or end a process. The inmate's own threads send the other signals to each
 * other.
 */
const STOPPING_SIGNALS = [1, 2, 3, 9, 15, 19, 20, 21, 22];
const F_SETSIG = 10;

/**
 * Returns the rules that protect the inmate. Commands run as the inmate's own user, so the kernel
 * alone would let them stop it. All signals by process handle are refused, because the filter
 * cannot see their target. Signals by thread id are refused too, because the thread may be the
 * inmate's.
 */
const inmateRules = (inmate: number): readonly Rule[] => {
  // The inmate, its process group, and all processes.
  const inmateTargets = [inmate, -inmate >>> 0, -1 >>> 0];
  const refuseStopping = (call: CallName, signal: number): Rule => ({
    call,
    error: EPERM,
    when: [
      { argument: 0, in: inmateTargets },
      { argument: signal, in: STOPPING_SIGNALS },
    ],
  });
  return [
    ...[
      refuseStopping("kill", 1),
      refuseStopping("tgkill", 2),
      refuseStopping("rt_sigqueueinfo", 1),
      refuseStopping("rt_tgsigqueueinfo", 2),
    ],
    { call: "tkill", error: EPERM, when: [{ argument: 1, in: STOPPING_SIGNALS }] },
    ...refuseCalls(ENOSYS, "pidfd_send_signal"),
    // This call sends a chosen signal to any process when a file is ready.
    { call: "fcntl", error: EPERM, when: [{ argument: 1, in: [F_SETSIG] }] },
  ];
};

/** The calling process, as these calls denote it. */
const SELF = [0];
/**
 * All processes of a user. The user is the daemon's. The number 0 may denote the user or the
 * process itself.
 */
const PRIO_USER = 2;
const IOPRIO_WHO_USER = 3;
/** The limits, priorities and processors of other processes, including those of the inmate. */
const LIMITS_OF_OTHER_PROCESSES: readonly Rule[] = [
  { call: "prlimit64", error: EPERM, when: [{ argument: 0, notIn: SELF }] },
  { call: "setpriority", error: EPERM, when: [{ argument: 1, notIn: SELF }] },
  { call: "setpriority", error: EPERM, when: [{ argument: 0, in: [PRIO_USER] }] },
  { call: "ioprio_set", error: EPERM, when: [{ argument: 1, notIn: SELF }] },
  { call: "ioprio_set", error: EPERM, when: [{ argument: 0, in: [IOPRIO_WHO_USER] }] },
  ...(["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"] as const).map((call): Rule => ({
    call,
    error: EPERM,
    when: [{ argument: 0, notIn: SELF }],
  })),
];

const OWN_WORLD: readonly Rule[] = [
  ...LIMITS_OF_OTHER_PROCESSES,
  { call: "socket", error: EAFNOSUPPORT, when: [{ argument: 0, notIn: FAMILIES }] },
  { call: "socketpair", error: EAFNOSUPPORT, when: [{ argument: 0, notIn: FAMILIES }] },
  {
    call: "socket",
    error: EPROTONOSUPPORT,
    when: [
      { argument: 0, in: [AF_INET, AF_INET6] },
      { argument: 2, notIn: PROTOCOLS },
    ],
  },
];

/**
 * The call returns success without an effect, because programs that unpack and install abort at the
 * first such error.
 */
const NO_ERROR = 0;

const HOST_WORLD: readonly Rule[] = [
  ...refuseCalls(EAFNOSUPPORT, "socket"),
  { call: "socketpair", error: EAFNOSUPPORT, when: [{ argument: 0, notIn: [AF_UNIX] }] },
  { call: "socketpair", error: EAFNOSUPPORT, when: [{ argument: 1, anyOf: DATAGRAM_BIT }] },
  ...refuseCalls(EPERM, "shmget", "shmat", "semget", "msgget", "mq_open", "mq_unlink", "inotify_add_watch"),
  ...LIMITS_OF_OTHER_PROCESSES,
  // The kernel permits these calls to the owner of a file, whatever the file's place and write
  // access.
  ...refuseCalls(NO_ERROR, "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
  ...refuseCalls(NO_ERROR, "utime", "utimes", "futimesat", "utimensat"),
  ...refuseCalls(EPERM, "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"),
];

const groupByCall = (rules: readonly Rule[]): ReadonlyMap<CallName, readonly Rule[]> => {
  const groups = new Map<CallName, Rule[]>();
  for (const rule of rules) groups.set(rule.call, [...(groups.get(rule.call) ?? []), rule]);
  return groups;
};

/**
 * The operation, the number of instructions to skip if it holds, the number if it does not, and the
 * value.
 */
type Instruction = readonly [code: number, yes: number, no: number, value: number];

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (error: number): number => 0x00050000 | error;

/**
 * Offsets in the data that the kernel passes to a filter. Both machines store the lower half first.
 */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const ARGUMENTS_AT = 16;

/** Compiles a rule. If a check fails, the filter continues after the rule. */
const compileRule = ({ when, error }: Rule): readonly Instruction[] => {
  const code: Instruction[] = [[RETURN, 0, 0, refuse(error)]];
  for (const check of when.toReversed()) code.unshift(...compileCheck(check, code.length));
  return code;
};

/** Compiles a check. If it holds, the filter continues. Otherwise the filter skips `skipCount` instructions. */
const compileCheck = (check: Check, skipCount: number): readonly Instruction[] => {
  const load: Instruction = [LOAD, 0, 0, ARGUMENTS_AT + 8 * check.argument];
  if ("anyOf" in check) return [load, [IF_ANY_BIT, 0, skipCount, check.anyOf]];
  const values = "in" in check ? check.in : check.notIn;
  return [
    load,
    ...values.map((value, index): Instruction => {
      const laterCount = values.length - 1 - index;
      const isLast = laterCount === 0;
      if ("in" in check) return [IF_EQUAL, laterCount, isLast ? skipCount : 0, value];
      return [IF_EQUAL, laterCount + skipCount, 0, value];
    }),
  ];
};

const assemble = (program: readonly Instruction[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(([code, yes, no, value], index) => {
    if (yes > 0xff || no > 0xff) throw new Error("a rule of the seccomp filter is too long");
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, yes);
    view.setUint8(index * 8 + 3, no);
    view.setUint32(index * 8 + 4, value >>> 0, true);
  });
  return bytes;
};
