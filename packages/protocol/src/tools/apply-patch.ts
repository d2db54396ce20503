/** Declares the tool that changes several workspace files at once. */
import { z } from "zod";
import { declareTool, MAX_CONTENT_BYTES } from "./tool.ts";

export const applyPatch = declareTool({
  name: "apply_patch",
  description:
    "Change several files at once: `*** Begin Patch`, then `*** Add File: P`, `*** Delete File: P` or `*** Update File: P` with `@@` hunks of ` `, `-`, `+` lines, then `*** End Patch`.",
  input: z.strictObject({ patch: z.string().min(1) }),
  // A second run could match text that the first run wrote.
  effect: "plain",
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "anything",
  level: "w",
  needs: "nothing",
  discovery: "onDemand",
  timeoutMs: 30_000,
  maxArgumentBytes: MAX_CONTENT_BYTES,
  words: {
    doing: "Changing files",
    done: "Changed files",
    change: "patch",
    title: "Apply patches",
    summary: "Changes several files of its workspace at once.",
    group: "files",
    risks: ["files"],
  },
});
