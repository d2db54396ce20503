/** The way of a brain's texts to a peer that embeds them: the daemon's own, as requests to models take it, without what may not leave the house. */
import { readReference, type MemoryConfig, type ReferenceSources } from "../../kernel/index.ts";
import type { AdmitHome } from "../../policy/index.ts";
import { candidateAt } from "../../models/index.ts";
import { HearthError, type World } from "@hearth/protocol";
import type { EmbeddingWay } from "./backend.ts";

export interface EmbeddingRequestsOptions {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly configured: () => Pick<MemoryConfig, "apiKey" | "embedder">;
  readonly references: ReferenceSources;
  /** Without secrets of the houses, and without what looks like anybody's key. */
  readonly clean: EmbeddingWay["clean"];
  /** Whether the house's budget has room for it. */
  readonly admitHome: AdmitHome;
  /** Whether a person has stopped everything. */
  readonly isHeld: () => boolean;
}

export const createEmbeddingRequests = (options: EmbeddingRequestsOptions): EmbeddingWay => {
  const { world, configured, references, clean, isHeld, admitHome } = options;
  return {
    ...{ clock: world.clock, clean },
    async fetch(input, init) {
      if (!isHeld()) return world.fetch(input, init);
      throw new HearthError("memory.no-embedder", "Everything is stopped: nothing is sent to the embedder.", {
        hint: "It goes on when the stop ends: hearth resume",
      });
    },
    async pay(inputTokens) {
      const { embedder } = configured();
      if (typeof embedder === "string") return { settle: () => {} };
      const { kind, model, baseUrl } = embedder;
      const admission = await admitHome({ leaf: candidateAt(kind, model, baseUrl), inputTokens });
      if (admission.kind === "on") return admission;
      const { text, hint } = admission;
      throw new HearthError("memory.no-embedder", `Words alone are compared: ${text}`, { hint });
    },
    async key() {
      const { apiKey } = configured();
      if (apiKey === undefined) return undefined;
      const { where, text, lack, fix } = await readReference(apiKey, references);
      // What could not stand in a header is no key, but perhaps a whole file of other secrets.
      if (text !== undefined && /^[\x21-\x7e]+$/.test(text)) return text;
      const what = text === undefined ? lack : "does not hold a key";
      throw new HearthError("memory.no-embedder", `The embedder's key cannot be read: ${where} ${what}.`, {
        hint: text === undefined ? fix : "See api_key below [memory] in hearth.toml.",
      });
    },
  };
};
