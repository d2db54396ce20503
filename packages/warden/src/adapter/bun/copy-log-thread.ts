/** A thread that copies the write-ahead log of a database to its file. It receives the path. */
import { Database } from "bun:sqlite";

declare const self: Worker;

self.onmessage = ({ data: path }: MessageEvent<string>): void => {
  const database = new Database(path, { readwrite: true });
  try {
    database.run("pragma wal_checkpoint(passive)");
  } finally {
    database.close(true);
  }
  self.postMessage("done");
};
