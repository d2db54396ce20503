/** Keeps the commands that an inmate runs out of its memory and its link, although they run as the same user. Linux only. */

const PR_SET_DUMPABLE = 4;

/** Throws when the kernel refuses: a cell that promises this does not start without it. */
export const closeOwnMemory = async (): Promise<void> => {
  const { dlopen, FFIType } = await import("bun:ffi");
  const declared = {
    prctl: { args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64], returns: FFIType.i32 },
  } as const;
  const open = () => {
    try {
      return dlopen("libc.so.6", declared);
    } catch {
      return dlopen(`libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`, declared);
    }
  };
  if (open().symbols.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) !== 0) throw new Error("its memory could not be closed");
};
