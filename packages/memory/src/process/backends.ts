/** The table of memory backends. The keys are the values that the config allows. */
import type { MemoryBackend, MemorySource, World } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";
import { createMarkdownBackend } from "./markdown-backend.ts";
import type { MemoryProcess } from "./memory-client.ts";
import { createProcessBackend } from "./process-backend.ts";

export interface MemoryBackendOptions {
  readonly source: MemorySource;
  readonly hash: World["hash"];
  /** Starts the memory process. */
  readonly start: () => MemoryProcess;
  /** The process exits after this time without requests. */
  readonly idleMs: number;
  /** Called by the process for an embedder that needs network access. */
  readonly embedder?: Embedder;
}

/** Creates the backend of a house without memory, which stores nothing and finds nothing. */
const createNoneBackend = (): MemoryBackend => ({
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  recall: () => Promise.resolve({ hits: [], mode: "none", rebuilding: false }),
  status: () => Promise.resolve({ files: 0, chunks: 0, vectors: 0, leftOut: [], catchingUp: false, rebuilding: false }),
  reindex: () => Promise.resolve(),
  whenIndexed: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

export const memoryBackends = {
  sqlite: createProcessBackend,
  markdown: createMarkdownBackend,
  none: createNoneBackend,
} as const satisfies Record<string, (options: MemoryBackendOptions) => MemoryBackend>;
export type MemoryKind = keyof typeof memoryBackends;

export const createMemoryBackend = (kind: MemoryKind, options: MemoryBackendOptions): MemoryBackend =>
  memoryBackends[kind](options);
