/**
 * Blocks commands, which run as the inmate's user, from reading its memory and its link. Linux
 * only.
 */

const PR_SET_DUMPABLE = 4;

/**
 * Enables the protection. Throws if the kernel refuses, because a cell that promises it must not
 * start without it.
 */
export const protectOwnMemory = async (): Promise<void> => {
  const { dlopen, FFIType } = await import("bun:ffi");
  const declarations = {
    prctl: { args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64], returns: FFIType.i32 },
  } as const;
  const open = () => {
    try {
      return dlopen("libc.so.6", declarations);
    } catch {
      return dlopen(`libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`, declarations);
    }
  };
  if (open().symbols.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) !== 0)
    throw new Error("Cannot protect the inmate's memory from its commands: prctl(PR_SET_DUMPABLE) failed");
};
