/** An in-memory disk that tests can fill, break and inspect. */
import type { LogDisk } from "./sink.ts";

export interface FakeDisk extends LogDisk {
  /** The current file, then the old ones, newest first. */
  readonly files: string[];
  /** If set, an append accepts this much and then throws. */
  full: { readonly acceptedLength: number } | undefined;
}

export const createFakeDisk = (): FakeDisk => {
  const disk: FakeDisk = {
    files: [],
    full: undefined,
    sizeBytes: () => new TextEncoder().encode(disk.files[0] ?? "").length,
    append(text) {
      const acceptedText = disk.full === undefined ? text : text.slice(0, disk.full.acceptedLength);
      disk.files[0] = (disk.files[0] ?? "") + acceptedText;
      if (disk.full !== undefined) throw new Error("no space left on device");
    },
    rotate(count) {
      if (disk.full !== undefined) throw new Error("no space left on device");
      disk.files.unshift("");
      disk.files.splice(count + 1);
    },
  };
  return disk;
};
