/** Who says a text, where it is written in the way of "Name: words". */

/** One to three words that begin with a capital, maybe bold, at the beginning of the first line, with words after the colon. */
const SPOKEN =
  /^(?:[-*+]\s+)?(?:\[[^\]\n]{1,40}\]\s*)?(?:\*\*|__)?(\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,2})(?:\*\*|__)?:(?:\*\*|__)?\s+\S/u;

/** Words before a colon that name no one. */
const LABELS: ReadonlySet<string> = new Set(
  "note notes todo warning tip example summary date time title tags status result results update updated idea ideas question answer decision why how what when where who next done open plan goal source sources ingredients method steps address phone email link links see also from to re ps important reminder cost price total budget today tomorrow yesterday".split(
    " ",
  ),
);

/** The speaker of a text: whom its first line that is no heading names, unless another line names another. */
export const speakerOf = (text: string): string | undefined => {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^#{1,6}\s/.test(line));
  const names = new Set(lines.flatMap((line) => nameBefore(line) ?? []));
  return names.size === 1 ? nameBefore(lines[0] ?? "") : undefined;
};

/** The name before the colon of a line. */
export const nameBefore = (line: string): string | undefined => {
  const name = SPOKEN.exec(line)?.[1];
  return name === undefined || LABELS.has(name.toLowerCase()) ? undefined : name;
};
