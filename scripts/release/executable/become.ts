/** Replaces this process with another program. */
import { dlopen, FFIType, ptr } from "bun:ffi";

const LIBRARIES = ["libc.so.6", "libSystem.B.dylib"];

/**
 * The C function, because `process.execve` closes the descriptors from 3 on, over which a house
 * holds its cells. Returns only by throwing.
 */
export const replaceProcess = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): never => {
  const variables = Object.entries(env).map(([name, value]) => text(`${name}=${value}`));
  const words = [program, ...args].map(text);
  const path = text(program);
  openLibrary().execve(ptr(path), ptr(listOf(words)), ptr(listOf(variables)));
  throw new Error(`Cannot start ${program}. Make the file executable, then try again.`);
};

const text = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`${value}\0`);

const listOf = (texts: readonly Uint8Array<ArrayBuffer>[]): BigUint64Array<ArrayBuffer> =>
  new BigUint64Array([...texts.map((each) => BigInt(ptr(each))), 0n]);

const openLibrary = () => {
  const declared = { execve: { args: [FFIType.ptr, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 } } as const;
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, declared).symbols;
    } catch {
      // This library is that of the other system.
    }
  }
  throw new Error("This system's C library is not supported. Hearth needs glibc on Linux.");
};
