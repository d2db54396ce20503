/** Escape attempts through parts of the kernel that a cell does not need. */
import { type Escape, perl, type SystemCall } from "./escape.ts";

const kernel = (name: string, script: string, ...calls: readonly SystemCall[]): Escape => ({
  name,
  wall: "kernel",
  script,
  ...(calls.length === 0 ? {} : { calls }),
});

/**
 * A system call with these arguments, in perl syntax. It counts as reached when the kernel examines
 * the arguments.
 */
const asks = (name: string, call: SystemCall, values: string): Escape =>
  kernel(name, perl(`my $room = "\\0" x 4096; passed(syscall(nr("${call}"), ${values}))`), call);

export const kernelEscapes: readonly Escape[] = [
  kernel("tracing the inmate", perl(`passed(syscall(nr("ptrace"), 0x4206, int($ENV{INMATE}), 0, 0))`), "ptrace"),
  kernel("reading the inmate's memory", `(exec 3</proc/$INMATE/mem) 2>/dev/null && echo REACHED`),
  kernel("the inmate's link", "readlink /proc/$INMATE/fd/0 | grep -q . && echo REACHED"),
  kernel("the inmate's environment", `(exec 3</proc/$INMATE/environ) 2>/dev/null && echo REACHED`),
  kernel(
    "reading another process's memory by a call",
    perl(`my $room = "\\0" x 64; my $piece = pack("PQ", $room, 8);
        passed(syscall(nr("process_vm_readv"), int($ENV{INMATE}), $piece, 1, $piece, 1, 0))`),
    "process_vm_readv",
  ),
  kernel(
    "writing another process's memory by a call",
    perl(`passed(syscall(nr("process_vm_writev"), int($ENV{INMATE}), 0, 0, 0, 0, 0))`),
    "process_vm_writev",
  ),
  kernel(
    "taking an open file of the inmate's",
    perl(`my $process = syscall(nr("pidfd_open"), int($ENV{INMATE}), 0);
        passed(syscall(nr("pidfd_getfd"), $process, 0, 0)) if $process >= 0`),
    ...(["pidfd_open", "pidfd_getfd"] as const),
  ),
  asks("tracing its own child", "ptrace", "0, 0, 0, 0"),
  asks("comparing processes", "kcmp", "$$, $$, 0, 0, 0"),
  asks("moving another's memory", "move_pages", "0, 0, 0, 0, 0, 0"),

  kernel("a new user namespace", "unshare -U true 2>/dev/null && echo REACHED"),
  kernel(
    "a user namespace by the young call",
    perl(`my $how = pack("Q11", 0x10000000, (0) x 3, 17, (0) x 6); my $child = syscall(nr("clone3"), $how, 88);
      if ($child == 0) { exit 0 } passed($child)`),
    "clone3",
  ),
  asks("a user namespace by the old call", "unshare", "0x10000000"),
  kernel(
    "a namespace of another process",
    perl(`open(my $file, "<", "/proc/self/ns/uts") or exit 1; passed(syscall(nr("setns"), fileno($file), 0))`),
    "setns",
  ),
  kernel("another root", perl(`my $at = "."; passed(syscall(nr("chroot"), $at))`), "chroot"),
  kernel(
    "a mount",
    perl(`mkdir "mount"; my ($kind, $at) = ("tmpfs", "mount");
      my $mounted = syscall(nr("mount"), $kind, $at, $kind, 0, 0);
      syscall(nr("umount2"), $at, 2) if $mounted == 0; rmdir "mount"; passed($mounted)`),
    ...(["mount", "umount2"] as const),
  ),
  kernel("an unmount", perl(`my $at = "."; passed(syscall(nr("umount2"), $at, 2))`), "umount2"),
  asks("another root for everybody", "pivot_root", "$room, $room"),
  kernel("a mount by parts", perl(`my $kind = "tmpfs"; passed(syscall(nr("fsopen"), $kind, 0))`), "fsopen"),
  kernel(
    "a copy of a tree of mounts",
    perl(`my $at = "/usr"; passed(syscall(nr("open_tree"), -100, $at, 1))`),
    "open_tree",
  ),
  asks("putting a mount elsewhere", "move_mount", "-1, $room, -1, $room, 0"),
  asks("what a mount allows", "mount_setattr", "-1, $room, 0x1000, $room, 32"),

  asks("rings of calls", "io_uring_setup", "4, $room"),
  asks("the keys of the session", "keyctl", "0, -3, 0, 0, 0"),
  kernel(
    "a new key",
    perl(
      `my ($kind, $name, $text) = ("user", "hearth", "x"); passed(syscall(nr("add_key"), $kind, $name, $text, 1, -2))`,
    ),
    "add_key",
  ),
  kernel(
    "a key from the kernel's program",
    perl(`my ($kind, $name) = ("user", "hearth"); passed(syscall(nr("request_key"), $kind, $name, 0, 0))`),
    "request_key",
  ),
  asks("programs in the kernel", "bpf", "0, $room, 64"),
  asks("counters of the processor", "perf_event_open", "$room, 0, -1, -1, 0"),
  asks("faults in its own hands", "userfaultfd", "1"),
  asks("watching every file", "fanotify_init", "0, 0"),
  asks("addresses that are known ahead", "personality", "0x40000"),
  asks("segments of an old processor", "modify_ldt", "0, $room, 16"),
  asks("the ports of the machine", "iopl", "0"),
  asks("a module", "init_module", "0, 0, 0"),
  asks("a module from a file", "finit_module", "-1, 0, 0"),
  asks("taking a module away", "delete_module", "0, 0"),
  asks("another kernel", "kexec_load", "0, 17, 0, 0"),
  asks("a restart", "reboot", "0, 0, 0, 0"),
  asks("room to swap", "swapon", "0, 0"),
  asks("a record of all that is run", "acct", "1"),
  asks("quotas", "quotactl", "0xffffff, 0, 0, 0"),
  asks("the kernel's log", "syslog", "10, 0, 0"),
  asks("the time of the machine", "clock_settime", "0, 0"),
  asks("the pace of its clock", "clock_adjtime", "99, 0"),
  asks("the name of the machine", "sethostname", "0, 1"),
  kernel(
    "keys into a terminal",
    perl(
      `open(my $terminal, "+<", "/dev/null") or exit 1; my $key = "x"; passed(syscall(nr("ioctl"), fileno($terminal), 0x5412, $key))`,
    ),
    "ioctl",
  ),
  kernel(
    "keys into a console",
    perl(
      `open(my $terminal, "+<", "/dev/null") or exit 1; my $key = "x"; passed(syscall(nr("ioctl"), fileno($terminal), 0x541c, $key))`,
    ),
    "ioctl",
  ),
  kernel(
    "a program that lends its owner",
    "cp /bin/true lent; chmod 4755 lent 2>/dev/null; [ -u lent ] && echo REACHED; rm -f lent",
  ),
  kernel(
    "a program that is made lending its owner",
    perl(`umask 0; sysopen(my $file, "lent", 0x41, 04755); reached() if -u "lent"`) + "; rm -f lent",
  ),
  kernel("being root by a program of the system's", `su -c true root </dev/null >/dev/null 2>&1 && echo REACHED`),
];
