/** What a platform calls someone, as a name that a record may have. */
import { MAX_NAME_LENGTH } from "@hearth/protocol";

/** Code units of the longest that is left of a name, with room for what tells it from others of that name. */
const LONGEST = MAX_NAME_LENGTH - 100;

/** On one line, well formed, neither empty nor endless; else `fallback`, which is ours. */
export const plainName = (given: string, fallback: string): string => {
  const visible = given
    .toWellFormed()
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  return (visible === "" ? fallback : visible).slice(0, LONGEST).toWellFormed();
};
