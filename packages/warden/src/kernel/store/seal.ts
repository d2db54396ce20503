/**
 * Seals, which reveal changes of a stream. Each event's seal covers it and the seal before it with
 * a key that is outside the store, so without the key no event can be changed, removed, reordered
 * or inserted undetected.
 */
import type { AuditRow } from "@hearth/protocol";

/** Which streams are sealed, and how. */
export interface Sealer {
  covers(stream: string): boolean;
  /** `before`: the seal of the previous event, null for the first. */
  seal(before: string | null, event: Omit<AuditRow, "seal">): string;
}

/** HMAC-SHA-256 of a text in UTF-8, with a key that it holds, as lower-case hex. */
export type Hmac = (text: string) => string;

/** `covers`: the prefix of sealed streams' names. */
export const createSealer = (options: { readonly covers: string; readonly hmac: Hmac }): Sealer => ({
  covers: (stream) => stream.startsWith(options.covers),
  seal: (before, { stream, offset, id, type, at, body, blob, labels }) =>
    options.hmac(toFields(["event", before ?? "", stream, String(offset), id, type, String(at), body, blob, labels])),
});

/**
 * Encodes fields unambiguously as netstrings: length in UTF-8 bytes, a colon, the field and a
 * comma; `-,` for null.
 */
export const toFields = (fields: readonly (string | null)[]): string =>
  fields.map((field) => (field === null ? "-," : `${sizeOf(field)}:${field},`)).join("");

const encoder = new TextEncoder();
const sizeOf = (text: string): number => encoder.encode(text).length;
