/** An escape attempt, as data. */
import type { CellLimits, Wall } from "@hearth/protocol";

/** The system calls that attempts make. */
export type SystemCall =
  | "acct"
  | "add_key"
  | "bpf"
  | "chroot"
  | "clock_adjtime"
  | "clock_settime"
  | "clone3"
  | "delete_module"
  | "fanotify_init"
  | "finit_module"
  | "fsopen"
  | "init_module"
  | "inotify_add_watch"
  | "inotify_init1"
  | "io_uring_setup"
  | "ioctl"
  | "iopl"
  | "kcmp"
  | "kexec_load"
  | "keyctl"
  | "modify_ldt"
  | "mount"
  | "mount_setattr"
  | "move_mount"
  | "move_pages"
  | "name_to_handle_at"
  | "open_by_handle_at"
  | "open_tree"
  | "perf_event_open"
  | "personality"
  | "pidfd_getfd"
  | "pidfd_open"
  | "pivot_root"
  | "prlimit64"
  | "process_vm_readv"
  | "process_vm_writev"
  | "ptrace"
  | "quotactl"
  | "reboot"
  | "request_key"
  | "sethostname"
  | "setns"
  | "shmget"
  | "swapon"
  | "syslog"
  | "umount2"
  | "unshare"
  | "userfaultfd";

/**
 * An attempt that a shell command runs inside a cell, in the workspace, with the `Surroundings` in
 * its environment. It prints `REACHED` when it gets past the wall, and restores everything that it
 * changed.
 */
export interface Escape {
  /** What the attempt does, as a phrase. */
  readonly name: string;
  readonly wall: Wall;
  /** The script for /bin/sh. */
  readonly script: string;
  /** System calls whose numbers the script gets as `nr_NAME`. */
  readonly calls?: readonly SystemCall[];
  /** Limits of the cell in which it runs. The cell is then used for this attempt only. */
  readonly limits?: CellLimits;
  /**
   * Whether the attempt measures time. In an emulated machine, the clock continues while the host
   * pauses the machine.
   */
  readonly isTimed?: true;
}

/** Programs that attempts run and that some cell images lack. */
export const rarePrograms = ["perl", "renice", "su", "unshare"] as const;
export type RareProgram = (typeof rarePrograms)[number];

/** The rare programs that this attempt runs. */
export const programsOf = ({ script }: Escape): readonly RareProgram[] =>
  rarePrograms.filter((name) => new RegExp(`\\b${name} `).test(script));

/**
 * Targets on the host, by the variable names in the scripts. `INMATE`, the process that runs the
 * script, is set as well.
 */
export interface Surroundings {
  /** The brain of the cell, as the cell sees it. */
  readonly BRAIN: string;
  /** A folder of the host, with the file `canary` and the program `program`. */
  readonly HOST: string;
  /** The workspace of another agent, with the file `canary`. */
  readonly OTHER: string;
  /** A sleeping process of the host, with `CANARY` in its command and its environment. */
  readonly HOST_PID: string;
  /** Listens on the host's loopback and answers `canary`. */
  readonly TCP_PORT: string;
  readonly UDP_PORT: string;
  /**
   * Sockets of the host that answer `canary`: one with a path, and one in the abstract namespace.
   */
  readonly UNIX_PATH: string;
  readonly UNIX_NAME: string;
  /** A unique text that ends with seven hexadecimal digits. */
  readonly CANARY: string;
}

/**
 * The beginning of perl scripts. Perl can make any system call and exists on every Debian. This
 * text defines the needed constants, because loading a module takes longer than the attempt in an
 * emulated cell.
 */
const PERL_PRELUDE = `
sub AF_UNIX () { 1 } sub AF_INET () { 2 } sub AF_INET6 () { 10 }
sub SOCK_STREAM () { 1 } sub SOCK_DGRAM () { 2 } sub SOL_SOCKET () { 1 } sub SO_BROADCAST () { 6 }
sub inet_aton { pack "C4", split /[.]/, $_[0] }
sub sockaddr_in { pack "Sna4x8", AF_INET, @_ }
sub sockaddr_un { pack "SZ108", AF_UNIX, @_ }
$SIG{ALRM} = sub { exit 1 };
alarm 5;
sub reached { print "REACHED\\n"; exit 0 }
# The kernel did it, or would have if the arguments had been better.
sub passed { my ($result) = @_; reached() if $result >= 0 || !grep { $! + 0 == $_ } 1, 13, 38, 93, 97 }
sub nr { $ENV{"nr_$_[0]"} }
`;

/** Returns a command that runs `text` as perl. `text` must not contain a single quote. */
export const perlCommand = (text: string): string => `perl -e '${PERL_PRELUDE}${text}'`;

/** Returns a command that reaches its goal if the file can be read. */
export const readCommand = (path: string): string => `head -c 1 ${path} 2>/dev/null | grep -q . && echo REACHED`;
/** Returns a command that reaches its goal if the file can be opened for writing. It writes nothing. */
export const openCommand = (path: string): string => `(: >>${path}) 2>/dev/null && echo REACHED`;
