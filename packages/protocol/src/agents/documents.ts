/** Documents as text: what a conversion returns, its limits, and how a model reads it. */
import { z } from "zod";

/** Largest document that is converted. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Longest text of one document, in UTF-16 code units. The rest is left out. */
export const MAX_DOCUMENT_TEXT = 2_000_000;
/** Longest time of one conversion. */
export const DOCUMENT_SECONDS = 30;

/** `cut`: the text is not all of the document. `why` of a refusal is one sentence. */
export const DocumentText = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string().max(MAX_DOCUMENT_TEXT + 10_000), cut: z.boolean() }),
  z.object({ kind: z.literal("refused"), why: z.string().max(2000) }),
]);
export type DocumentText = z.infer<typeof DocumentText>;

/** Digits of the hash that mark where a text ends. A file cannot contain its own hash. */
const MARK_LENGTH = 10;

/** The beginning of a document's text for a model, between marks, with a note of how much it is. */
export const excerptOf = (
  { name, hash, path }: { readonly name: string; readonly hash: string; readonly path?: string | undefined },
  { text, cut }: { readonly text: string; readonly cut: boolean },
  maxLength: number,
): string => {
  const mark = hash.slice(0, MARK_LENGTH);
  const shown = text.slice(0, maxLength).toWellFormed();
  const where = path === undefined ? "" : `; the tool read shows the rest of ${path}`;
  const isWhole = shown.length === text.length && !cut;
  const rest = isWhole
    ? ""
    : `\n[cut: the first ${shown.length} of ${text.length}${cut ? "+" : ""} characters${where}]`;
  return `[file ${mark}: the text of ${JSON.stringify(name)}, until ${mark} ends]\n${shown}${rest}\n[end ${mark}]`;
};
