/** What a house's memory may be made of: the keys are what its config may say. */
import type { World } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";
import { createMarkdownBackend } from "./markdown-backend.ts";
import type { MemoryBackend, MemorySource } from "./memory-backend.ts";
import type { MemoryProcess } from "./memory-client.ts";
import { createNoneBackend } from "./none-backend.ts";
import { createProcessBackend } from "./process-backend.ts";

export interface MemoryBackendOptions {
  readonly source: MemorySource;
  readonly hash: World["hash"];
  /** Starts the process that an index lives in. */
  readonly start: () => MemoryProcess;
  /** The process leaves when nobody has asked for so long. */
  readonly idleMs: number;
  /** What the process calls when it was started for an embedder that only its starter reaches. */
  readonly embedder?: Embedder;
}

export const memoryBackends = {
  sqlite: createProcessBackend,
  markdown: createMarkdownBackend,
  none: createNoneBackend,
} as const satisfies Record<string, (options: MemoryBackendOptions) => MemoryBackend>;
export type MemoryKind = keyof typeof memoryBackends;

export const createMemoryBackend = (kind: MemoryKind, options: MemoryBackendOptions): MemoryBackend =>
  memoryBackends[kind](options);
