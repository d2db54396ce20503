/** The memory of a house that has no index. It finds nothing, and reports why. */
import type { MemoryBackend } from "@hearth/protocol";
import type { MemoryParts } from "./backend.ts";

const emptyBackend: MemoryBackend = {
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  recall: () => Promise.resolve({ hits: [], mode: "none", rebuilding: false }),
  status: () => Promise.resolve({ files: 0, chunks: 0, vectors: 0, leftOut: [], catchingUp: false, rebuilding: false }),
  reindex: () => Promise.resolve(),
  whenIndexed: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

export const noMemory: MemoryParts = {
  open: () => Promise.resolve(emptyBackend),
  openWordSearch: () => Promise.resolve(emptyBackend),
  idleMs: 0,
  topK: 0,
  tuning: {},
};
