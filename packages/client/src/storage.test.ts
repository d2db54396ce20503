import { storageConformance } from "./storage.conformance.ts";
import { createMemoryStorage } from "./storage.ts";

storageConformance("memory", () => {
  const storage = createMemoryStorage({ maxLength: 100 });
  return { storage, otherTab: storage.openTab(), fill: () => storage.set("filler", "x".repeat(90)) };
});
