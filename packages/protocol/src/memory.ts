/** An agent's memory as it crosses the port: what is asked of it, and what it answers. */
import { z } from "zod";
import { EventId, RoomId } from "./ids.ts";
import { Label, MAX_SOURCE_LENGTH } from "./label.ts";

/** What an agent's memory is found by: nothing; words alone, and then no text of it is made a vector; or words and meaning. */
export const Retrieval = z.enum(["none", "lexical", "hybrid"]);
export type Retrieval = z.infer<typeof Retrieval>;
export const DEFAULT_RETRIEVAL: Retrieval = "hybrid";

/** Longest question: what a person asks is a few words, what a model asks some more. */
export const MAX_MEMORY_QUERY = 4000;
/** Longest fact, in UTF-16 code units. What is longer is a file. */
export const MAX_FACT_LENGTH = 4000;
/** Facts of one answer at most, and as many as there are where nobody says. */
export const MAX_RECALLED = 50;
export const DEFAULT_RECALLED = 5;

const words = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes("\0"), "is not well-formed text");

/** `replaces`: the place of a line, as `MEMORY.md:12`, or words that only one fact has. */
export const RememberFact = z.strictObject({
  text: words(MAX_FACT_LENGTH),
  replaces: words(MAX_FACT_LENGTH).optional(),
});
export type RememberFact = z.infer<typeof RememberFact>;

export const FactKept = z.object({
  path: z.string(),
  /** It stood there already. */
  wasKnown: z.boolean(),
  /** Lines that are not current any more. */
  replaced: z.array(z.string()),
});
export type FactKept = z.infer<typeof FactKept>;

export const RecallQuestion = z.strictObject({
  query: words(MAX_MEMORY_QUERY),
  /** As many as the house says, where it is left out. */
  limit: z.int().min(1).max(MAX_RECALLED).optional(),
});
export type RecallQuestion = z.input<typeof RecallQuestion>;

/** How an answer came about. */
export const RecallState = z.object({
  /** "lexical": nothing was compared by meaning. "none": this house has no memory. */
  mode: z.enum(["hybrid", "lexical", "none"]),
  /** Files are still missing from the index: there may be more. */
  rebuilding: z.boolean(),
  /** Why nothing was compared by meaning, when it should have been. */
  problem: z.string().exactOptional(),
});

export const RecalledFact = z.object({
  path: z.string(),
  /** The headings above it, outermost first. */
  headings: z.array(z.string()),
  /** First and last line, from 1. */
  lines: z.tuple([z.int(), z.int()]),
  text: z.string(),
  /** The day that it speaks of. */
  date: z.string().exactOptional(),
  /** Where it came from. */
  label: Label,
  /** Greater is better. Compares with the facts of the same answer alone. */
  score: z.number(),
  /** What the score is made of: words, meaning, and what else spoke for or against it. */
  parts: z.record(z.string(), z.number()),
});
export type RecalledFact = z.infer<typeof RecalledFact>;

export const RecallAnswer = RecallState.extend({
  /** Best first. */
  found: z.array(RecalledFact),
});
export type RecallAnswer = z.infer<typeof RecallAnswer>;

/** A place in a file, a file, the id of a message or an activation, a URL, a host, or a source by its name. */
export const ForgetSource = z.strictObject({
  source: words(MAX_SOURCE_LENGTH),
  /** Takes back all that the agent said in turns that had read it, and not only what has something of it. */
  replies: z.boolean().optional(),
});
export type ForgetSource = z.infer<typeof ForgetSource>;

/** Messages that an answer names. */
export const MAX_KEPT_REPLIES = 50;

/** A message of the agent that stays. */
export const KeptReply = z.object({
  id: EventId,
  room: RoomId,
  /** UTC milliseconds. */
  at: z.int(),
  /** How it begins. */
  text: z.string(),
});
export type KeptReply = z.infer<typeof KeptReply>;

export const SourceForgotten = z.object({
  /** Files that hold less than they did. */
  files: z.array(z.string()),
  /** Versions of files that hold less. */
  versions: z.int(),
  /** Calls of turns that are over, whose results are gone. */
  steps: z.int(),
  /** Messages that rooms have no more: the one that was the source, and what the agent said of it. */
  messages: z.int(),
  /** Summaries of talks that are given no more. */
  summaries: z.int(),
  /** Turns that still run and may have it in hand: what they held goes when they are over. */
  running: z.int(),
  /**
   * Messages of the agent that stay: written in turns that had read it, and no stretch of words, no number and no name of it is in them. What says it
   * in other words is among them. The newest `MAX_KEPT_REPLIES`.
   */
  kept: z.array(KeptReply),
  /** How many there are in all. */
  keptCount: z.int(),
});
export type SourceForgotten = z.infer<typeof SourceForgotten>;

/** A file that is not in the index, and why, in words for people. */
export const LeftOut = z.object({ path: z.string(), why: z.string() });
export type LeftOut = z.infer<typeof LeftOut>;

export const MemoryStatus = z.object({
  files: z.int(),
  chunks: z.int(),
  /** Chunks that have their vectors. */
  vectors: z.int(),
  /** What makes the vectors. Absent: words alone are compared. */
  embedder: z.string().exactOptional(),
  /** The first of those that are left out. */
  leftOut: z.array(LeftOut),
  /** Vectors have not caught up. */
  catchingUp: z.boolean(),
  rebuilding: z.boolean(),
  /** Why there are no vectors, when there should be. */
  problem: z.string().exactOptional(),
});
export type MemoryStatus = z.infer<typeof MemoryStatus>;
