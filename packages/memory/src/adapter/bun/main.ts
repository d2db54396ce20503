/** What of memory touches the machine. The process that it lives in is started by `process.ts`. */
export { createMiniLm, type MiniLmOptions } from "./minilm.ts";
export { openSqliteIndex, type SqliteIndexOptions } from "./sqlite-index.ts";
export { type MemoryProcessOptions, startMemoryProcess } from "./memory-process.ts";
