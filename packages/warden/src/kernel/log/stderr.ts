/** Lines on the standard error of the process, for whatever started it to keep. */
import type { Sink, SinkOptions } from "./sink.ts";

export const createStderrSink = ({ stderr }: Pick<SinkOptions, "stderr">): Sink => ({
  write(line) {
    try {
      stderr(`${line}\n`);
    } catch {
      // Whoever read it has gone.
    }
  },
});
