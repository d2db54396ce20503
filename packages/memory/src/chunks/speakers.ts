/** Finds the speaker of a text in the form "Name: words". */

/**
 * Matches a line with a speaker: one to three capitalized words, possibly bold, at its start, then
 * a colon and more words.
 */
const SPEAKER_LINE =
  /^(?:[-*+]\s+)?(?:\[[^\]\n]{1,40}\]\s*)?(?:\*\*|__)?(\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,2})(?:\*\*|__)?:(?:\*\*|__)?\s+\S/u;

/** Words before a colon that are not names. */
const NON_NAMES: ReadonlySet<string> = new Set(
  "note notes todo warning tip example summary date time title tags status result results update updated idea ideas question answer decision why how what when where who next done open plan goal source sources ingredients method steps address phone email link links see also from to re ps important reminder cost price total budget today tomorrow yesterday".split(
    " ",
  ),
);

/** Returns the speaker named in the first line that is not a heading, unless another line names another speaker. */
export const speakerOf = (text: string): string | undefined => {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^#{1,6}\s/.test(line));
  const names = new Set(lines.flatMap((line) => nameBeforeColon(line) ?? []));
  return names.size === 1 ? nameBeforeColon(lines[0] ?? "") : undefined;
};

/** Returns the name before the colon of a line. */
export const nameBeforeColon = (line: string): string | undefined => {
  const name = SPEAKER_LINE.exec(line)?.[1];
  return name === undefined || NON_NAMES.has(name.toLowerCase()) ? undefined : name;
};
