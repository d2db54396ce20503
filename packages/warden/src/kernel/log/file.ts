/** Writes lines to a rotating file. A line that the disk does not accept goes to standard error. */
import type { Sink, SinkOptions } from "./sink.ts";
import { createStderrSink } from "./stderr.ts";

/**
 * Maximum size of the current file. With the old files, the log takes at most four times this size.
 */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const OLD_FILES = 3;

export const createFileSink = ({ disk, stderr }: SinkOptions): Sink => {
  const fallback = createStderrSink({ stderr });
  const encoder = new TextEncoder();
  /** The size of the current file. It is read with the first line, to keep the start fast. */
  let sizeBytes: number | undefined;
  /** Whether a full disk took only a part of a line. The next write then starts with a line end. */
  let isTorn = false;
  return {
    write(line) {
      try {
        const text = `${isTorn ? "\n" : ""}${line}\n`;
        const textBytes = encoder.encode(text).length;
        sizeBytes ??= disk.sizeBytes();
        if (sizeBytes > 0 && sizeBytes + textBytes > MAX_FILE_BYTES) {
          disk.rotate(OLD_FILES);
          sizeBytes = 0;
        }
        disk.append(text);
        sizeBytes += textBytes;
        isTorn = false;
      } catch {
        isTorn = true;
        sizeBytes = undefined;
        fallback.write(line);
      }
    },
  };
};
