import { embedderConformance } from "./embedder.conformance.ts";
import { createFakeEmbedder } from "./fake.ts";

embedderConformance("fake", () => {
  const embedder = createFakeEmbedder();
  return { embedder, [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose]() };
});
