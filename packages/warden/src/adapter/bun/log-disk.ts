/** The daemon's log file and its rotated files: `hearth.log`, `hearth.log.1`, `hearth.log.2` … */
import { appendFileSync, renameSync, statSync } from "node:fs";
import type { LogDisk } from "../../kernel/log/sink.ts";

export const createBunLogDisk = (path: string): LogDisk => {
  const nameOf = (age: number): string => (age === 0 ? path : `${path}.${age}`);
  return {
    sizeBytes: () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    append: (text) => appendFileSync(path, text, { mode: 0o600 }),
    rotate(count) {
      // The oldest file is overwritten by the one before it.
      for (let age = count - 1; age >= 0; age -= 1) {
        if (statSync(nameOf(age), { throwIfNoEntry: false }) !== undefined) renameSync(nameOf(age), nameOf(age + 1));
      }
    },
  };
};
