/**
 * The daemon's log: one JSON object per line. It never contains message text, keys or the queries
 * of URLs.
 */
import { type LogLevel, logLevels } from "@hearth/protocol";
import type { Sink } from "./sink.ts";

export interface Log {
  write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface LogOptions {
  readonly now: () => number;
  /** Entries below this level are dropped. */
  readonly level: LogLevel;
  readonly sink: Sink;
  /** Removes secrets from a line. Absent if lines are not changed. */
  readonly redact?: (line: string) => string;
}

const toPlainValue = (value: unknown): unknown =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, ...("code" in value ? { code: value.code } : {}) }
    : value;

export const createLog = (options: LogOptions): Log => {
  const minLevelIndex = logLevels.indexOf(options.level);
  return {
    write(level, message, fields = {}) {
      if (logLevels.indexOf(level) < minLevelIndex) return;
      const plainFields = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, toPlainValue(value)]));
      const line = JSON.stringify({ at: new Date(options.now()).toISOString(), level, message, ...plainFields });
      options.sink.write(options.redact?.(line) ?? line);
    },
  };
};

/** Creates a log that collects its lines for a test. */
export const createFakeLog = (): Log & { readonly lines: readonly string[] } => {
  const lines: string[] = [];
  return { ...createLog({ now: () => 0, level: "debug", sink: { write: (line) => void lines.push(line) } }), lines };
};
