/** Drops all lines. */
import type { Sink } from "./sink.ts";

export const createNoopSink = (): Sink => ({ write: () => {} });
