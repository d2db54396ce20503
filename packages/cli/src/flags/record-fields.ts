/**
 * Converts flags to record fields. A flag that was not given changes nothing. An empty text removes
 * the field.
 */
import type { PatchRecord } from "@hearth/protocol";

/** Returns the change of a record. The house validates each field against its schema. */
export const toFields = (flags: Readonly<Record<string, unknown>>): PatchRecord["content"] =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value === "" ? null : value]],
    ),
  ) as PatchRecord["content"];

/** Returns the fields of a new record, without empty texts. */
export const toTexts = (flags: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([field, text]) => (text === undefined || text === "" ? [] : [[field, text]])),
  );
