/**
 * Seals: what makes a stream show that it was changed. Each event carries one over itself and the seal before it, made with a key that
 * the store does not have, so nobody can change, drop, reorder or add events in between without it.
 */
import type { Row } from "./tables/tables.ts";

/** Events of which streams are sealed, and how. */
export interface Sealer {
  covers(stream: string): boolean;
  /** `before`: the seal of the event before it, nothing for the first. */
  seal(before: string | null, event: Omit<Row<"events">, "seal">): string;
}

/** HMAC-SHA-256 of a text's UTF-8, with the key that it keeps to itself, as lower-case hex. */
export type Hmac = (text: string) => string;

/** `covers`: streams whose names begin so. */
export const createSealer = (options: { readonly covers: string; readonly hmac: Hmac }): Sealer => ({
  covers: (stream) => stream.startsWith(options.covers),
  seal: (before, { stream, offset, id, type, at, body, blob, labels }) =>
    options.hmac(toFields(["event", before ?? "", stream, String(offset), id, type, String(at), body, blob, labels])),
});

/**
 * Fields as one text that no other fields have: each its length in UTF-8 bytes, a colon, itself and a comma (netstrings); `-,` for one
 * that is null.
 */
export const toFields = (fields: readonly (string | null)[]): string =>
  fields.map((field) => (field === null ? "-," : `${sizeOf(field)}:${field},`)).join("");

const encoder = new TextEncoder();
const sizeOf = (text: string): number => encoder.encode(text).length;
