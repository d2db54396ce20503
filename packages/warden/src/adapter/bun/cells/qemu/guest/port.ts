/** A port of the machine as a byte pipe. One program opens it, and the host has the other end. */
import { openSync, read, readSync, write, writeSync } from "node:fs";
import type { BytePipe } from "@hearth/protocol";

const READ_SIZE = 64 * 1024;

export interface Port extends BytePipe {
  /**
   * Reads this many bytes synchronously, before `bytes` or writing is used. The program blocks,
   * because this is the fastest way to start a cell.
   */
  take(length: number): Uint8Array;
  /** Waits for the first bytes of `bytes`, and blocks in the same way. */
  wake(): void;
  say(bytes: Uint8Array): void;
}

/**
 * Opens the port. It uses synchronous system calls, because code that runs for the first time in a
 * cell delays its start.
 */
export const openPort = (path: string): Port => {
  const fd = openSync(path, "r+");
  const buffer = new Uint8Array(READ_SIZE);
  const readNext = (): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      read(fd, buffer, 0, READ_SIZE, null, (error, count) =>
        error === null ? resolve(buffer.slice(0, count)) : reject(error),
      );
    });
  const writeSome = (bytes: Uint8Array): Promise<number> =>
    new Promise((resolve, reject) => {
      write(fd, bytes, 0, bytes.length, null, (error, count) => (error === null ? resolve(count) : reject(error)));
    });
  let firstBytes: Uint8Array | undefined;
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    if (firstBytes !== undefined) yield firstBytes;
    for (let bytes = await readNext(); bytes.length > 0; bytes = await readNext()) yield bytes;
  };
  let hasWritten = false;
  let lastWrite: Promise<void> = Promise.resolve();
  return {
    take(length) {
      const bytes = new Uint8Array(length);
      for (let readCount = 0; readCount < length;) {
        const count = readSync(fd, bytes, readCount, length - readCount, null);
        if (count === 0) throw new Error("the port has ended");
        readCount += count;
      }
      return bytes;
    },
    wake() {
      firstBytes = buffer.slice(0, readSync(fd, buffer, 0, READ_SIZE, null));
    },
    say: (bytes) => {
      writeSync(fd, bytes);
    },
    bytes: stream(),
    write(bytes) {
      if (!hasWritten) {
        // The first write, which fits, completes before any other code runs.
        hasWritten = true;
        for (let writtenCount = 0; writtenCount < bytes.length;)
          writtenCount += writeSync(fd, bytes.subarray(writtenCount));
        return;
      }
      lastWrite = lastWrite.then(async () => {
        for (let writtenCount = 0; writtenCount < bytes.length;)
          writtenCount += await writeSome(bytes.subarray(writtenCount));
      });
      return lastWrite;
    },
    // The host ignores the closing of a port: the machine ends, and the port with it.
    close: () => undefined,
  };
};
