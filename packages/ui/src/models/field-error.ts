/** Assigns a validation error to the form field that it is about. */
import { isHearthError } from "@hearth/protocol";
import { plainWords } from "../design/error-words.ts";
import * as texts from "./text.ts";

/** Returns the message for a field, or undefined if the error is not about this field. */
export const errorOfField = (error: unknown, field: string): string | undefined => {
  if (fieldOf(error) !== field || !isHearthError(error)) return undefined;
  // The house's message names the handle, which the user did not enter.
  if (error.code === "record.handle-taken") return texts.nameIsTaken;
  return toWords(error.message, error.hint);
};

/** Returns the error unless it is about one of these fields. */
export const omitFieldErrors = (error: unknown, fields: readonly string[]): unknown => {
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

/** Removes the field from a message: "agent: name is too long" becomes "Name is too long." */
const toWords = (message: string, hint: string | undefined): string => {
  const text = (plainWords(message) ?? "")
    .replace(/^(agent|house|room): /, "")
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  const hintText = plainWords(hint);
  return hintText === undefined ? sentence : `${sentence} ${hintText}`;
};
