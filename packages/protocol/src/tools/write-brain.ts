/** Changes a file of the agent's brain: what it is, knows and remembers. */
import { z } from "zod";
import { MAX_BRAIN_TEXT } from "../brain.ts";
import { declareTool } from "./tool.ts";

export const writeBrain = declareTool({
  name: "write_brain",
  description: "Change a file of your brain, e.g. MEMORY.md, USER.md.",
  input: z.strictObject({
    path: z.string().min(1).max(1024),
    mode: z.enum(["append", "replace", "remove"]),
    text: z.string().min(1).max(MAX_BRAIN_TEXT).optional(),
  }),
  // A file is no row of the house: it is written before the step's end is, and what was appended once would be there twice.
  effect: "plain",
  // It stays in the house, where each change can be undone. Lines keep the label of the turn that writes them, and a file that says what the agent is
  // waits for a person when that turn is tainted.
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "host",
  level: "w",
  needs: "nothing",
  timeoutMs: 30_000,
});
