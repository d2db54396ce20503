/** For who wants no diary. */
import type { Sink } from "./sink.ts";

export const createNoopSink = (): Sink => ({ write: () => {} });
