/** A report for people about the brain files in an agent's prompt. */
import { z } from "zod";
import { AudienceName } from "./cell.ts";
import { Usage } from "./model.ts";

export const PromptPartReport = z.object({
  /**
   * The file's path; `skills` for the index of skills, `prompt` for the text in the agent's record.
   */
  name: z.string(),
  /**
   * `prefix`: the same in every turn of a conversation. `memory`: after the prefix. `late`:
   * directly before the messages to answer.
   */
  place: z.enum(["prefix", "memory", "late"]),
  /** The text as the model reads it. */
  text: z.string(),
  /** Length of the text and of its file, in UTF-16 code units. */
  length: z.int(),
  fileLength: z.int(),
  /** Estimate: a quarter of its UTF-8 bytes. Models count differently. */
  tokens: z.int(),
  /** Whether the middle of the file is left out. */
  isCut: z.boolean(),
  /** Number of lines that are left out because they are untrusted. */
  hiddenLines: z.int(),
});
export type PromptPartReport = z.infer<typeof PromptPartReport>;

export const PromptReport = z.object({ audience: AudienceName, parts: z.array(PromptPartReport), tokens: z.int() });
export type PromptReport = z.infer<typeof PromptReport>;

/**
 * The content of a part of a model call's prompt.
 * - `tools`: the declarations of tools
 * - `file`: a file of the brain; `skills`: the index of skills; `instructions`: the text in the
 *   agent's record
 * - `house`: the description of the house; `rules`: Hearth's own rules
 * - `summary`: a summary of earlier messages; `conversation`: earlier messages; `unfinished`: the
 *   actions of failed or stopped turns; `inbox`: messages of other agents
 * - `message`: the message to answer; `intake`: messages that arrived during the run
 * - `attachment`: a file of a message
 * - `reply`: texts and calls of the model earlier in the run; `result`: results of a tool
 * - `hidden`: parts that the people of the room may not see
 */
export const PromptPartKind = z.enum([
  "tools",
  "file",
  "skills",
  "instructions",
  "house",
  "rules",
  "summary",
  "conversation",
  "unfinished",
  "inbox",
  "attachment",
  "message",
  "intake",
  "reply",
  "result",
  "hidden",
]);
export type PromptPartKind = z.infer<typeof PromptPartKind>;

export const StepPromptPart = z.object({
  kind: PromptPartKind,
  /** The path of a brain's file, the name of an attachment, or the name of a tool with results. */
  name: z.string().optional(),
  /** Number of tools, files, messages or results. */
  count: z.int(),
  /** Estimate: a quarter of the UTF-8 bytes; for other files by their type and size. */
  tokens: z.int(),
  /** The part of `tokens` that the provider read from its cache. Absent: the provider reported no cached tokens. */
  cachedTokens: z.int().optional(),
  /** The text was deleted or forgotten since, so its size is unknown. `tokens` is 0. */
  erased: z.boolean().optional(),
});
export type StepPromptPart = z.infer<typeof StepPromptPart>;

/** The parts of one model call's prompt, in the order in which providers cache them. */
export const StepPrompt = z.object({
  parts: z.array(StepPromptPart),
  /** The sum of the parts. */
  tokens: z.int(),
  /** Usage of the call. Absent: the call has not ended, or failed. */
  usage: Usage.optional(),
  /** The whole input was forgotten, so there are no parts. */
  erased: z.boolean().optional(),
});
export type StepPrompt = z.infer<typeof StepPrompt>;

/**
 * `room`: the prompt of a turn in this room, by handle or id. Absent: with the private audience.
 */
export const PromptQuery = z.object({ room: z.string().min(1).max(200).optional() });
export type PromptQuery = z.infer<typeof PromptQuery>;
