/**
 * Memory on this machine: the index in a separate process, next to the brains. The code is loaded
 * at the first query.
 */
import type { MemorySource, World } from "@hearth/protocol";
import type { MemoryConfig, HttpEmbedderConfig } from "../../kernel/config/text/memory-text.ts";
import type { EmbeddingRequests, MemoryParts } from "../../agents/memory/backend.ts";

export const createBunMemory = (options: {
  readonly config: MemoryConfig;
  /** Absolute path of the folder of brains. */
  readonly brains: string;
  readonly hash: World["hash"];
}): MemoryParts => {
  const { config, brains, hash } = options;
  const idleMs = config.idleSeconds * 1000;
  const openBackend = async (kind: MemoryConfig["backend"], source: MemorySource, requests?: EmbeddingRequests) => {
    const [{ createMemoryBackend }, { startMemoryProcess }] = await Promise.all([
      import("@hearth/memory"),
      import("@hearth/memory/bun"),
    ]);
    const { embedder } = config;
    const remoteEmbedder =
      typeof embedder === "string" || requests === undefined ? undefined : await openRemoteEmbedder(embedder, requests);
    const start = () =>
      startMemoryProcess({ brains, embedder: typeof embedder === "string" ? embedder : (remoteEmbedder ?? "none") });
    return createMemoryBackend(kind, {
      source,
      hash,
      start,
      idleMs,
      ...(remoteEmbedder === undefined ? {} : { embedder: remoteEmbedder }),
    });
  };
  return {
    open: (source, requests) => openBackend(config.backend, source, requests),
    openWordSearch: (source) => openBackend("markdown", source),
    idleMs,
    topK: config.topK,
    tuning: config.tuning,
  };
};

/** The index process requests vectors, and the daemon calls the peer. */
const openRemoteEmbedder = async ({ kind, ...peer }: HttpEmbedderConfig, requests: EmbeddingRequests) =>
  (await import("@hearth/memory")).embedders[kind]({ ...peer, ...requests });
