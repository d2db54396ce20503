import { chunkIndexConformance } from "./chunk-index.conformance.ts";
import { createMemoryIndex } from "./memory-index.ts";

chunkIndexConformance("memory", () => {
  const index = createMemoryIndex();
  return { index, [Symbol.dispose]: () => index[Symbol.dispose]() };
});
