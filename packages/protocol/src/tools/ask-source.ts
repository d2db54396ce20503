/**
 * Declares the tool that extracts one fact from a text that the agent does not read, so that the
 * text cannot instruct the agent.
 */
import { z } from "zod";
import { declareTool } from "./tool.ts";

/** Answer types without free text. Used alone, instead of choices. */
export const ANSWER_KINDS = ["number", "date"] as const;
const MAX_CHOICES = 20;

const Answer = z
  .array(z.string().min(1).max(100))
  .max(MAX_CHOICES)
  .refine((choices) => choices.length > 1 || ANSWER_KINDS.some((kind) => kind === choices[0]), {
    error: "give at least two choices, or `number`, or `date`",
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
  // The answer is one of a few values, so it carries no text of the source. But the server of a
  // page learns of the request.
  traits: { readsUntrusted: false, readsPrivate: false, acts: true, destroys: false },
  sinks: ["from"],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 120_000,
  words: {
    doing: "Asking",
    done: "Asked",
    object: "from",
    title: "Ask a page",
    summary: "Learns one fact from a page or tool, without reading its text.",
    group: "web",
    risks: ["leaves"],
  },
});
