/** A port of the machine as a byte pipe: one program has it open, the host has the other end. */
import { openSync, read, readSync, write, writeSync } from "node:fs";
import type { BytePipe } from "@hearth/protocol";

const READ_SIZE = 64 * 1024;

export interface Port extends BytePipe {
  /**
   * Reads this many bytes synchronously, before `bytes` or writing is used. The program blocks,
   * because this is the fastest way to start a cell.
   */
  take(length: number): Uint8Array;
  /** Blocks in the same way for the first bytes of `bytes`. */
  wake(): void;
  say(bytes: Uint8Array): void;
}

/** Uses synchronous system calls: code that runs for the first time in a cell delays its start. */
export const openPort = (path: string): Port => {
  const fd = openSync(path, "r+");
  const buffer = new Uint8Array(READ_SIZE);
  const next = (): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      read(fd, buffer, 0, READ_SIZE, null, (error, count) =>
        error === null ? resolve(buffer.slice(0, count)) : reject(error),
      );
    });
  const put = (bytes: Uint8Array): Promise<number> =>
    new Promise((resolve, reject) => {
      write(fd, bytes, 0, bytes.length, null, (error, count) => (error === null ? resolve(count) : reject(error)));
    });
  let first: Uint8Array | undefined;
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    if (first !== undefined) yield first;
    for (let bytes = await next(); bytes.length > 0; bytes = await next()) yield bytes;
  };
  let hasWritten = false;
  let written: Promise<void> = Promise.resolve();
  return {
    take(length) {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length;) {
        const count = readSync(fd, bytes, at, length - at, null);
        if (count === 0) throw new Error("the port has ended");
        at += count;
      }
      return bytes;
    },
    wake() {
      first = buffer.slice(0, readSync(fd, buffer, 0, READ_SIZE, null));
    },
    say: (bytes) => {
      writeSync(fd, bytes);
    },
    bytes: stream(),
    write(bytes) {
      if (!hasWritten) {
        // The first write, which fits, completes before any other code runs.
        hasWritten = true;
        for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes.subarray(at));
        return;
      }
      written = written.then(async () => {
        for (let at = 0; at < bytes.length;) at += await put(bytes.subarray(at));
      });
      return written;
    },
    // The host ignores the closing of a port: the machine ends, and the port with it.
    close: () => undefined,
  };
};
