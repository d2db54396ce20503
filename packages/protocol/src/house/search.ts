/** API types of the search over messages, memory files, agents and rooms. */
import { z } from "zod";
import { MAX_RECALLED } from "../agents/memory.ts";
import { AgentId, EventId, RoomId } from "../base/ids.ts";
import { AgentContent } from "../people/record.ts";

export const SearchKind = z.enum(["message", "file", "agent", "room"]);
export type SearchKind = z.infer<typeof SearchKind>;

/** Maximum length of what a person types into the search box. */
export const MAX_SEARCH_LENGTH = 200;
export const MAX_SEARCH_PAGE = 50;

const named = z.string().min(1).max(200);

export const SearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .describe('Words, which all have to match, and "phrases". The last word may be incomplete.'),
  kind: SearchKind.optional().describe("Only results of this kind."),
  from: named
    .optional()
    .describe("Id or handle of a person or agent: only messages that they wrote, and files of their memory."),
  room: named.optional().describe("Id or handle of a room: only its messages."),
  since: z.coerce.number().int().nonnegative().optional().describe("Only messages from this instant on (UTC ms)."),
  until: z.coerce.number().int().nonnegative().optional().describe("Only messages before this instant (UTC ms)."),
  cursor: z
    .string()
    .regex(/^\d{1,19}$/)
    .optional()
    .describe("`next` of the page before. Later pages contain only messages."),
  limit: z.coerce.number().int().min(1).max(MAX_SEARCH_PAGE).default(20),
});
export type SearchQuery = z.input<typeof SearchQuery>;

/** A part of a text, and the places of the found words in it, in UTF-16 code units. */
export const Excerpt = z.object({ text: z.string(), marks: z.array(z.tuple([z.int(), z.int()])) });
export type Excerpt = z.infer<typeof Excerpt>;

export const FoundMessage = z.object({
  room: RoomId,
  id: EventId,
  offset: z.int(),
  author: AgentId,
  at: z.int(),
  excerpt: Excerpt,
});
export type FoundMessage = z.infer<typeof FoundMessage>;

/** A passage of a file that an agent remembers. */
export const FoundFile = z.object({
  agent: AgentId,
  path: z.string(),
  /** First and last line, counted from 1. */
  lines: z.tuple([z.int(), z.int()]),
  headings: z.array(z.string()),
  text: z.string(),
});
export type FoundFile = z.infer<typeof FoundFile>;

export const FoundAgent = z.object({
  id: AgentId,
  handle: z.string(),
  name: z.string(),
  kind: AgentContent.shape.kind,
});
export type FoundAgent = z.infer<typeof FoundAgent>;

export const FoundRoom = z.object({ id: RoomId, handle: z.string(), name: z.string() });
export type FoundRoom = z.infer<typeof FoundRoom>;

export const SearchAnswer = z.object({
  /** Newest first. */
  messages: z.array(FoundMessage),
  /** Best first, at most 50. */
  files: z.array(FoundFile).max(MAX_RECALLED),
  agents: z.array(FoundAgent),
  rooms: z.array(FoundRoom),
  /** The cursor of the next page of messages. Absent: this is the last page. */
  next: z.string().exactOptional(),
  /** Whether every message is in the index. It is not for some seconds after an upgrade. */
  isComplete: z.boolean(),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
