/** Describes validation errors in plain words. Pure. */
import type { z } from "zod";

/** Formats one issue, to follow the field's name: "is missing", "takes text, not a number". */
export const describeIssue = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case "invalid_type":
      return describeType(issue.expected, /received (\w+)$/.exec(issue.message)?.[1]);
    case "too_small":
      return `takes at least ${describeSize(issue.minimum, issue.origin)}`;
    case "too_big":
      return `takes at most ${describeSize(issue.maximum, issue.origin)}`;
    case "invalid_value":
      return `takes ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "unrecognized_keys":
      return `takes no ${issue.keys.map((key) => JSON.stringify(key)).join(" and no ")}`;
    default:
      return describeChoice(issue.message) ?? describeId(issue.message) ?? issue.message;
  }
};

const describeType = (expected: string, received: string | undefined): string => {
  if (received === "undefined") return "is missing";
  const expectedType = typeNames[expected] ?? expected;
  // The text of a query is not a number.
  if (received === undefined || received === "NaN") return `takes ${expectedType}`;
  return `takes ${expectedType}, not ${typeNames[received] ?? received}`;
};

const typeNames: { readonly [kind: string]: string } = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

const describeSize = (limit: number | bigint, origin: string): string => {
  const unit = unitNames[origin];
  return unit === undefined ? `${limit}` : `${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
};

const unitNames: { readonly [origin: string]: string } = {
  string: "character",
  array: "item",
  set: "item",
  map: "item",
};

/** Converts "Invalid discriminator value. Expected 'subscribe' | 'post'" to 'takes "subscribe" or "post"'. */
const describeChoice = (message: string): string | undefined => {
  const choices = /^Invalid discriminator value\. Expected (.+)$/.exec(message)?.[1];
  return choices === undefined ? undefined : `takes ${choices.replaceAll("'", '"').replaceAll(" | ", " or ")}`;
};

/** Converts "not a SessionId", the message of the ids' schemas, to "is not the id of a session". */
const describeId = (message: string): string | undefined => {
  const name = /^not a (\w+)Id$/.exec(message)?.[1];
  if (name === undefined) return undefined;
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  return `is not the id of ${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
};
