import { filesConformance } from "./files.conformance.ts";
import { createMemoryFiles } from "./memory-files.ts";

filesConformance("memory", async () => {
  const files = createMemoryFiles({ now: () => 0 });
  return { files, plant: files.plant, [Symbol.asyncDispose]: async () => undefined };
});
