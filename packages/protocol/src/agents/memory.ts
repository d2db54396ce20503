/** API types of an agent's memory. */
import { z } from "zod";
import { EventId, RoomId } from "../base/ids.ts";
import { Label, MAX_SOURCE_LENGTH } from "../policy/label.ts";

/**
 * How an agent's memory is searched. `none`: it is not searched. `lexical`: by words, without
 * computing vectors. `hybrid`: by words and meaning.
 */
export const Retrieval = z.enum(["none", "lexical", "hybrid"]);
export type Retrieval = z.infer<typeof Retrieval>;
export const DEFAULT_RETRIEVAL: Retrieval = "hybrid";

/** Maximum length of a query. People write a few words; models write more. */
export const MAX_MEMORY_QUERY = 4000;
/** Maximum length of a fact, in UTF-16 code units. Longer texts belong in a file. */
export const MAX_FACT_LENGTH = 4000;
/** Maximum and default number of facts in an answer. */
export const MAX_RECALLED = 50;
export const DEFAULT_RECALLED = 5;

const boundedText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes("\0"), "is not well-formed text");

/**
 * `replaces`: the location of a line, such as `MEMORY.md:12`, or words that occur in only one fact.
 */
export const RememberFact = z.strictObject({
  text: boundedText(MAX_FACT_LENGTH),
  replaces: boundedText(MAX_FACT_LENGTH).optional(),
});
export type RememberFact = z.infer<typeof RememberFact>;

export const FactKept = z.object({
  path: z.string(),
  /** Whether the fact was already in memory. */
  wasKnown: z.boolean(),
  /** Lines that the fact replaces. */
  replaced: z.array(z.string()),
});
export type FactKept = z.infer<typeof FactKept>;

export const RecallQuestion = z.strictObject({
  query: boundedText(MAX_MEMORY_QUERY),
  /** Absent: the house's default. */
  limit: z.int().min(1).max(MAX_RECALLED).optional(),
});
export type RecallQuestion = z.input<typeof RecallQuestion>;

/** How an answer was computed. */
export const RecallState = z.object({
  /** `lexical`: by words only. `none`: this house has no memory. */
  mode: z.enum(["hybrid", "lexical", "none"]),
  /** Whether the index is incomplete, so that there may be more results. */
  rebuilding: z.boolean(),
  /** Why the search by meaning was not possible. Absent if it was, or if it is turned off. */
  problem: z.string().exactOptional(),
});

export const RecalledFact = z.object({
  path: z.string(),
  /** The headings above the fact, outermost first. */
  headings: z.array(z.string()),
  /** First and last line, counted from 1. */
  lines: z.tuple([z.int(), z.int()]),
  text: z.string(),
  /** The day that the fact refers to. */
  date: z.string().exactOptional(),
  /** Provenance of the fact. */
  label: Label,
  /** Higher is better. Comparable only within one answer. */
  score: z.number(),
  /** The components of the score: words, meaning, and adjustments. */
  parts: z.record(z.string(), z.number()),
});
export type RecalledFact = z.infer<typeof RecalledFact>;

export const RecallAnswer = RecallState.extend({
  /** Best first. */
  found: z.array(RecalledFact),
});
export type RecallAnswer = z.infer<typeof RecallAnswer>;

/**
 * The source to forget: a place in a file, a file, the id of a message or an activation, a URL, a
 * host, or a source's name.
 */
export const ForgetSource = z.strictObject({
  source: boundedText(MAX_SOURCE_LENGTH),
  /**
   * Also removes all replies of turns that had read the source, not only those that contain parts
   * of it.
   */
  replies: z.boolean().optional(),
});
export type ForgetSource = z.infer<typeof ForgetSource>;

/** Maximum number of messages in `kept`. */
export const MAX_KEPT_REPLIES = 50;

/** A message of the agent that was not removed. */
export const KeptReply = z.object({
  id: EventId,
  room: RoomId,
  /** UTC milliseconds. */
  at: z.int(),
  /** The beginning of the text. */
  text: z.string(),
});
export type KeptReply = z.infer<typeof KeptReply>;

export const SourceForgotten = z.object({
  /** Files from which content was removed. */
  files: z.array(z.string()),
  /** Number of file versions from which content was removed. */
  versions: z.int(),
  /** Number of finished calls whose results were removed. */
  steps: z.int(),
  /** Number of removed messages: the source itself, and the agent's replies about it. */
  messages: z.int(),
  /** Number of summaries that are no longer used. */
  summaries: z.int(),
  /** Number of running turns that may have read the source. Their data is removed when they end. */
  running: z.int(),
  /**
   * The newest `MAX_KEPT_REPLIES` replies that stay. Their turns had read the source, but the
   * replies share no phrase, number or name with it. They may paraphrase it.
   */
  kept: z.array(KeptReply),
  /** Total number of such replies. */
  keptCount: z.int(),
});
export type SourceForgotten = z.infer<typeof SourceForgotten>;

/** A file that is not in the index, and why, as a sentence. */
export const LeftOut = z.object({ path: z.string(), why: z.string() });
export type LeftOut = z.infer<typeof LeftOut>;

export const MemoryStatus = z.object({
  files: z.int(),
  chunks: z.int(),
  /** Number of chunks that have a vector. */
  vectors: z.int(),
  /** The embedder. Absent if the search is only by words. */
  embedder: z.string().exactOptional(),
  /** The first files that are not in the index. */
  leftOut: z.array(LeftOut),
  /** Whether some vectors are still being computed. */
  catchingUp: z.boolean(),
  rebuilding: z.boolean(),
  /** Why vectors are missing. Absent if they are not, or if they are turned off. */
  problem: z.string().exactOptional(),
});
export type MemoryStatus = z.infer<typeof MemoryStatus>;
