/** The table of embedders that need no platform adapter. An adapter may add local ones. */
import type { EmbedderFactory } from "./factory.ts";
import { createFakeEmbedder } from "./fake.ts";
import { createOllama } from "./ollama.ts";
import { createOpenAiCompatible } from "./openai.ts";

export const embedders = {
  none: () => undefined,
  fake: () => createFakeEmbedder(),
  ollama: createOllama,
  "openai-compatible": createOpenAiCompatible,
} as const satisfies Record<string, EmbedderFactory>;
