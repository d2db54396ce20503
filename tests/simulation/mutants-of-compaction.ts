/** Mutants of compaction: notes are stored first, and a failure removes nothing. */
import type { Mutant } from "./mutant.ts";

const compact = "warden/src/turns/compaction/compact.ts";

export const mutantsOfCompaction: readonly Mutant[] = [
  {
    name: "a conversation is compacted although its notes failed",
    rule: "compaction",
    edits: [
      {
        file: compact,
        from: "if (notesCall.error !== undefined) return await fail(turn, session, plan, notesCall.error, usage);",
        to: "",
      },
    ],
    first: "seeds",
  },
  {
    name: "a conversation is compacted without notes",
    rule: "compaction",
    edits: [
      {
        file: compact,
        from: "const files = await appendNotes(options, turn, slice, readNotes(notesCall.message.toolCalls));",
        to: "const files: readonly KeptFile[] = [];",
      },
    ],
    first: "seeds",
  },
  {
    name: "a failed summary is replaced by a placeholder",
    rule: "compaction",
    edits: [
      {
        file: compact,
        from: "const text = readSummary(answer.message.text, tokenLimit);",
        to: 'const text = readSummary(answer.message.text, tokenLimit) ?? "They talked.";',
      },
    ],
    first: "seeds",
  },
];
