import { describe, expect, test } from "bun:test";
import { createSeccompFilter, type SeccompOptions } from "./seccomp.ts";
import { type CallTable, machines } from "./system-calls.ts";

/**
 * Evaluates a call under a filter as the kernel does: `allow`, `kill`, or the number of the error.
 */
const judge = (filter: Uint8Array, arch: number, number: number, values: readonly number[] = []): string | number => {
  const data = new DataView(new ArrayBuffer(64));
  data.setInt32(0, number, true);
  data.setUint32(4, arch, true);
  values.forEach((value, index) => data.setBigUint64(16 + 8 * index, BigInt(value), true));
  const program = new DataView(filter.buffer);
  let held = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const code = program.getUint16(at, true);
    const value = program.getUint32(at + 4, true);
    const skip = (holds: boolean): void => void (at += 8 * program.getUint8(at + (holds ? 2 : 3)));
    if (code === 0x20) held = data.getUint32(value, true);
    else if (code === 0x15) skip(held === value);
    else if (code === 0x35) skip(held >= value);
    else if (code === 0x45) skip((held & value) !== 0);
    else if (code === 0x06 && value === 0x7fff0000) return "allow";
    else if (code === 0x06 && value === 0x80000000) return "kill";
    else if (code === 0x06) return value & 0xffff;
    else throw new Error(`the kernel knows no instruction ${code}`);
  }
  throw new Error("the filter has no end");
};

const EPERM = 1;
const ENOSYS = 38;
const EPROTONOSUPPORT = 93;
const EAFNOSUPPORT = 97;

describe.each(["x64", "arm64"] as const)("on %s", (machine) => {
  const { audit, calls } = machines[machine];
  const ask = (name: keyof CallTable, values: readonly number[] = [], world: SeccompOptions["world"] = "own") =>
    judge(createSeccompFilter({ machine, world }), audit, calls[name] ?? -1, values);

  const INMATE = 2;
  const guarded = createSeccompFilter({ machine, world: "own", inmate: INMATE });
  const STOP = 19;
  const CONT = 18;
  test.each([
    ["the inmate", "kill", [INMATE, STOP], EPERM],
    ["its process group", "kill", [2 ** 32 - INMATE, STOP], EPERM],
    ["everybody", "kill", [2 ** 32 - 1, STOP], EPERM],
    ["the inmate, to end it", "kill", [INMATE, 9], EPERM],
    ["a thread of the inmate", "tgkill", [INMATE, 7, STOP], EPERM],
    ["any thread by its number", "tkill", [7, STOP], EPERM],
    ["the inmate, with a value", "rt_sigqueueinfo", [INMATE, STOP], EPERM],
    ["a thread of the inmate, with a value", "rt_tgsigqueueinfo", [INMATE, 7, STOP], EPERM],
    ["any process by a handle", "pidfd_send_signal", [5, STOP], ENOSYS],
    ["a process of choice when a file is ready", "fcntl", [0, 10, STOP], EPERM],
    ["another command", "kill", [44, STOP], "allow"],
    ["its own group", "kill", [0, STOP], "allow"],
    ["its own thread", "tgkill", [44, 45, STOP], "allow"],
    ["the inmate's own threads, to collect garbage", "tgkill", [INMATE, 7, 10], "allow"],
    ["the inmate, to continue", "kill", [INMATE, CONT], "allow"],
  ] as const)("a signal to %s: %s(%j) → %p", (_whom, call, values, verdict) => {
    expect(judge(guarded, audit, calls[call] ?? -1, values)).toBe(verdict);
  });

  test.each(["prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"] as const)(
    "%s works on the process itself alone, in every world",
    (call) => {
      for (const world of ["own", "host"] as const) {
        expect(ask(call, [0], world)).toBe("allow");
        expect(ask(call, [INMATE], world)).toBe(EPERM);
      }
    },
  );

  test.each([
    ["ptrace", EPERM],
    ["process_vm_readv", EPERM],
    ["process_vm_writev", EPERM],
    ["pidfd_getfd", EPERM],
    ["mount", EPERM],
    ["umount2", EPERM],
    ["move_mount", EPERM],
    ["mount_setattr", EPERM],
    ["fsopen", EPERM],
    ["unshare", EPERM],
    ["setns", EPERM],
    ["clone3", ENOSYS],
    ["openat2", ENOSYS],
    ["open_by_handle_at", EPERM],
    ["bpf", EPERM],
    ["perf_event_open", EPERM],
    ["userfaultfd", EPERM],
    ["io_uring_setup", EPERM],
    ["keyctl", EPERM],
    ["add_key", EPERM],
    ["request_key", EPERM],
    ["kexec_load", EPERM],
    ["finit_module", EPERM],
    ["reboot", EPERM],
    ["syslog", EPERM],
    ["settimeofday", EPERM],
  ] as const)("%s is refused with any arguments", (name, error) => {
    expect([ask(name), ask(name, [1, 2, 3, 4, 5, 6])]).toEqual([error, error]);
  });

  test.each([
    ["a thread", "clone", [0x3d0f00], "allow"],
    ["a child", "clone", [0x01200011], "allow"],
    ["a user namespace", "clone", [0x10000011], EPERM],
    ["a mount namespace", "clone", [0x00020011], EPERM],
    ["a network namespace", "clone", [0x40000011], EPERM],
    ["the size of a terminal", "ioctl", [0, 0x5413], "allow"],
    ["typing into a terminal", "ioctl", [0, 0x5412], EPERM],
    ["typing into a terminal, with the upper half of the argument set", "ioctl", [0, 0x1_0000_5412], EPERM],
    ["typing into a console", "ioctl", [0, 0x541c], EPERM],
    ["a local socket", "socket", [1, 1, 0], "allow"],
    ["TCP", "socket", [2, 1, 6], "allow"],
    ["TCP of IPv6", "socket", [10, 0x80001, 0], "allow"],
    ["SCTP", "socket", [2, 1, 132], EPROTONOSUPPORT],
    ["MPTCP", "socket", [10, 1, 262], EPROTONOSUPPORT],
    ["ICMP", "socket", [2, 2, 1], EPROTONOSUPPORT],
    ["netlink", "socket", [16, 3, 0], EAFNOSUPPORT],
    ["packet sockets", "socket", [17, 3, 768], EAFNOSUPPORT],
    ["the kernel's crypto API", "socket", [38, 5, 0], EAFNOSUPPORT],
    ["vsock", "socket", [40, 1, 0], EAFNOSUPPORT],
    ["a socket pair", "socketpair", [1, 1, 0], "allow"],
    ["a TIPC socket pair", "socketpair", [30, 1, 0], EAFNOSUPPORT],
    ["a plain mode", "fchmodat", [0, 0, 0o755], "allow"],
    ["setuid", "fchmodat", [0, 0, 0o4755], EPERM],
    ["setgid", "fchmod", [0, 0o2755], EPERM],
    ["setuid by the newer call", "fchmodat2", [0, 0, 0o4755, 0], EPERM],
    ["a new setuid file", "openat", [0, 0, 0x41, 0o4755], EPERM],
    ["a nameless setuid file", "openat", [0, 0, 0x410002, 0o4755], EPERM],
    ["an existing file, with an ignored mode argument", "openat", [0, 0, 0, 0o4755], "allow"],
    ["a new plain file", "openat", [0, 0, 0x41, 0o644], "allow"],
    ["a setuid node", "mknodat", [0, 0, 0o104755], EPERM],
    ["reading the personality", "personality", [0xffffffff], "allow"],
    ["turning address randomization off", "personality", [0x40000], EPERM],
  ] as const)("%s: %s %p is %p", (_, name, values, verdict) => {
    expect(ask(name, values)).toBe(verdict);
  });

  test.each([
    ["a local socket, which could connect to sockets of the host by name", "socket", [1, 1, 0], EAFNOSUPPORT],
    ["TCP", "socket", [2, 1, 0], EAFNOSUPPORT],
    ["UDP of IPv6", "socket", [10, 2, 17], EAFNOSUPPORT],
    ["a stream socket pair", "socketpair", [1, 0x80801, 0], "allow"],
    ["a packet socket pair", "socketpair", [1, 5, 0], "allow"],
    ["a datagram socket pair, which can be redirected", "socketpair", [1, 2, 0], EAFNOSUPPORT],
    ["an IP socket pair", "socketpair", [2, 1, 0], EAFNOSUPPORT],
    ["one's own limits", "prlimit64", [0, 7], "allow"],
    ["another process's limits", "prlimit64", [1, 7], EPERM],
    ["one's own limits, by the old call", "setrlimit", [7], "allow"],
    ["one's own priority", "setpriority", [0, 0, 5], "allow"],
    ["another process's priority", "setpriority", [0, 1, 5], EPERM],
    ["the priority of all that the user runs", "setpriority", [2, 0, 5], EPERM],
    ["one's own way to the disk", "ioprio_set", [1, 0, 0], "allow"],
    ["the way to the disk of all that the user runs", "ioprio_set", [3, 0, 0], EPERM],
    ["another process's processors", "sched_setaffinity", [1], EPERM],
    ["memory that others share", "shmget", [], EPERM],
    ["a queue that others read", "mq_open", [], EPERM],
    ["a watch on a folder", "inotify_add_watch", [], EPERM],
    ["a file's mode is passed over", "fchmodat", [0, 0, 0o777], 0],
    ["setuid", "fchmodat", [0, 0, 0o4755], EPERM],
    ["a file's owner is passed over", "fchownat", [], 0],
    ["a file's times are passed over", "utimensat", [], 0],
    ["a file's attributes", "setxattr", [], EPERM],
  ] as const)("among the host's, %s: %s %p is %p", (_, name, values, verdict) => {
    expect(ask(name, values, "host")).toBe(verdict);
  });

  test("calls without a rule are allowed, except those newer than the list", () => {
    const filter = createSeccompFilter({ machine, world: "own" });
    const known = new Set<number | undefined>(Object.values(calls));
    for (let number = 0; number < 457; number += 1)
      if (!known.has(number)) expect(judge(filter, audit, number)).toBe("allow");
    for (const number of [457, 462, 999, 0x40000000, 0x40000000 + 59, 0xffffffff])
      expect(judge(filter, audit, number)).toBe(ENOSYS);
  });

  test("a call in the numbering of another machine ends the process", () => {
    const filter = createSeccompFilter({ machine, world: "own" });
    for (const other of [0x40000003, 0x40000028, machine === "x64" ? 0xc00000b7 : 0xc000003e])
      expect(judge(filter, other, 1)).toBe("kill");
  });
});

test("both machines refuse the same calls, except calls that only one has", () => {
  const only = (a: CallTable, b: CallTable) => Object.keys(a).filter((name) => !(name in b));
  expect(only(machines.arm64.calls, machines.x64.calls)).toEqual([]);
  expect(only(machines.x64.calls, machines.arm64.calls).sort()).toEqual(
    [
      ...["chmod", "chown", "creat", "futimesat", "ioperm", "iopl", "lchown", "mknod", "modify_ldt", "open", "sysfs"],
      ...["uselib", "ustat", "utime", "utimes"],
    ].sort(),
  );
});

test("the old mode calls of x64 are treated like the new ones", () => {
  const filter = createSeccompFilter({ machine: "x64", world: "own" });
  const ask = (number: number, ...values: number[]) => judge(filter, 0xc000003e, number, values);
  expect([
    ask(90, 0, 0o4755),
    ask(90, 0, 0o755),
    ask(85, 0, 0o6755),
    ask(2, 0, 0x41, 0o4755),
    ask(2, 0, 0, 0o4755),
  ]).toEqual([EPERM, "allow", EPERM, EPERM, "allow"]);
});
