/**
 * Memory on this machine: the index in a separate process, next to the brains. Loaded at the first
 * query.
 */
import type { MemorySource, World } from "@hearth/protocol";
import type { MemoryConfig, PeerConfig } from "../../kernel/config/text/memory-text.ts";
import type { EmbeddingWay, MemoryParts } from "../../agents/memory/backend.ts";

export const createBunMemory = (options: {
  readonly config: MemoryConfig;
  /** Absolute path of the folder of brains. */
  readonly brains: string;
  readonly hash: World["hash"];
}): MemoryParts => {
  const { config, brains, hash } = options;
  const idleMs = config.idleSeconds * 1000;
  const make = async (kind: MemoryConfig["backend"], source: MemorySource, way?: EmbeddingWay) => {
    const [{ createMemoryBackend }, { startMemoryProcess }] = await Promise.all([
      import("@hearth/memory"),
      import("@hearth/memory/bun"),
    ]);
    const { embedder } = config;
    const asked = typeof embedder === "string" || way === undefined ? undefined : await reach(embedder, way);
    const start = () =>
      startMemoryProcess({ brains, embedder: typeof embedder === "string" ? embedder : (asked ?? "none") });
    return createMemoryBackend(kind, {
      source,
      hash,
      start,
      idleMs,
      ...(asked === undefined ? {} : { embedder: asked }),
    });
  };
  return {
    open: (source, way) => make(config.backend, source, way),
    scan: (source) => make("markdown", source),
    idleMs,
    topK: config.topK,
    tuning: config.tuning,
  };
};

/** The index process requests vectors, and the daemon calls the peer. */
const reach = async ({ kind, ...peer }: PeerConfig, way: EmbeddingWay) =>
  (await import("@hearth/memory")).embedders[kind]({ ...peer, ...way });
