/**
 * Applies a patch. All sections are computed before the first write, so a section that does not fit
 * changes nothing.
 */
import { HearthError, isHearthError } from "@hearth/protocol";
import type { Files } from "./files.ts";
import { applyHunks, parsePatch, type Section } from "./patch.ts";
import { decodeText, encodeText, notTextError } from "./text.ts";
import { MAX_FILE_SIZE, type RunTool, success } from "./tool.ts";

export const applyPatch: RunTool<"apply_patch"> = async ({ patch }, { files }) => {
  const changes: Change[] = [];
  for (const section of parsePatch(patch)) changes.push(await planChange(section, files));
  for (const { write } of changes) if (write !== undefined) await files.write(write.path, write.bytes);
  for (const { remove } of changes) if (remove !== undefined) await files.remove(remove);
  return success(changes.map(({ summary }) => summary).join("\n"));
};

interface Change {
  readonly write?: { readonly path: string; readonly bytes: Uint8Array };
  readonly remove?: string;
  readonly summary: string;
}

const planChange = async (section: Section, files: Files): Promise<Change> => {
  const { path } = section;
  switch (section.kind) {
    case "add":
      await requireAbsent(path, files);
      return { write: { path, bytes: encodeWithinLimit(path, section.text) }, summary: `Added ${path}.` };
    case "delete":
      await files.read(path, MAX_FILE_SIZE);
      return { remove: path, summary: `Deleted ${path}.` };
    case "update": {
      const bytes = await files.read(path, MAX_FILE_SIZE);
      const text = decodeText(bytes);
      if (text === undefined) throw notTextError(path, bytes.length);
      const newBytes = encodeWithinLimit(path, applyHunks(path, text, section.hunks));
      if (section.to === undefined) return { write: { path, bytes: newBytes }, summary: `Changed ${path}.` };
      await requireAbsent(section.to, files);
      return { write: { path: section.to, bytes: newBytes }, remove: path, summary: `Moved ${path} to ${section.to}.` };
    }
  }
};

const requireAbsent = async (path: string, files: Files): Promise<void> => {
  try {
    await files.stat(path);
  } catch (error) {
    if (isHearthError(error, "tool.not-found")) return;
    throw error;
  }
  throw new HearthError("tool.invalid", `${path} already exists.`, { hint: "Update it, or delete it first." });
};

const encodeWithinLimit = (path: string, text: string): Uint8Array => {
  const bytes = encodeText(text);
  if (bytes.length <= MAX_FILE_SIZE) return bytes;
  throw new HearthError("tool.too-large", `${path} would have ${bytes.length} bytes; at most ${MAX_FILE_SIZE}.`);
};
