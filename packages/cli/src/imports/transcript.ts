/** Turns a conversation of another agent into pages for the memory, which `recall` searches. */
import type { FileItem } from "./plan.ts";

export interface Said {
  readonly by: "person" | "agent";
  readonly text: string;
  /** As in the source, such as an ISO date. */
  readonly at?: string;
}

export interface Conversation {
  readonly from: string;
  /** The name of the page, without its end. */
  readonly name: string;
  readonly title: string;
  readonly said: readonly Said[];
}

/** A page below the limit of a file of the brain, in characters of up to three bytes. */
const MAX_PAGE = 300_000;

/** The lines of a file of JSON lines that are objects. Other lines, such as a cut-off one, are left out. */
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

/** The text of a message: a string, or blocks of which only text counts. */
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

/** One page, or several of a long conversation. None for an empty conversation. */
export const toPages = (
  { from, name, title, said }: Conversation,
  folder: string,
  clean: (text: string) => string,
): readonly FileItem[] => {
  const parts: string[] = [];
  let part = "";
  for (const { by, text, at } of said) {
    const shown = `**${by}**${at === undefined ? "" : ` (${at})`}: ${clean(text)}\n\n`.slice(0, MAX_PAGE);
    if (part !== "" && part.length + shown.length > MAX_PAGE) {
      parts.push(part);
      part = "";
    }
    part += shown;
  }
  if (part !== "") parts.push(part);
  return parts.map((body, index) => ({
    kind: "file" as const,
    from,
    to: `${folder}/${name}${index === 0 ? "" : `-${index + 1}`}.md`,
    text: `# ${title}${parts.length === 1 ? "" : `, part ${index + 1}`}\n\n${body}`,
    change: "a page of what the person and the agent wrote, without tools and secrets",
  }));
};
