/** Separates the front matter of a Markdown file from its text. Pure. */

export interface FrontMatter {
  /** The YAML between the two `---` lines. Undefined if the text has no front matter. */
  readonly head: string | undefined;
  readonly body: string;
}

/** Splits the text, which has LF line endings. */
export const splitFrontMatter = (text: string): FrontMatter => {
  const [start, head] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? [];
  return start === undefined ? { head: undefined, body: text } : { head, body: text.slice(start.length) };
};
