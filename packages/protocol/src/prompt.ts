/** What of its brain an agent is given with every turn, as people look at it. */
import { z } from "zod";
import { AudienceName } from "./cell.ts";

export const PromptPartReport = z.object({
  /** The file's path; `skills` for their index, `prompt` for what the agent's record adds. */
  name: z.string(),
  /** `prefix`: the same in every turn of a conversation. `memory`: after that. `late`: right before what is to be answered. */
  place: z.enum(["prefix", "memory", "late"]),
  /** As the model reads it. */
  text: z.string(),
  /** Of that text, in UTF-16 code units, and of the file behind it. */
  length: z.int(),
  fileLength: z.int(),
  /** A fourth of its UTF-8 bytes: every model counts in its own way. */
  tokens: z.int(),
  /** The middle of the file is left out. */
  isCut: z.boolean(),
  /** Lines that are left out because others wrote them. */
  hiddenLines: z.int(),
});
export type PromptPartReport = z.infer<typeof PromptPartReport>;

export const PromptReport = z.object({ audience: AudienceName, parts: z.array(PromptPartReport), tokens: z.int() });
export type PromptReport = z.infer<typeof PromptReport>;

/** `room`: as in a turn there, by handle or id. Absent: among the agent's own people. */
export const PromptQuery = z.object({ room: z.string().min(1).max(200).optional() });
export type PromptQuery = z.infer<typeof PromptQuery>;
