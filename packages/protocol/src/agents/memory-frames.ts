/**
 * Messages between the warden and the memory process. The warden sends texts with their audiences,
 * because the process never reads a brain.
 */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";
import { AgentId } from "../base/ids.ts";
import { MAX_MEMORY_QUERY, MemoryStatus, RecallState, Retrieval } from "./memory.ts";

/** Maximum length of a file in UTF-16 code units. As JSON, it fits in one message. */
export const MAX_MEMORY_FILE = 2 * 1024 * 1024;
export const MAX_MEMORY_HITS = 200;
const MAX_NAME_LENGTH = 1000;

export const MemoryIntegrity = z.enum(["owner", "trusted", "untrusted"]);
export type MemoryIntegrity = z.infer<typeof MemoryIntegrity>;

const Lines = z.tuple([z.int().positive(), z.int().positive()]);
const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "not a day");

/**
 * A file of a brain. For the lines of a range, the range's audience and integrity replace the
 * file's.
 */
export const MemoryFile = z.object({
  path: z.string().min(1).max(MAX_NAME_LENGTH),
  /** Hash of the content and its audiences. A file with an unchanged hash is not indexed again. */
  hash: z.string().min(1).max(MAX_NAME_LENGTH),
  text: z.string().max(MAX_MEMORY_FILE),
  audience: z.string().max(MAX_NAME_LENGTH),
  integrity: MemoryIntegrity,
  ranges: z.array(z.object({ lines: Lines, audience: z.string().max(MAX_NAME_LENGTH), integrity: MemoryIntegrity })),
});
export type MemoryFile = z.infer<typeof MemoryFile>;

/** Filter for results. An absent field does not filter. */
export const MemoryFilter = z.object({
  audiences: z.array(z.string().max(MAX_NAME_LENGTH)).exactOptional(),
  integrity: z.enum(["trusted", "any"]).exactOptional(),
  under: z.string().max(MAX_NAME_LENGTH).exactOptional(),
  /** Paths of files to leave out. */
  except: z.array(z.string().max(MAX_NAME_LENGTH)).exactOptional(),
});
export type MemoryFilter = z.infer<typeof MemoryFilter>;

/** Ranking settings of the config. Absent fields use the measured defaults. */
export const MemoryTuning = z.object({
  /**
   * If one of these is set, hits are ranked by the weighted sum of both scores instead of the
   * learned ranking.
   */
  semantic: z.number().nonnegative().exactOptional(),
  lexical: z.number().nonnegative().exactOptional(),
  /** Half-life of the score, by the age in days of the date in a hit. */
  halfLifeDays: z.number().positive().exactOptional(),
});
export type MemoryTuning = z.infer<typeof MemoryTuning>;

/** A change of `retrieval` also applies to later requests. */
const commandFields = { agent: AgentId, retrieval: Retrieval.exactOptional() };
const searchFields = {
  ...commandFields,
  query: z.string().max(MAX_MEMORY_QUERY),
  limit: z.int().nonnegative().max(MAX_MEMORY_HITS),
  visible: MemoryFilter,
};

export const MemoryCommand = z.discriminatedUnion("type", [
  /**
   * Opens the index. `files` has the hashes of all files by path. The index drops files that are
   * not listed, and the answer names the files to send.
   */
  z.object({ type: z.literal("open"), ...commandFields, files: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal("put"), ...commandFields, file: MemoryFile }),
  z.object({ type: z.literal("remove"), ...commandFields, paths: z.array(z.string().max(MAX_NAME_LENGTH)) }),
  /** Searches by words and meaning. `today` is the day for relative dates such as "yesterday". */
  z.object({
    type: z.literal("recall"),
    ...searchFields,
    today: Day.exactOptional(),
    tuning: MemoryTuning.exactOptional(),
  }),
  /** Searches by words only. */
  z.object({ type: z.literal("search"), ...searchFields }),
  z.object({ type: z.literal("status"), ...commandFields }),
  /** Clears the index, so that all files must be sent again. */
  z.object({ type: z.literal("reindex"), ...commandFields }),
  /** From now on the process exits after this time without requests, if none is pending. */
  z.object({ type: z.literal("idle"), afterMs: z.int().positive() }),
]);
export type MemoryCommand = z.infer<typeof MemoryCommand>;

/** Maximum texts per call, length of a text, and dimensions of a vector. */
const MAX_TEXTS = 64;
const MAX_TEXT_LENGTH = 16 * 1024;
const MAX_DIMENSIONS = 8192;

/** The result of the `MemoryCall` with this number. */
export const MemoryVectors = z.union([
  z.object({ called: z.int().positive(), vectors: z.array(z.array(z.number()).max(MAX_DIMENSIONS)).max(MAX_TEXTS) }),
  z.object({ called: z.int().positive(), error: ErrorBody }),
]);
export type MemoryVectors = z.infer<typeof MemoryVectors>;

/** `stop` cancels the request with this id. */
export const MemoryRequest = z.union([
  z.object({ id: z.int().positive(), ask: MemoryCommand }),
  z.object({ stop: z.int().positive() }),
  MemoryVectors,
]);
export type MemoryRequest = z.infer<typeof MemoryRequest>;

export const MemoryHit = z.object({
  /** Id of the chunk. */
  id: z.string(),
  path: z.string(),
  headings: z.array(z.string()),
  lines: Lines,
  text: z.string(),
  date: z.string().exactOptional(),
  speaker: z.string().exactOptional(),
  audience: z.string(),
  integrity: MemoryIntegrity,
  supersededBy: z.string().exactOptional(),
  /** Higher is better. Comparable only within one answer. */
  score: z.number(),
  /** The components of the score: words, meaning, and adjustments. */
  parts: z.record(z.string(), z.number()),
});
export type MemoryHit = z.infer<typeof MemoryHit>;

export const RecallResult = RecallState.extend({ hits: z.array(MemoryHit) });
export type RecallResult = z.infer<typeof RecallResult>;

/** The answer to each type of request. */
export const memoryAnswers = {
  open: z.object({ wanted: z.array(z.string()) }),
  /** `note`: why the file has no chunks, as a sentence. */
  put: z.object({ note: z.string().exactOptional() }),
  remove: z.object({}),
  recall: RecallResult,
  search: RecallResult,
  status: MemoryStatus,
  reindex: z.object({}),
  idle: z.object({}),
} as const satisfies Record<MemoryCommand["type"], z.ZodType>;
export type MemoryAnswers = { readonly [Type in keyof typeof memoryAnswers]: z.infer<(typeof memoryAnswers)[Type]> };

/**
 * A call of the process for vectors from an embedder that only the warden can reach. `stop` cancels
 * a call.
 */
export const MemoryCall = z.union([
  z.object({ call: z.int().positive(), texts: z.array(z.string().max(MAX_TEXT_LENGTH)).max(MAX_TEXTS) }),
  z.object({ stop: z.int().positive() }),
]);
export type MemoryCall = z.infer<typeof MemoryCall>;

export const MemoryResponse = z.union([
  MemoryCall,
  z.object({ id: z.int().positive(), answer: z.unknown() }),
  z.object({ id: z.int().positive(), error: ErrorBody }),
]);
export type MemoryResponse = z.infer<typeof MemoryResponse>;
