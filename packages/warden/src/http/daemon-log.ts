/** Reads the last lines of the daemon's log for a person. */
import { type LogLine, LogLevel, logLevels, type LogQuery, type LogReport } from "@hearth/protocol";

/** At most this much of the log is read for one request. */
const MAX_READ_BYTES = 1024 * 1024;

export interface DaemonLogOptions {
  /** Reads the end of the log file. Absent: the house has no log file. */
  readonly tail?: (maxBytes: number) => Promise<string>;
  /** Whether the house writes the file. */
  readonly isWritten: boolean;
  readonly query: LogQuery;
}

export const readDaemonLog = async ({ tail, isWritten, query }: DaemonLogOptions): Promise<LogReport> => {
  if (tail === undefined) return { lines: [], isWritten: false };
  const minLevelIndex = logLevels.indexOf(query.level);
  const texts = (await tail(MAX_READ_BYTES)).split("\n");
  const lines: LogLine[] = [];
  for (let index = texts.length - 1; index >= 0 && lines.length < query.limit; index -= 1) {
    const line = parseLine(texts[index] ?? "");
    if (line !== undefined && logLevels.indexOf(line.level) >= minLevelIndex) lines.push(line);
  }
  return { lines: lines.reverse(), isWritten };
};

/** Returns undefined for a line that a full disk cut off. */
const parseLine = (text: string): LogLine | undefined => {
  if (text === "") return undefined;
  try {
    const { at, level, message, ...fields } = JSON.parse(text);
    const time = Date.parse(String(at));
    const parsedLevel = LogLevel.safeParse(level);
    if (!parsedLevel.success || Number.isNaN(time) || typeof message !== "string") return undefined;
    return { at: time, level: parsedLevel.data, message, fields };
  } catch {
    return undefined;
  }
};
