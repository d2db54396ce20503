/** Which field of a record a refusal is about, so that it can be said beside it. */
import { isHearthError } from "@hearth/protocol";
import { plainWords } from "../design/error-words.ts";

/** What stands beside the field, or `undefined` when the error is about something else. */
export const errorBeside = (error: unknown, field: string): string | undefined => {
  if (fieldOf(error) !== field || !isHearthError(error)) return undefined;
  // The house speaks of handles, which nobody typed here.
  if (error.code === "record.handle-taken") return "Another has this name, or one much like it. Choose another.";
  return toWords(error.message, error.hint);
};

/** What belongs beside none of these fields. */
export const errorElsewhere = (error: unknown, fields: readonly string[]): unknown => {
  const field = fieldOf(error);
  return field !== undefined && fields.includes(field) ? undefined : error;
};

const fieldOf = (error: unknown): string | undefined => {
  if (!isHearthError(error)) return undefined;
  switch (error.code) {
    case "record.pinned":
      return /^"(\w+)"/.exec(error.message)?.[1];
    case "record.invalid":
      return /^\w+: (\w+)/.exec(error.message)?.[1];
    case "record.handle-taken":
      return "name";
    default:
      return undefined;
  }
};

/** "agent: name is too long" → "Name is too long." */
const toWords = (message: string, hint: string | undefined): string => {
  const text = (plainWords(message) ?? "")
    .replace(/^(agent|house|room): /, "")
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  const more = plainWords(hint);
  return more === undefined ? sentence : `${sentence} ${more}`;
};
