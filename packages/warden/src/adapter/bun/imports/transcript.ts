/** Converts a conversation of another agent to pages of the memory, which `recall` searches. */
import { MAX_SOURCE_LENGTH } from "@hearth/protocol";
import type { FileItem } from "../../../http/imports/plan.ts";
import { createFileItem } from "./file-item.ts";

export interface TranscriptMessage {
  readonly by: "person" | "agent";
  readonly text: string;
  /** The time as in the source, such as an ISO date. */
  readonly at?: string;
}

export interface Conversation {
  readonly from: string;
  /** The file name of the page, without its extension. */
  readonly name: string;
  readonly title: string;
  readonly messages: readonly TranscriptMessage[];
}

/**
 * Maximum length of a page in characters. With three bytes per character it is below the limit of a
 * brain file.
 */
const MAX_PAGE = 300_000;

/** Parses JSON lines. Leaves out lines that are not objects, such as one that was cut off. */
export const readLines = (text: string): readonly Record<string, unknown>[] =>
  text.split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });

/** Returns the text of a message, which is a string or blocks. Only blocks of text count. */
export const textOf = (content: unknown): string => {
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: unknown) =>
      typeof block === "object" && block !== null && "type" in block && block.type === "text" && "text" in block
        ? [String(block.text)]
        : [],
    )
    .join("\n")
    .trim();
};

/** Returns one page, several pages of a long conversation, or none of an empty one. */
export const toPages = (
  { from, name, title, messages }: Conversation,
  folder: string,
  clean: (text: string) => string,
): readonly FileItem[] => {
  const parts: string[] = [];
  let part = "";
  let hidesSecrets = false;
  for (const { by, text, at } of messages) {
    const safe = clean(text);
    if (safe !== text) hidesSecrets = true;
    const shown = `**${by}**${at === undefined ? "" : ` (${at})`}: ${safe}\n\n`;
    for (let start = 0; start < shown.length; start += MAX_PAGE) {
      const piece = shown.slice(start, start + MAX_PAGE);
      if (part !== "" && part.length + piece.length > MAX_PAGE) {
        parts.push(part);
        part = "";
      }
      part += piece;
    }
  }
  if (part !== "") parts.push(part);
  return parts.map((body, index) =>
    createFileItem({
      from,
      to: `${folder}/${name}${index === 0 ? "" : `-${index + 1}`}.md`,
      // Cutting, or a damaged source, can leave half of a surrogate pair.
      text: `# ${title}${parts.length === 1 ? "" : `, part ${index + 1}`}\n\n${body}`.toWellFormed(),
      change: "a page of what was written, without tools and secrets; untrusted, since others may have written in it",
      source: `import ${from}`.slice(0, MAX_SOURCE_LENGTH).toWellFormed(),
      ...(hidesSecrets ? { hidesSecrets } : {}),
    }),
  );
};
