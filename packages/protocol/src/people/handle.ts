/** Converts display names to @handles, and finds the @handles in a text. */

export const MAX_HANDLE_LENGTH = 64;

/**
 * Converts a name to a handle: "Archive Bot" → "archive-bot". Keeps letters and digits of any
 * script, and replaces everything else with hyphens. The handle is empty if the name has neither.
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

/** Whether the text is a handle, which is a text that equals its own slug. */
export const isHandle = (text: string): boolean => text !== "" && nameToHandle(text) === text;

const CODE = /```[\s\S]*?(?:```|$)|``[^\n]*?``|`[^`\n]*`/g;
const MENTION = /(?<![\p{L}\p{M}\p{N}_@/.])@([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)/gu;

/**
 * Returns the handles that a Markdown text mentions, each once, in order. Ignores code and e-mail
 * addresses.
 */
export const parseMentions = (text: string): readonly string[] => {
  const handles = new Set<string>();
  for (const match of text.replace(CODE, " ").matchAll(MENTION)) {
    const handle = nameToHandle(match[1] ?? "");
    if (handle !== "") handles.add(handle);
  }
  return [...handles];
};
