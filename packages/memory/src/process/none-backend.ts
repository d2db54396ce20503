/** The backend for a house without memory: stores nothing and finds nothing. */
import type { MemoryBackend } from "@hearth/protocol";

export const createNoneBackend = (): MemoryBackend => ({
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  recall: () => Promise.resolve({ hits: [], mode: "none", rebuilding: false }),
  status: () => Promise.resolve({ files: 0, chunks: 0, vectors: 0, leftOut: [], catchingUp: false, rebuilding: false }),
  reindex: () => Promise.resolve(),
  settled: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
