/** Writes lines to standard error. */
import type { Sink, SinkOptions } from "./sink.ts";

export const createStderrSink = ({ stderr }: Pick<SinkOptions, "stderr">): Sink => ({
  write(line) {
    try {
      stderr(`${line}\n`);
    } catch {
      // The reader of standard error has gone.
    }
  },
});
