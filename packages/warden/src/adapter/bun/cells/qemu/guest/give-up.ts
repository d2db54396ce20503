/**
 * What the inmate of a machine gives up, for itself and all that it starts, before it knows whose it will be: parts of the kernel that a cell has
 * no use for, and its own memory to others. The kernel is the machine's own, but whoever breaks it is root there, and with root the copy of the
 * brain. Throws where the kernel refuses.
 */
import { dlopen, ptr } from "bun:ffi";
import { createSeccompFilter } from "../../../../../cells/seccomp.ts";

const PR_SET_DUMPABLE = 4;
const SECCOMP = 317;
const SECCOMP_SET_MODE_FILTER = 1;
/** All threads of the process: whichever of them starts a command. */
const SECCOMP_FILTER_FLAG_TSYNC = 1;

export const giveUp = (): void => {
  const { symbols } = dlopen("libc.so.6", {
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    syscall: { args: ["i64", "u64", "u64", "ptr"], returns: "i64" },
  });
  const code = createSeccompFilter({ machine: "x64", world: "own" });
  const filter = new DataView(new ArrayBuffer(16));
  filter.setUint16(0, code.length / 8, true);
  filter.setBigUint64(8, BigInt(ptr(code)), true);
  if (symbols.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) !== 0) throw new Error("its memory could not be closed");
  // A thread that could not follow is told of by its number.
  const refused = symbols.syscall(SECCOMP, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, ptr(filter));
  if (Number(refused) !== 0) throw new Error("the filter of system calls was refused");
};
