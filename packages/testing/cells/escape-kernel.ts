/** Escape attempts through parts of the kernel that a cell does not need. */
import { type Escape, perlCommand, type SystemCall } from "./escape.ts";

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
const callEscape = (name: string, call: SystemCall, values: string): Escape =>
  kernel(name, perlCommand(`my $room = "\\0" x 4096; passed(syscall(nr("${call}"), ${values}))`), call);

export const kernelEscapes: readonly Escape[] = [
  kernel("tracing the inmate", perlCommand(`passed(syscall(nr("ptrace"), 0x4206, int($ENV{INMATE}), 0, 0))`), "ptrace"),
  kernel("opening the inmate's memory", `(exec 3</proc/$INMATE/mem) 2>/dev/null && echo REACHED`),
  kernel("finding the inmate's link to the warden", "readlink /proc/$INMATE/fd/0 | grep -q . && echo REACHED"),
  kernel("opening the inmate's environment", `(exec 3</proc/$INMATE/environ) 2>/dev/null && echo REACHED`),
  kernel(
    "reading the inmate's memory (`process_vm_readv`)",
    perlCommand(`my $room = "\\0" x 64; my $piece = pack("PQ", $room, 8);
        passed(syscall(nr("process_vm_readv"), int($ENV{INMATE}), $piece, 1, $piece, 1, 0))`),
    "process_vm_readv",
  ),
  kernel(
    "writing the inmate's memory (`process_vm_writev`)",
    perlCommand(`passed(syscall(nr("process_vm_writev"), int($ENV{INMATE}), 0, 0, 0, 0, 0))`),
    "process_vm_writev",
  ),
  kernel(
    "duplicating an open file of the inmate (`pidfd_getfd`)",
    perlCommand(`my $process = syscall(nr("pidfd_open"), int($ENV{INMATE}), 0);
        passed(syscall(nr("pidfd_getfd"), $process, 0, 0)) if $process >= 0`),
    ...(["pidfd_open", "pidfd_getfd"] as const),
  ),
  callEscape("tracing a child process", "ptrace", "0, 0, 0, 0"),
  callEscape("comparing processes (`kcmp`)", "kcmp", "$$, $$, 0, 0, 0"),
  callEscape("moving memory pages (`move_pages`)", "move_pages", "0, 0, 0, 0, 0, 0"),

  kernel("creating a user namespace (`unshare` program)", "unshare -U true 2>/dev/null && echo REACHED"),
  kernel(
    "creating a user namespace (`clone3`)",
    perlCommand(`my $how = pack("Q11", 0x10000000, (0) x 3, 17, (0) x 6); my $child = syscall(nr("clone3"), $how, 88);
      if ($child == 0) { exit 0 } passed($child)`),
    "clone3",
  ),
  callEscape("creating a user namespace (`unshare` call)", "unshare", "0x10000000"),
  kernel(
    "joining a namespace (`setns`)",
    perlCommand(`open(my $file, "<", "/proc/self/ns/uts") or exit 1; passed(syscall(nr("setns"), fileno($file), 0))`),
    "setns",
  ),
  kernel("changing the root (`chroot`)", perlCommand(`my $at = "."; passed(syscall(nr("chroot"), $at))`), "chroot"),
  kernel(
    "mounting a file system (`mount`)",
    perlCommand(`mkdir "mount"; my ($kind, $at) = ("tmpfs", "mount");
      my $mounted = syscall(nr("mount"), $kind, $at, $kind, 0, 0);
      syscall(nr("umount2"), $at, 2) if $mounted == 0; rmdir "mount"; passed($mounted)`),
    ...(["mount", "umount2"] as const),
  ),
  kernel(
    "unmounting a file system (`umount2`)",
    perlCommand(`my $at = "."; passed(syscall(nr("umount2"), $at, 2))`),
    "umount2",
  ),
  callEscape("changing the root mount (`pivot_root`)", "pivot_root", "$room, $room"),
  kernel(
    "mounting a file system (`fsopen`)",
    perlCommand(`my $kind = "tmpfs"; passed(syscall(nr("fsopen"), $kind, 0))`),
    "fsopen",
  ),
  kernel(
    "copying a mount (`open_tree`)",
    perlCommand(`my $at = "/usr"; passed(syscall(nr("open_tree"), -100, $at, 1))`),
    "open_tree",
  ),
  callEscape("moving a mount (`move_mount`)", "move_mount", "-1, $room, -1, $room, 0"),
  callEscape("changing the options of a mount (`mount_setattr`)", "mount_setattr", "-1, $room, 0x1000, $room, 32"),

  callEscape("io_uring", "io_uring_setup", "4, $room"),
  callEscape("reading the session keyring (`keyctl`)", "keyctl", "0, -3, 0, 0, 0"),
  kernel(
    "adding a key (`add_key`)",
    perlCommand(
      `my ($kind, $name, $text) = ("user", "hearth", "x"); passed(syscall(nr("add_key"), $kind, $name, $text, 1, -2))`,
    ),
    "add_key",
  ),
  kernel(
    "requesting a key (`request_key`)",
    perlCommand(`my ($kind, $name) = ("user", "hearth"); passed(syscall(nr("request_key"), $kind, $name, 0, 0))`),
    "request_key",
  ),
  callEscape("BPF programs", "bpf", "0, $room, 64"),
  callEscape("performance counters (`perf_event_open`)", "perf_event_open", "$room, 0, -1, -1, 0"),
  callEscape("handling page faults (`userfaultfd`)", "userfaultfd", "1"),
  callEscape("watching all files (`fanotify`)", "fanotify_init", "0, 0"),
  callEscape("turning address randomization off (`personality`)", "personality", "0x40000"),
  callEscape("changing segment descriptors (`modify_ldt`)", "modify_ldt", "0, $room, 16"),
  callEscape("I/O ports (`iopl`)", "iopl", "0"),
  callEscape("loading a kernel module (`init_module`)", "init_module", "0, 0, 0"),
  callEscape("loading a kernel module (`finit_module`)", "finit_module", "-1, 0, 0"),
  callEscape("unloading a kernel module", "delete_module", "0, 0"),
  callEscape("loading another kernel (`kexec_load`)", "kexec_load", "0, 17, 0, 0"),
  callEscape("restarting the machine", "reboot", "0, 0, 0, 0"),
  callEscape("adding swap space", "swapon", "0, 0"),
  callEscape("process accounting (`acct`)", "acct", "1"),
  callEscape("disk quotas (`quotactl`)", "quotactl", "0xffffff, 0, 0, 0"),
  callEscape("reading the kernel's log (`syslog`)", "syslog", "10, 0, 0"),
  callEscape("setting the clock", "clock_settime", "0, 0"),
  callEscape("adjusting the clock's rate", "clock_adjtime", "99, 0"),
  callEscape("setting the host name", "sethostname", "0, 1"),
  kernel(
    "typing into a terminal (`TIOCSTI`)",
    perlCommand(
      `open(my $terminal, "+<", "/dev/null") or exit 1; my $key = "x"; passed(syscall(nr("ioctl"), fileno($terminal), 0x5412, $key))`,
    ),
    "ioctl",
  ),
  kernel(
    "typing into a console (`TIOCLINUX`)",
    perlCommand(
      `open(my $terminal, "+<", "/dev/null") or exit 1; my $key = "x"; passed(syscall(nr("ioctl"), fileno($terminal), 0x541c, $key))`,
    ),
    "ioctl",
  ),
  kernel(
    "making a program setuid (`chmod`)",
    "cp /bin/true lent; chmod 4755 lent 2>/dev/null; [ -u lent ] && echo REACHED; rm -f lent",
  ),
  kernel(
    "creating a setuid program",
    perlCommand(`umask 0; sysopen(my $file, "lent", 0x41, 04755); reached() if -u "lent"`) + "; rm -f lent",
  ),
  kernel("becoming root with `su`", `su -c true root </dev/null >/dev/null 2>&1 && echo REACHED`),
];
