/** Fields of a record as flags give them: what was not given is left alone, an empty text takes its field away. */
import type { PatchRecord } from "@hearth/protocol";

/** A change of a record. The house holds each field against its schema. */
export const toFields = (given: Readonly<Record<string, unknown>>): PatchRecord["content"] =>
  Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value === "" ? null : value]],
    ),
  ) as PatchRecord["content"];

/** For a new record, which has nothing to take away. */
export const toTexts = (given: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([field, text]) => (text === undefined || text === "" ? [] : [[field, text]])),
  );
