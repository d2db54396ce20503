/** The daemon's own diary: one JSON object a line. Never holds message text, keys or URLs' queries. */

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface Log {
  write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

const describe = (value: unknown): unknown =>
  value instanceof Error
    ? { name: value.name, message: value.message, stack: value.stack, ...("code" in value ? { code: value.code } : {}) }
    : value;

export const createLog = (options: { readonly now: () => number; readonly line: (text: string) => void }): Log => ({
  write(level, message, fields = {}) {
    const plain = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, describe(value)]));
    options.line(JSON.stringify({ at: new Date(options.now()).toISOString(), level, message, ...plain }));
  },
});

/** Keeps lines for a test to look at. */
export const createFakeLog = (): Log & { readonly lines: readonly string[] } => {
  const lines: string[] = [];
  return { ...createLog({ now: () => 0, line: (text) => lines.push(text) }), lines };
};
