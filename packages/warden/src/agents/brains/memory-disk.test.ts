import { brainDiskConformance } from "./disk.conformance.ts";
import { createMemoryBrainDisk } from "./memory-disk.ts";

brainDiskConformance("memory", async () => ({ disk: createMemoryBrainDisk(), [Symbol.asyncDispose]: async () => {} }));
