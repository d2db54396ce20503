/** Reads fields of the Bot API, whose types are not trusted. */

export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

export const asId = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;

/** Returns the text on one line, short enough for lists. */
export const cleanField = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 128)
    .toWellFormed();

/** Telegram expects ids as numbers. Anything else is sent unchanged, for Telegram to refuse. */
export const toId = (id: string): number | string => (/^-?\d{1,15}$/.test(id) ? Number(id) : id);

export const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
