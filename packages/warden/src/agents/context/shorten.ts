/** Shortens text that is too long for one prompt part to its head and tail. */

/** Maximum length of one part, in UTF-16 code units. */
export const MAX_PART_LENGTH = 20_000;

/**
 * Keeps the first 70 % and the last 20 % of a text that is too long, with a note between them.
 * `path` names the file with the full text.
 */
export const shorten = (text: string, path?: string): string => {
  if (text.length <= MAX_PART_LENGTH) return text;
  // The cut may leave half of a surrogate pair, which is removed.
  const head = text.slice(0, MAX_PART_LENGTH * 0.7).replace(/[\uD800-\uDBFF]$/u, "");
  const tail = text.slice(-MAX_PART_LENGTH * 0.2).replace(/^[\uDC00-\uDFFF]/u, "");
  const pathNote = path === undefined ? "" : `; \`read_brain\` shows ${path} whole`;
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out${pathNote} …]\n${tail}`;
};
