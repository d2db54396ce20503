/** The log's lines in a file. A line that cannot be written, on a full disk say, goes to `otherwise`: a diary must not end the day. */
import { appendFileSync } from "node:fs";

export const createLogFile =
  (path: string, otherwise: (line: string) => void): ((line: string) => void) =>
  (line) => {
    try {
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      otherwise(line);
    }
  };
