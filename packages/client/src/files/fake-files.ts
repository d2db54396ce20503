/** A file shelf for tests without files. */
import type { OutboxOptions } from "../outbox.ts";

export const noFiles: OutboxOptions["files"] = {
  upload: () => Promise.reject(new Error("there are no files")),
  done: () => {},
  drop: () => {},
};
