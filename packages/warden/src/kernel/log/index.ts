/** The table of sinks: its keys are the values of `[log] to`. */
import { createFileSink } from "./file.ts";
import type { Sink, SinkFactory, SinkOptions } from "./sink.ts";
import { createStderrSink } from "./stderr.ts";

export const sinks = { file: createFileSink, stderr: createStderrSink } as const satisfies Record<string, SinkFactory>;
export type SinkKind = keyof typeof sinks;

/** Creates a sink that drops all lines. */
export const createNoopSink = (): Sink => ({ write: () => {} });

/** Creates one sink of all named ones. An empty list gives a sink that drops all lines. */
export const createSink = (to: readonly SinkKind[], options: SinkOptions): Sink => {
  const [firstSink, ...otherSinks] = [...new Set(to)].map((kind) => sinks[kind](options));
  if (firstSink === undefined) return createNoopSink();
  return otherSinks.length === 0 ? firstSink : createMultiSink([firstSink, ...otherSinks]);
};

/** Creates a sink that writes every line to several sinks. */
const createMultiSink = (targets: readonly Sink[]): Sink => ({
  write(line) {
    for (const sink of targets) sink.write(line);
  },
});
