/** Mutants of talks that become too long: notes of them are kept first, and what fails takes nothing away. */
import type { Mutant } from "./mutant.ts";

const compact = "warden/src/turns/compaction/compact.ts";

export const mutantsOfTalks: readonly Mutant[] = [
  {
    name: "a talk is summed up though no notes of it could be made",
    rule: "compaction",
    edits: [
      {
        file: compact,
        from: "if (kept.error !== undefined) return await fail(turn, session, plan, kept.error, usage);",
        to: "",
      },
    ],
    first: "seeds",
  },
  {
    name: "nothing is noted of a talk before it is summed up",
    rule: "compaction",
    edits: [
      {
        file: compact,
        from: "const files = await remember(turn, talk, readNotes(kept.message.toolCalls));",
        to: "const files: readonly KeptFile[] = [];",
      },
    ],
    first: "seeds",
  },
  {
    name: "a talk whose summary failed is given without what was in it",
    rule: "compaction",
    edits: [
      {
        file: compact,
        from: "const text = readSummary(said.message.text, limit);",
        to: 'const text = readSummary(said.message.text, limit) ?? "They talked.";',
      },
    ],
    first: "seeds",
  },
];
