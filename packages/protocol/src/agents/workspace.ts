/** API types of the files that an agent makes in its workspace. */
import { z } from "zod";

/** A path relative to the workspace, such as `reports/2026.csv`. */
const path = z.string().min(1).max(1024);

/** `other`: a link, a device, a pipe, or a name that no request can give. It cannot be read. */
export const WorkspaceEntryKind = z.enum(["file", "folder", "other"]);

export const WorkspaceEntry = z.object({
  name: z.string(),
  kind: WorkspaceEntryKind,
  /** The size of a file. Absent for other entries. */
  sizeBytes: z.int().nonnegative().exactOptional(),
  /** UTC milliseconds. */
  changedAt: z.int(),
  /** Why the entry cannot be read. */
  why: z.string().exactOptional(),
});
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>;

export const WorkspaceFolder = z.object({
  /** Files and folders, sorted by name. */
  entries: z.array(WorkspaceEntry),
  /** Whether these are all entries of the folder. */
  isComplete: z.boolean(),
});
export type WorkspaceFolder = z.infer<typeof WorkspaceFolder>;

/** Maximum length of the text in `WorkspaceText`, in UTF-16 code units. */
export const MAX_WORKSPACE_TEXT = 100_000;

/** A document of a workspace as Markdown. */
export const WorkspaceText = z.object({
  /** Absent if the document could not be read as text. */
  text: z.string().exactOptional(),
  /** Whether the document has more text. */
  isCut: z.boolean(),
  /** Why there is no text, as a sentence. */
  why: z.string().exactOptional(),
});
export type WorkspaceText = z.infer<typeof WorkspaceText>;

/** Absent: the whole workspace. */
export const WorkspaceFolderQuery = z.object({ path: path.optional() });
export const WorkspaceFileQuery = z.object({ path });
