/** What an accepted message survives, as a person chooses it and as the house says it. */
import { z } from "zod";

/** `power`: a power cut. `process`: a killed process. `none`: nothing, for houses in memory. */
export const Durability = z.enum(["power", "process", "none"]);
export type Durability = z.infer<typeof Durability>;

/** The promise in words, as it follows the name. */
export const durabilityWords: Readonly<Record<Durability, string>> = {
  power: "what was accepted survives a power cut",
  process: "what was accepted survives a killed process, not a power cut",
  none: "what was accepted is in memory and goes with the process",
};
