/**
 * The embedder for services with OpenAI's embeddings API. The address ends in its version:
 * `https://…/v1`.
 */
import { z } from "zod";
import type { EmbedderFactory } from "./factory.ts";
import { createHttpEmbedder, type EmbedderWire } from "./http.ts";

const wire: EmbedderWire = {
  serviceName: "openai-compatible",
  path: "/embeddings",
  answerSchema: z
    .object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) })
    // The response may list the vectors in a different order than the texts.
    .transform(({ data }) => data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)),
  usageSchema: z
    .object({ usage: z.object({ total_tokens: z.int().nonnegative() }) })
    .transform((body) => body.usage.total_tokens),
  toBody: (model, input) => ({ model, input, encoding_format: "float" }),
};

export const createOpenAiCompatible: EmbedderFactory = (options) => createHttpEmbedder(wire, options);
