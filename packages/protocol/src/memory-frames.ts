/** What the warden and the memory process say to each other. The process reads no brain: it is told what is in them, and what of it is for whom. */
import { z } from "zod";
import { ErrorBody } from "./error-schema.ts";
import { AgentId } from "./ids.ts";
import { MAX_MEMORY_QUERY, MemoryStatus, RecallState, Retrieval } from "./memory.ts";

/** Longest file in UTF-16 code units: as JSON it still fits in one message. */
export const MAX_MEMORY_FILE = 2 * 1024 * 1024;
export const MAX_MEMORY_HITS = 200;
const MAX_NAME = 1000;

export const MemoryIntegrity = z.enum(["owner", "trusted", "untrusted"]);
export type MemoryIntegrity = z.infer<typeof MemoryIntegrity>;

const Lines = z.tuple([z.int().positive(), z.int().positive()]);
const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "not a day");

/** A file of a brain. What its ranges say of some lines goes before what it says of all. */
export const MemoryFile = z.object({
  path: z.string().min(1).max(MAX_NAME),
  /** Of its bytes and of whom they are for: with the same hash it is not indexed again. */
  hash: z.string().min(1).max(MAX_NAME),
  text: z.string().max(MAX_MEMORY_FILE),
  audience: z.string().max(MAX_NAME),
  integrity: MemoryIntegrity,
  ranges: z.array(z.object({ lines: Lines, audience: z.string().max(MAX_NAME), integrity: MemoryIntegrity })),
});
export type MemoryFile = z.infer<typeof MemoryFile>;

/** Whose words count. What is left out limits nothing. */
export const MemoryVisible = z.object({
  audiences: z.array(z.string().max(MAX_NAME)).exactOptional(),
  integrity: z.enum(["trusted", "any"]).exactOptional(),
  under: z.string().max(MAX_NAME).exactOptional(),
});
export type MemoryVisible = z.infer<typeof MemoryVisible>;

/** What the config tunes. What is left out is as it measures best. */
export const MemoryTuning = z.object({
  /** With one of them, hits are ordered by the plain sum of meaning and words, so weighted, instead of by what was learned. */
  semantic: z.number().nonnegative().exactOptional(),
  lexical: z.number().nonnegative().exactOptional(),
  /** What speaks of a day that many days ago is half as likely the answer. */
  halfLifeDays: z.number().positive().exactOptional(),
});
export type MemoryTuning = z.infer<typeof MemoryTuning>;

/** `retrieval` holds from the moment it is said, for all that is asked later too. */
const of = { agent: AgentId, retrieval: Retrieval.exactOptional() };
const question = {
  ...of,
  query: z.string().max(MAX_MEMORY_QUERY),
  limit: z.int().nonnegative().max(MAX_MEMORY_HITS),
  visible: MemoryVisible,
};

export const MemoryAsk = z.discriminatedUnion("type", [
  /** All files that there are, path → hash. What is not among them is forgotten; what is missing is wanted. */
  z.object({ type: z.literal("open"), ...of, files: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal("put"), ...of, file: MemoryFile }),
  z.object({ type: z.literal("remove"), ...of, paths: z.array(z.string().max(MAX_NAME)) }),
  /** By words and meaning. `today` is what "yesterday" counts from. */
  z.object({
    type: z.literal("recall"),
    ...question,
    today: Day.exactOptional(),
    tuning: MemoryTuning.exactOptional(),
  }),
  /** By words alone. */
  z.object({ type: z.literal("search"), ...question }),
  z.object({ type: z.literal("status"), ...of }),
  /** Begins anew: every file is wanted again. */
  z.object({ type: z.literal("reindex"), ...of }),
  /** Nothing of the agent stays, on disk either. */
  z.object({ type: z.literal("forget"), ...of }),
  /** From here on the process ends by itself when nobody has asked for so long and nothing waits. */
  z.object({ type: z.literal("idle"), afterMs: z.int().positive() }),
]);
export type MemoryAsk = z.infer<typeof MemoryAsk>;

/** Of texts that the process has no network to embed, and of the numbers in a vector. */
const MAX_TEXTS = 64;
const MAX_TEXT = 16 * 1024;
const MAX_DIMENSIONS = 8192;

/** What the process called for, by the number of its call. */
export const MemoryVectors = z.union([
  z.object({ called: z.int().positive(), vectors: z.array(z.array(z.number()).max(MAX_DIMENSIONS)).max(MAX_TEXTS) }),
  z.object({ called: z.int().positive(), error: ErrorBody }),
]);
export type MemoryVectors = z.infer<typeof MemoryVectors>;

/** `stop` takes back what was asked under its id: nobody waits for it any more. */
export const MemoryRequest = z.union([
  z.object({ id: z.int().positive(), ask: MemoryAsk }),
  z.object({ stop: z.int().positive() }),
  MemoryVectors,
]);
export type MemoryRequest = z.infer<typeof MemoryRequest>;

export const MemoryHit = z.object({
  /** Of the chunk. */
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
  /** Greater is better. Compares with hits of the same answer alone. */
  score: z.number(),
  /** What the score is made of: words, meaning, and what else spoke for or against it. */
  parts: z.record(z.string(), z.number()),
});
export type MemoryHit = z.infer<typeof MemoryHit>;

export const Recalled = RecallState.extend({ hits: z.array(MemoryHit) });
export type Recalled = z.infer<typeof Recalled>;

/** What each request is answered with. */
export const memoryAnswers = {
  open: z.object({ wanted: z.array(z.string()) }),
  /** `note`: why it has no chunks, in words for people. */
  put: z.object({ note: z.string().exactOptional() }),
  remove: z.object({}),
  recall: Recalled,
  search: Recalled,
  status: MemoryStatus,
  reindex: z.object({}),
  forget: z.object({}),
  idle: z.object({}),
} as const satisfies Record<MemoryAsk["type"], z.ZodType>;
export type MemoryAnswers = { readonly [Type in keyof typeof memoryAnswers]: z.infer<(typeof memoryAnswers)[Type]> };

/** The process wants vectors of a peer that only the warden reaches. `stop` takes a call back. */
export const MemoryCall = z.union([
  z.object({ call: z.int().positive(), texts: z.array(z.string().max(MAX_TEXT)).max(MAX_TEXTS) }),
  z.object({ stop: z.int().positive() }),
]);
export type MemoryCall = z.infer<typeof MemoryCall>;

export const MemoryResponse = z.union([
  MemoryCall,
  z.object({ id: z.int().positive(), answer: z.unknown() }),
  z.object({ id: z.int().positive(), error: ErrorBody }),
]);
export type MemoryResponse = z.infer<typeof MemoryResponse>;
