/**
 * The parts of memory that need Bun, files or processes. `process.ts` is the entry of the memory
 * process.
 */
export { createMiniLm } from "./minilm.ts";
export { openSqliteIndex, type SqliteIndexOptions } from "./sqlite-index.ts";
export { type MemoryProcessOptions, startMemoryProcess } from "./memory-process.ts";
