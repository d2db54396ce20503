/** Public API of memory: chunking, index, retrieval, embedders and backends. */
export type { Chunk } from "./chunks/chunk.ts";
export { type ChunkingResult, chunkFile, type FileToChunk } from "./chunks/chunk-file.ts";
export { findDay } from "./chunks/dates.ts";
export type { Day } from "./chunks/days.ts";
export { toTerms } from "./chunks/terms.ts";
export { type ChunkTexts, toTexts } from "./chunks/texts.ts";
export type { Embedder } from "./embedders/embedder.ts";
export type {
  ChunkIndex,
  ChunkNumber,
  ChunkVectors,
  IndexedChunk,
  IndexedFile,
  ScoredChunk,
  VisibilityFilter,
} from "./index/chunk-index.ts";
export { createMemoryIndex } from "./index/memory-index.ts";
export { createExaminer, type SignalValues, type Examination, fuse, withContextSignals } from "./retrieval/examine.ts";
export { type Blend, blendScores, COMMON_BLEND, baselineScores } from "./retrieval/recipes.ts";
export {
  createRetriever,
  type SearchResult,
  type Hit,
  type Retriever,
  type RetrieverOptions,
  type Search,
} from "./retrieval/retriever.ts";
export { rank } from "./retrieval/scale.ts";
export { type Passes, type Weights, weights } from "./retrieval/weights.ts";
export { embedders } from "./embedders/index.ts";
export type { EmbedderFactory, EmbedderOptions } from "./embedders/factory.ts";
export { createMemoryBackend, type MemoryBackendOptions, memoryBackends, type MemoryKind } from "./process/backends.ts";
export type { MemoryProcess } from "./process/memory-client.ts";
