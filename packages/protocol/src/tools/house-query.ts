/** Declares the tool that looks up what the house has on record about the agent. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const houseQuery = declareTool({
  name: "house_query",
  description: "Look up your own settings, rooms, turns, network and budget.",
  input: z.strictObject({ about: z.enum(["me", "rooms", "turns", "network", "budget"]) }),
  effect: "pure",
  traits: { readsUntrusted: false, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  runs: "host",
  workspace: "none",
  level: "r",
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 10_000,
  words: {
    doing: "Looking up",
    done: "Looked up",
    object: "about",
    title: "Read its settings",
    summary: "Reads its own settings, rooms, runs, hosts and budget.",
    group: "house",
    risks: ["private"],
  },
});
