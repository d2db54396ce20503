/**
 * Seals reveal changes of a stream. Each event's seal covers the event and the previous seal with a
 * key that is outside the store. Without the key, no event can be changed, removed, reordered or
 * inserted undetected.
 */
import type { AuditRow } from "@hearth/protocol";

/** Seals the events of some streams. */
export interface Sealer {
  covers(stream: string): boolean;
  /** Returns the seal. `before` is the seal of the previous event, or null for the first. */
  seal(before: string | null, event: Omit<AuditRow, "seal">): string;
}

/** Returns the HMAC-SHA-256 of a text in UTF-8 as lower-case hex. The function holds the key. */
export type Hmac = (text: string) => string;

/** Creates a sealer. `covers` is the prefix of the names of sealed streams. */
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
