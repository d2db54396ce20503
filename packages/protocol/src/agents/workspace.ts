/** API types of the files that an agent makes in its workspace. */
import { z } from "zod";

/** Relative to the workspace, such as `reports/2026.csv`. */
const path = z.string().min(1).max(1024);

/** `other`: a link, a device, a pipe, or a name that no request can give. It cannot be read. */
export const WorkspaceEntryKind = z.enum(["file", "folder", "other"]);

export const WorkspaceEntry = z.object({
  name: z.string(),
  kind: WorkspaceEntryKind,
  /** Absent for everything but a file. */
  sizeBytes: z.int().nonnegative().exactOptional(),
  /** UTC milliseconds. */
  changedAt: z.int(),
  /** Why it cannot be read. */
  why: z.string().exactOptional(),
});
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>;

export const WorkspaceFolder = z.object({
  /** By name, folders too. */
  entries: z.array(WorkspaceEntry),
  /** False: the folder has more entries than these. */
  isComplete: z.boolean(),
});
export type WorkspaceFolder = z.infer<typeof WorkspaceFolder>;

/** Longest text of `WorkspaceText`, in UTF-16 code units. */
export const MAX_WORKSPACE_TEXT = 100_000;

/** A document of a workspace as Markdown. */
export const WorkspaceText = z.object({
  /** Absent: it could not be read as text. */
  text: z.string().exactOptional(),
  /** The text is not all of the document. */
  isCut: z.boolean(),
  /** Why there is no text: one sentence. */
  why: z.string().exactOptional(),
});
export type WorkspaceText = z.infer<typeof WorkspaceText>;

/** Absent: the whole workspace. */
export const WorkspaceFolderQuery = z.object({ path: path.optional() });
export const WorkspaceFileQuery = z.object({ path });
