/** Durability levels: what an accepted message survives. */
import { z } from "zod";

/**
 * Survives `power`: a power cut; `process`: a killed process; `none`: nothing (houses in memory).
 */
export const Durability = z.enum(["power", "process", "none"]);
export type Durability = z.infer<typeof Durability>;

export const durabilityWords: Readonly<Record<Durability, string>> = {
  power: "accepted messages survive a power cut",
  process: "accepted messages survive a killed process, but not a power cut",
  none: "accepted messages are in memory and are lost when the process ends",
};
