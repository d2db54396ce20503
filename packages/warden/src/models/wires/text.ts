/** Text that no server chokes on. */
import type { z } from "zod";

export type Json = z.infer<ReturnType<typeof z.json>>;

/** Half a character becomes U+FFFD: vendors refuse the whole request for one. */
export const cleanText = (text: string): string => text.toWellFormed();

/** For what is sent: NUL too, which servers in front of a C string or a PostgreSQL text cannot take. */
export const cleanSent = (text: string): string => cleanText(text).replaceAll("\0", "\uFFFD");

/** The same value with every text in it cleaned, keys included. */
export const cleanJson = (value: Json, clean: (text: string) => string = cleanText): Json => {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, clean));
  if (typeof value !== "object" || value === null) return value;
  return cleanObject(value, clean);
};

export const cleanObject = (
  value: { readonly [key: string]: Json },
  clean: (text: string) => string = cleanText,
): Record<string, Json> =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), cleanJson(inner, clean)]));

const encoder = new TextEncoder();

/** In UTF-8. No token is less than one, in whatever language. */
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** Word by word, for models that have their whole text at once: whoever reads meets more than one delta. */
export const toDeltas = (text: string): readonly string[] => text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]);
