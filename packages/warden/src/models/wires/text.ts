/** Text that every server accepts. */
import type { z } from "zod";

export type Json = z.infer<ReturnType<typeof z.json>>;

/** A lone surrogate becomes U+FFFD, because vendors refuse the whole request for one. */
export const cleanText = (text: string): string => text.toWellFormed();

/** Also replaces NUL, because servers with C strings or PostgreSQL cannot store it. */
export const cleanForSending = (text: string): string => cleanText(text).replaceAll("\0", "\uFFFD");

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

/** In UTF-8. A token is at least one byte, in any language. */
export const bytesOf = (text: string): number => encoder.encode(text).length;

/** Splits a complete text into words, so that readers receive more than one delta. */
export const toDeltas = (text: string): readonly string[] => text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]);
