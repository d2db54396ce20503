/** The search over everything that a caller may read. */
import { z } from "zod";
import { MAX_RECALLED } from "../agents/memory.ts";
import { AgentId, EventId, RoomId, UploadId } from "../base/ids.ts";
import { AgentContent } from "../people/record.ts";

/** Kinds of search results. */
export const SearchKind = z.enum(["message", "file", "workspace", "agent", "room"]);
export type SearchKind = z.infer<typeof SearchKind>;

/** Maximum length of what a person types into the search box. */
export const MAX_SEARCH_LENGTH = 200;
export const MAX_SEARCH_PAGE = 50;

const KINDS = /^(message|file|workspace|agent|room)(,(message|file|workspace|agent|room))*$/;
const named = z.string().min(1).max(200);

export const SearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .describe('Words, which all have to match, and "phrases". The last word may be incomplete.'),
  kind: z
    .string()
    .regex(KINDS)
    .optional()
    .describe("Only results of these kinds, separated by commas: message, file, workspace, agent, room."),
  from: named
    .optional()
    .describe(
      "Id or handle of a person or agent: only messages that they wrote, and files of their memory and workspace.",
    ),
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

/** The attachment of a message in which the words were found. */
export const FoundAttachment = z.object({
  id: UploadId,
  name: z.string(),
  /** The part of the file, such as "page 12" or "caption". Absent: the file has no parts. */
  place: z.string().exactOptional(),
});
export type FoundAttachment = z.infer<typeof FoundAttachment>;

export const FoundMessage = z.object({
  room: RoomId,
  id: EventId,
  offset: z.int(),
  author: AgentId,
  at: z.int(),
  excerpt: Excerpt,
  /** Absent: the words are in the text of the message. */
  file: FoundAttachment.exactOptional(),
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

/** Maximum number of workspace files in one answer. */
export const MAX_FOUND_WORKSPACE_FILES = 50;

/** A file that an agent made, found by its name or by its text. */
export const FoundWorkspaceFile = z.object({
  agent: AgentId,
  /** Relative to the workspace. */
  path: z.string(),
  /** The first line with one of the words, counted from 1. Absent: only the name has them. */
  line: z.int().positive().exactOptional(),
  /** The part of that line around the words. Absent: only the name has them. */
  excerpt: Excerpt.exactOptional(),
});
export type FoundWorkspaceFile = z.infer<typeof FoundWorkspaceFile>;

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
  /** Newest first: once for the text of a message, and up to three times for each of its files. */
  messages: z.array(FoundMessage),
  /** Best first, at most 50. */
  files: z.array(FoundFile).max(MAX_RECALLED),
  /** By agent and path. */
  workspaceFiles: z.array(FoundWorkspaceFile).max(MAX_FOUND_WORKSPACE_FILES),
  agents: z.array(FoundAgent),
  rooms: z.array(FoundRoom),
  /** The cursor of the next page of messages. Absent: this is the last page. */
  next: z.string().exactOptional(),
  /** Whether every message and file is in the index. A new document is added when it is converted. */
  isComplete: z.boolean(),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
