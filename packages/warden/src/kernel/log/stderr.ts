/** Writes lines to standard error. */
import type { Sink } from "./sink.ts";

export const createStderrSink = ({ stderr }: { readonly stderr: (text: string) => void }): Sink => ({
  write(line) {
    try {
      stderr(`${line}\n`);
    } catch {
      // The reader of standard error has gone.
    }
  },
});
