import { createMemoryConfigFile } from "./file.ts";
import { configFileConformance } from "./file.conformance.ts";

configFileConformance("memory", () => {
  const file = createMemoryConfigFile();
  return Promise.resolve({
    file,
    readBackup: (suffix) => Promise.resolve(file.backups.get(suffix)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});
