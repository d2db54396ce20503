/** Brains in memory for the port's tests: empty, never halted. */
import { type Brains, type BrainsOptions, createBrains } from "../../agents/brains/brains.ts";
import { createMemoryBrainDisk } from "../../agents/brains/memory-disk.ts";

export const createFakeBrains = (parts: Omit<BrainsOptions, "disk" | "starter">): Brains =>
  createBrains({
    ...parts,
    disk: createMemoryBrainDisk(),
    starter: async () => ({}),
  });
