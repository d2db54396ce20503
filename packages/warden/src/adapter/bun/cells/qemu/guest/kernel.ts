/**
 * Kernel calls of the keeper that the platform has no functions for. Throws when the kernel
 * refuses.
 */
import { dlopen, ptr } from "bun:ffi";

const CLOCK_REALTIME = 0;
const RNDADDENTROPY = 0x40085203;
const RNDRESEEDCRNG = 0x5207;
const RLIMIT_FSIZE = 1;
const RLIMIT_NPROC = 6;

export interface Kernel {
  setClock(timeMs: number): void;
  /**
   * Reseeds the kernel's random numbers, so that they differ from those of machines with another
   * seed.
   */
  seed(bytes: Uint8Array): void;
  /** Applies to a process and to what it starts afterwards. */
  limit(pid: number, limits: { readonly processes: number; readonly fileBytes: number }): void;
}

export const openKernel = (): Kernel => {
  const { symbols } = dlopen("libc.so.6", {
    clock_settime: { args: ["i32", "ptr"], returns: "i32" },
    prlimit: { args: ["i32", "i32", "ptr", "ptr"], returns: "i32" },
    open: { args: ["ptr", "i32"], returns: "i32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
  });
  const check = (operation: string, result: number): void => {
    if (result < 0) throw new Error(`${operation} was refused`);
  };
  return {
    setClock(timeMs) {
      const time = new BigInt64Array([BigInt(Math.floor(timeMs / 1000)), BigInt(timeMs % 1000) * 1_000_000n]);
      check("clock_settime", symbols.clock_settime(CLOCK_REALTIME, ptr(time)));
    },
    seed(bytes) {
      const pool = new Uint8Array(8 + bytes.length);
      const head = new DataView(pool.buffer);
      head.setInt32(0, bytes.length * 8, true);
      head.setInt32(4, bytes.length, true);
      pool.set(bytes, 8);
      const fd = symbols.open(ptr(Buffer.from("/dev/random\0")), 2);
      check("open", fd);
      check("RNDADDENTROPY", symbols.ioctl(fd, RNDADDENTROPY, ptr(pool)));
      // Without this call, the kernel would use the seed only minutes later.
      check("RNDRESEEDCRNG", symbols.ioctl(fd, RNDRESEEDCRNG, null));
      symbols.close(fd);
    },
    limit(pid, { processes, fileBytes }) {
      for (const [resource, limit] of [[RLIMIT_NPROC, processes] as const, [RLIMIT_FSIZE, fileBytes] as const]) {
        const pair = new BigUint64Array([BigInt(limit), BigInt(limit)]);
        check("prlimit", symbols.prlimit(pid, resource, ptr(pair), null));
      }
    },
  };
};
