/** Imports of another program's agent into a running house. */
import { z } from "zod";
import { AgentId } from "../base/ids.ts";

/** The programs whose agents a house can import. */
export const importKinds = ["openclaw", "hermes", "claude-code"] as const;
export const ImportKind = z.enum(importKinds);
export type ImportKind = z.infer<typeof ImportKind>;

/** The planned or actual outcome of an import for a part of another program's agent. */
export const ImportPart = z.object({
  kind: z.enum(["file", "job", "channel", "left"]),
  /** The place in the source. */
  from: z.string(),
  /** The path in the brain, or the name of the job or channel. Absent: the part is not imported. */
  to: z.string().optional(),
  /**
   * `new`: it is added. `replaces`: it replaces a text, which stays in the history. `same`: the
   * agent already has it. `left`: it is left out. `failed`: the house refused it.
   */
  fate: z.enum(["new", "replaces", "same", "left", "failed"]),
  /** How the text is changed, or why the part is left out. */
  why: z.string().optional(),
  /** Secrets are removed from the text. */
  hidesSecrets: z.literal(true).optional(),
});
export type ImportPart = z.infer<typeof ImportPart>;

/** A folder on the machine of the house, and the program that it belongs to. */
export const ImportPlace = z.object({ kind: ImportKind, folder: z.string() });
export type ImportPlace = z.infer<typeof ImportPlace>;

/** The outcome that an import would have. */
export const ImportPreview = ImportPlace.extend({
  /** Valid until the next preview. */
  id: z.string(),
  agent: AgentId,
  parts: z.array(ImportPart),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** The maximum number of parts of an import. */
export const MAX_IMPORT_PARTS = 10_000;

/** Begins the import of a preview. `parts`: indexes of the chosen parts. */
export const BeginImport = z.strictObject({
  preview: z.string().max(64),
  parts: z.array(z.int().nonnegative()).min(1).max(MAX_IMPORT_PARTS),
});
export type BeginImport = z.infer<typeof BeginImport>;

/** The last import into the running house, and the folders that it can import. */
export const ImportState = z.object({
  state: z.enum(["none", "running", "done", "failed"]),
  /** Known folders of other programs that exist on the machine. */
  places: z.array(ImportPlace),
  source: ImportPlace.optional(),
  agent: AgentId.optional(),
  /** Number of chosen parts, and of those that are finished. */
  total: z.int().optional(),
  done: z.int().optional(),
  /** The fate of each part of the preview, after the import. */
  parts: z.array(ImportPart).optional(),
  /** Why it ended early. Parts that were not reached are unchanged. */
  problem: z.string().optional(),
});
export type ImportState = z.infer<typeof ImportState>;
