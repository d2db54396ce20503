/** Declares the tool that returns the date and time. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const time = declareTool({
  name: "time",
  description: "The date and time now.",
  input: z.strictObject({ zone: z.string().optional().describe("e.g. Europe/Berlin, default UTC") }),
  effect: "pure",
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "none",
  level: "r",
  needs: "nothing",
  timeoutMs: 10_000,
  words: {
    doing: "Checking the time",
    done: "Checked the time",
    detail: "zone",
    title: "Read the clock",
    summary: "Reads the date and time.",
    group: "house",
    risks: [],
  },
});
