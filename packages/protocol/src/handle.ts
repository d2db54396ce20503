/** Display name → @handle, and the @handles in a text. */

export const MAX_HANDLE_LENGTH = 64;

/**
 * "Archive Bot" → "archive-bot". Letters and digits of any script stay; everything else becomes one hyphen.
 * Empty when the name has neither.
 */
export const nameToHandle = (name: string): string =>
  [
    ...name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-"),
  ]
    .slice(0, MAX_HANDLE_LENGTH)
    .join("")
    .replace(/^-+|-+$/g, "");

/** A handle is what its own slug is. */
export const isHandle = (text: string): boolean => text !== "" && nameToHandle(text) === text;

const CODE = /```[\s\S]*?(?:```|$)|``[^\n]*?``|`[^`\n]*`/g;
const MENTION = /(?<![\p{L}\p{M}\p{N}_@/.])@([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)/gu;

/** The handles that a Markdown text mentions, each once, in order. Code is not a mention, nor is an e-mail address. */
export const parseMentions = (text: string): readonly string[] => {
  const handles = new Set<string>();
  for (const match of text.replace(CODE, " ").matchAll(MENTION)) {
    const handle = nameToHandle(match[1] ?? "");
    if (handle !== "") handles.add(handle);
  }
  return [...handles];
};
