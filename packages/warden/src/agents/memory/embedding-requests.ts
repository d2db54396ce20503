/** Sends brain texts to an embedder through the daemon's network, with secrets removed. */
import { readReference, type MemoryConfig, type ReferenceSources } from "../../kernel/index.ts";
import type { AdmitHome } from "../../policy/index.ts";
import { candidateAt } from "../../models/index.ts";
import { HearthError, type World } from "@hearth/protocol";
import type { EmbeddingRequests } from "./backend.ts";

export interface EmbeddingRequestsOptions {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly memoryConfig: () => Pick<MemoryConfig, "apiKey" | "embedder">;
  readonly references: ReferenceSources;
  /** Removes the houses' secrets, and any text that looks like a key. */
  readonly redact: EmbeddingRequests["redact"];
  /** Checks the house's budget. */
  readonly admitHome: AdmitHome;
  /** Whether a person has stopped everything. */
  readonly isHeld: () => boolean;
}

export const createEmbeddingRequests = (options: EmbeddingRequestsOptions): EmbeddingRequests => {
  const { world, memoryConfig, references, redact, isHeld, admitHome } = options;
  return {
    clock: world.clock,
    redact,
    async fetch(input, init) {
      if (!isHeld()) return world.fetch(input, init);
      throw new HearthError("memory.no-embedder", "All agents are stopped, so nothing is sent to the embedder.", {
        hint: "Resume to continue: hearth resume-all",
      });
    },
    async reserve(inputTokens) {
      const { embedder } = memoryConfig();
      if (typeof embedder === "string") return { settle: () => {} };
      const { kind, model, baseUrl } = embedder;
      const admission = await admitHome({ leaf: candidateAt(kind, model, baseUrl), inputTokens });
      if (admission.kind === "allowed") return admission;
      const { text, hint } = admission;
      throw new HearthError("memory.no-embedder", text, { hint });
    },
    async readKey() {
      const { apiKey } = memoryConfig();
      if (apiKey === undefined) return undefined;
      const { reference, text, problem, remedy } = await readReference(apiKey, references);
      // A value that is invalid in a header is not a key. The file may contain other secrets.
      if (text !== undefined && /^[\x21-\x7e]+$/.test(text)) return text;
      const failure = text === undefined ? problem : "does not hold a key";
      throw new HearthError("memory.no-embedder", `The embedder's key cannot be read: ${reference} ${failure}.`, {
        hint: text === undefined ? remedy : "Correct its key: hearth config set memory.api_key=REFERENCE",
      });
    },
  };
};
