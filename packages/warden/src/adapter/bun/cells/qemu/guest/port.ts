/** A port of the machine as a pipe of bytes: one program has it open, the other end is on the host. */
import { openSync, read, readSync, write, writeSync } from "node:fs";
import type { BytePipe } from "@hearth/protocol";

const READ_SIZE = 64 * 1024;

export interface Port extends BytePipe {
  /**
   * So many bytes, before anyone reads `bytes`, and a few before anyone writes. The whole program waits for them: a cell is made by whoever wakes on
   * the shortest way.
   */
  take(length: number): Uint8Array;
  /** Waits in the same way for the first of what `bytes` will give. */
  wake(): void;
  say(bytes: Uint8Array): void;
}

/** By the plainest calls there are: whatever runs in a cell for the first time is paid for at its start. */
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
        // The first word, which fits, is out before anything else runs.
        hasWritten = true;
        for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes.subarray(at));
        return;
      }
      written = written.then(async () => {
        for (let at = 0; at < bytes.length;) at += await put(bytes.subarray(at));
      });
      return written;
    },
    // Another program's end of a port means nothing to the host: the machine ends, and the port with it.
    close: () => undefined,
  };
};
