/** The embedder for models served by Ollama. */
import { z } from "zod";
import type { EmbedderFactory } from "./factory.ts";
import { createHttpEmbedder, type EmbedderWire } from "./http.ts";

const wire: EmbedderWire = {
  serviceName: "ollama",
  path: "/api/embed",
  answerSchema: z.object({ embeddings: z.array(z.array(z.number())) }).transform(({ embeddings }) => embeddings),
  usageSchema: z.object({ prompt_eval_count: z.int().nonnegative() }).transform((body) => body.prompt_eval_count),
  toBody: (model, input) => ({ model, input, truncate: true }),
};

export const createOllama: EmbedderFactory = (options) => createHttpEmbedder(wire, options);
