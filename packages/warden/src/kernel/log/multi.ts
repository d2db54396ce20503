/** Writes every line to several sinks. */
import type { Sink } from "./sink.ts";

export const createMultiSink = (sinks: readonly Sink[]): Sink => ({
  write(line) {
    for (const sink of sinks) sink.write(line);
  },
});
