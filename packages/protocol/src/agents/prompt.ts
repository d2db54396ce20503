/** A report for people about the brain files in an agent's prompt. */
import { z } from "zod";
import { AudienceName } from "./cell.ts";

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
 * `room`: the prompt of a turn in this room, by handle or id. Absent: with the private audience.
 */
export const PromptQuery = z.object({ room: z.string().min(1).max(200).optional() });
export type PromptQuery = z.infer<typeof PromptQuery>;
