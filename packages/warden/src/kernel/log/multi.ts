/** Every line to several sinks at once. */
import type { Sink } from "./sink.ts";

export const createMultiSink = (sinks: readonly Sink[]): Sink => ({
  write(line) {
    for (const sink of sinks) sink.write(line);
  },
});
