/** An in-memory disk that tests can fill, break and inspect. */
import type { LogDisk } from "./sink.ts";

export interface FakeDisk extends LogDisk {
  /** The current file, then the old ones, newest first. */
  readonly files: string[];
  /** If set, an append accepts this much and then throws. */
  full: { readonly acceptedLength: number } | undefined;
}

export const createFakeDisk = (): FakeDisk => {
  const self: FakeDisk = {
    files: [],
    full: undefined,
    sizeBytes: () => new TextEncoder().encode(self.files[0] ?? "").length,
    append(text) {
      const written = self.full === undefined ? text : text.slice(0, self.full.acceptedLength);
      self.files[0] = (self.files[0] ?? "") + written;
      if (self.full !== undefined) throw new Error("no space left on device");
    },
    rotate(count) {
      if (self.full !== undefined) throw new Error("no space left on device");
      self.files.unshift("");
      self.files.splice(count + 1);
    },
  };
  return self;
};
