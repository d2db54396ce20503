/** Declares the tool that describes the hardware of the cell. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const hardwareInfo = declareTool({
  name: "hardware_info",
  description: "What your commands run on.",
  input: z.strictObject({}),
  effect: "pure",
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "none",
  level: "r",
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 10_000,
  words: {
    doing: "Checking the hardware",
    done: "Checked the hardware",
    title: "Read the hardware",
    summary: "Reads on which hardware its commands run.",
    group: "house",
    risks: [],
  },
});
