/** What is too long for a model in one piece: its head and its tail, and a word on what lay between. */

/** Longest piece, in UTF-16 code units. */
export const MAX_PART_LENGTH = 20_000;

/** Keeps 70 % head and 20 % tail of what is too long, and says so in between. `path`: where in the brain all of it is. */
export const shorten = (text: string, path?: string): string => {
  if (text.length <= MAX_PART_LENGTH) return text;
  // A cut through a character leaves none of it.
  const head = text.slice(0, MAX_PART_LENGTH * 0.7).replace(/[\uD800-\uDBFF]$/u, "");
  const tail = text.slice(-MAX_PART_LENGTH * 0.2).replace(/^[\uDC00-\uDFFF]/u, "");
  const where = path === undefined ? "" : `; \`read_brain\` shows ${path} whole`;
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out${where} …]\n${tail}`;
};
