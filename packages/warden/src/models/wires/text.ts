/** Cleans text so that every server accepts it. */
import type { z } from "zod";

export type Json = z.infer<ReturnType<typeof z.json>>;

/** Replaces lone surrogates by U+FFFD, because vendors refuse a whole request that contains one. */
export const cleanText = (text: string): string => text.toWellFormed();

/**
 * Replaces lone surrogates and NUL, because servers with C strings or PostgreSQL cannot store NUL.
 */
export const cleanForSending = (text: string): string => cleanText(text).replaceAll("\0", "\uFFFD");

/** Returns the value with every text in it cleaned, including keys. */
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

/** Returns the size in UTF-8. A token is at least one byte, in any language. */
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** Splits a complete text into words, so that readers receive more than one delta. */
export const toDeltas = (text: string): readonly string[] => text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]);
