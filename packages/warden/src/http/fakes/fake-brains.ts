/** Brains in memory for the port's own tests: empty ones, which nothing halts. */
import { type Brains, type BrainsOptions, createBrains } from "../../agents/brains/brains.ts";
import { createMemoryBrainDisk } from "../../agents/brains/memory-disk.ts";

export const createFakeBrains = (parts: Omit<BrainsOptions, "disk" | "starter" | "guard">): Brains =>
  createBrains({
    ...parts,
    disk: createMemoryBrainDisk(),
    starter: async () => ({}),
    guard: { halt: () => {}, release: async () => {} },
  });
