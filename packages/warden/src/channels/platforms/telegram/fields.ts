/** Reads fields of the Bot API, whose types are not trusted. */

export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

export const asId = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;

/** On one line, and short enough for lists. */
export const clean = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 128)
    .toWellFormed();
