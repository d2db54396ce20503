/** Converts a conversation of an imported agent to pages of the memory, which `recall` searches. */
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
  /** The path in the source. */
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
const MAX_PAGE_LENGTH = 300_000;

/** Parses lines of JSON objects. Leaves out other lines, such as a truncated last line. */
export const readJsonLines = (text: string): readonly Record<string, unknown>[] =>
  text.split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });

/** Returns the text of a message, which is a string or a list of blocks. Ignores blocks that are not text. */
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

/**
 * Returns one page, or several for a long conversation, or an empty list for an empty conversation.
 * `removeSecrets` applies to each message.
 */
export const toPages = (
  { from, name, title, messages }: Conversation,
  folder: string,
  removeSecrets: (text: string) => string,
): readonly FileItem[] => {
  const pages: string[] = [];
  let page = "";
  let hidesSecrets = false;
  for (const { by, text, at } of messages) {
    const cleanText = removeSecrets(text);
    if (cleanText !== text) hidesSecrets = true;
    const entry = `**${by}**${at === undefined ? "" : ` (${at})`}: ${cleanText}\n\n`;
    for (let start = 0; start < entry.length; start += MAX_PAGE_LENGTH) {
      const piece = entry.slice(start, start + MAX_PAGE_LENGTH);
      if (page !== "" && page.length + piece.length > MAX_PAGE_LENGTH) {
        pages.push(page);
        page = "";
      }
      page += piece;
    }
  }
  if (page !== "") pages.push(page);
  return pages.map((body, index) =>
    createFileItem({
      from,
      to: `${folder}/${name}${index === 0 ? "" : `-${index + 1}`}.md`,
      // Cutting, or a damaged source, can leave half of a surrogate pair.
      text: `# ${title}${pages.length === 1 ? "" : `, part ${index + 1}`}\n\n${body}`.toWellFormed(),
      change: "messages without tool calls and secrets; untrusted, because other people may have written some of them",
      source: `import ${from}`.slice(0, MAX_SOURCE_LENGTH).toWellFormed(),
      ...(hidesSecrets ? { hidesSecrets } : {}),
    }),
  );
};
