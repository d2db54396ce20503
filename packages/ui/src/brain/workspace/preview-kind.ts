/** Chooses how a workspace file is shown, by the type that the house detected from its content. Pure. */
import { isDocumentType } from "@hearth/protocol";

/** For `text`, the file's name also chooses the look. */
export type PreviewKind = "picture" | "sound" | "film" | "document" | "text" | "none";

/** Types that browsers show as a picture. SVG is text for the house. */
const PICTURE_TYPES: ReadonlySet<string> = new Set([
  ...["image/avif", "image/gif", "image/jpeg", "image/png", "image/apng", "image/webp"],
]);

export const previewKindOf = (type: string): PreviewKind => {
  if (PICTURE_TYPES.has(type)) return "picture";
  if (type.startsWith("audio/")) return "sound";
  if (type.startsWith("video/")) return "film";
  if (type === "text/plain") return "text";
  return isDocumentType(type) ? "document" : "none";
};

export type TextFormat =
  | { readonly kind: "markdown" | "table" }
  | { readonly kind: "code"; readonly language: string | undefined };

export const textFormatOf = (path: string): TextFormat => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = /\.([a-z0-9+]{1,12})$/iu.exec(name)?.[1]?.toLowerCase();
  if (extension === "md" || extension === "markdown") return { kind: "markdown" };
  if (extension === "csv" || extension === "tsv") return { kind: "table" };
  return { kind: "code", language: extension === "txt" || extension === "log" ? undefined : extension };
};
