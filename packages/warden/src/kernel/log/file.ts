/** Lines in a file that makes room for itself. One that the disk does not take goes to the standard error. */
import type { Sink, SinkOptions } from "./sink.ts";
import { createStderrSink } from "./stderr.ts";

/** With the old ones beside it the diary takes four times this much of the disk, and no more. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const OLD_FILES = 3;

export const createFileSink = ({ disk, stderr }: SinkOptions): Sink => {
  const otherwise = createStderrSink({ stderr });
  const encoder = new TextEncoder();
  /** Asked for with the first line, so that it costs the start nothing. */
  let sizeBytes: number | undefined;
  /** A disk that fills up may have taken the beginning of a line: the next one that it takes must not go on there. */
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
        otherwise.write(line);
      }
    },
  };
};
