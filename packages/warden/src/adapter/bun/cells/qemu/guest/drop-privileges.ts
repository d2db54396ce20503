/**
 * Drops privileges of the inmate in a virtual machine and of the programs that it will start, before
 * the machine becomes a cell: system calls that they do not need, and access of other processes to
 * their memory. An exploit of the machine's kernel would give root in the machine, and with it the
 * copy of the brain. Throws when the kernel refuses.
 */
import { dlopen, ptr } from "bun:ffi";
import { createSeccompFilter } from "../../../../../cells/seccomp.ts";

const PR_SET_DUMPABLE = 4;
const SECCOMP = 317;
const SECCOMP_SET_MODE_FILTER = 1;
/** Applies to all threads of the process, because any of them may start a command. */
const SECCOMP_FILTER_FLAG_TSYNC = 1;

export const dropPrivileges = (): void => {
  const { symbols } = dlopen("libc.so.6", {
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    syscall: { args: ["i64", "u64", "u64", "ptr"], returns: "i64" },
  });
  const code = createSeccompFilter({ machine: "x64", world: "own" });
  const filter = new DataView(new ArrayBuffer(16));
  filter.setUint16(0, code.length / 8, true);
  filter.setBigUint64(8, BigInt(ptr(code)), true);
  if (symbols.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) !== 0) throw new Error("could not protect the process's memory");
  // A positive result is the id of a thread that could not be included.
  const refused = symbols.syscall(SECCOMP, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, ptr(filter));
  if (Number(refused) !== 0) throw new Error("the kernel refused the seccomp filter");
};
