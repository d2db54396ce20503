/** Has one thing told about a text that the agent itself does not read, so that whoever wrote it cannot talk to the agent. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

/** Kinds of answer that leave no room for words. Named alone, in place of choices. */
export const ANSWER_KINDS = ["number", "date"] as const;
const MAX_CHOICES = 20;

const Answer = z
  .array(z.string().min(1).max(100))
  .max(MAX_CHOICES)
  .refine((choices) => choices.length > 1 || ANSWER_KINDS.some((kind) => kind === choices[0]), {
    error: "two choices at least, or `number`, or `date`",
  });

export const askSource = declareTool({
  name: "ask_source",
  description: "Learn a fact from a page or tool without reading it.",
  input: z.strictObject({
    from: z.string().min(1).max(8000).describe("URL or tool"),
    input: z.record(z.string(), z.unknown()).optional(),
    question: z.string().min(1).max(2000),
    answer: Answer.describe("choices, or `number` or `date`"),
  }),
  effect: "pure",
  // Whatever stands there, the answer is one of few: it carries nobody's words. But whoever serves a page learns that it was asked for.
  traits: { readsUntrusted: false, readsPrivate: false, acts: true, destroys: false },
  sinks: ["from"],
  runs: "host",
  level: "w",
  needs: "person",
  offered: "found",
  timeoutMs: 120_000,
});
