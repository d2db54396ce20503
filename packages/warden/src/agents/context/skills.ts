/**
 * Reads a skill's name and description from the head of its `SKILL.md`, and formats its line in the
 * prompt. The agent reads the rest of the file when it needs the skill.
 */

/** Maximum length of a description in the index, in UTF-16 code units. */
const MAX_DESCRIPTION_LENGTH = 300;

/** Returns `- name: description`, or only the name if the file has no description. */
export const skillLine = (folder: string, text: string): string => {
  const head = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/u.exec(text)?.[1] ?? "";
  const description = oneLine(field(head, "description")).slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed();
  return description === "" ? `- ${folder}` : `- ${folder}: ${description}`;
};

/** Reads the value of a field: a plain text, a quoted text or an indented block. */
const field = (head: string, name: string): string => {
  const lines = head.split(/\r?\n/u);
  const fieldIndex = lines.findIndex((line) => line.startsWith(`${name}:`));
  if (fieldIndex < 0) return "";
  const value = (lines[fieldIndex] ?? "").slice(name.length + 1).trim();
  const followingLines = lines.slice(fieldIndex + 1);
  const end = followingLines.findIndex((line) => !/^\s+\S/u.test(line));
  const continuation = followingLines.slice(0, end < 0 ? followingLines.length : end);
  return [/^[|>][+-]?$/u.test(value) ? "" : unquote(value), ...continuation].join(" ");
};

const unquote = (value: string): string => /^(["'])(.*)\1$/u.exec(value)?.[2] ?? value;

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
