/** Replaces all forms of secret values in a stream, wherever the stream is split into chunks. */
import { formsOf, wrappedFormsOf } from "./forms.ts";

export interface KnownSecret {
  readonly name: string;
  readonly value: string;
}

/**
 * A byte stream with redaction. Bytes that may begin a value are held back until this is decided.
 */
export interface RedactingStream {
  push(bytes: Uint8Array): Uint8Array;
  /** Returns the bytes held back. `push` must not be called afterwards. */
  end(): Uint8Array;
  /** Whether a value has been replaced so far. */
  hasReplaced(): boolean;
}

/**
 * Contract, checked by its tests:
 * - the output does not depend on how the bytes are split
 * - each form of each value becomes `[secret NAME]`, and all else passes unchanged; of forms that
 *   begin at one place, the longest wins
 * - a stream holds back less than the longest form with its line breaks, and nothing where no form
 *   could begin
 */
export interface Redactor {
  stream(): RedactingStream;
  /** Redacts a text. Returns the text itself if it contains no value. */
  text(text: string): string;
}

interface Form {
  readonly bytes: Uint8Array;
  readonly mark: Uint8Array;
  /** Whether line breaks may occur inside the form. */
  readonly wraps: boolean;
}

/**
 * Number of matched bytes, `more` if all available bytes match so far, or undefined if there is no
 * match.
 */
type Match = number | "more" | undefined;

/**
 * Number of leading bytes by which forms are looked up. A secret has at least eight bytes, so every
 * form is longer.
 */
const HEAD_SIZE = 4;
const PAIR_COUNT = 256 * 256;
const NO_BYTES = new Uint8Array();
const NO_FORMS: readonly Form[] = [];

export const createRedactor = (secrets: readonly KnownSecret[]): Redactor => {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const forms: readonly Form[] = secrets.flatMap(({ name, value }) => {
    const mark = encoder.encode(`[secret ${name}]`);
    return [
      ...formsOf(value).map((bytes) => ({ bytes, mark, wraps: false })),
      ...wrappedFormsOf(value).map((bytes) => ({ bytes, mark, wraps: true })),
    ];
  });
  const byHead = Map.groupBy(forms, ({ bytes }) => headAt(bytes, 0));
  /** Marks the first two bytes of all forms, so that most positions need one lookup. */
  const startPairs = new Uint8Array(forms.length === 0 ? 0 : PAIR_COUNT);
  for (const { bytes } of forms) startPairs[pairAt(bytes, 0)] = 1;

  /** Returns the forms that match at `offset`, or that might match with more bytes. */
  const formsAt = (bytes: Uint8Array, offset: number): readonly Form[] => {
    if (offset + HEAD_SIZE <= bytes.length)
      return startPairs[pairAt(bytes, offset)] === 1 ? (byHead.get(headAt(bytes, offset)) ?? NO_FORMS) : NO_FORMS;
    return forms.filter((form) => matchAt(form, bytes, offset) !== undefined);
  };

  const stream = (): RedactingStream => {
    let pendingBytes: Uint8Array = NO_BYTES;
    let hasReplaced = false;

    /** Returns the bytes that may pass; the rest is held back. */
    const redact = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
      const chunks: Uint8Array[] = [];
      let from = 0;
      let offset = 0;
      while (offset < bytes.length) {
        const possibleForms = formsAt(bytes, offset);
        let longest = 0;
        let mark: Uint8Array = NO_BYTES;
        let isUndecided = false;
        for (const form of possibleForms) {
          const match = matchAt(form, bytes, offset);
          if (match === "more") isUndecided = true;
          else if (match !== undefined && match > longest) {
            longest = match;
            ({ mark } = form);
          }
        }
        if (isUndecided && !isLast) break;
        if (longest === 0) {
          offset += 1;
          continue;
        }
        chunks.push(bytes.subarray(from, offset), mark);
        hasReplaced = true;
        offset += longest;
        from = offset;
      }
      chunks.push(bytes.subarray(from, offset));
      pendingBytes = bytes.slice(offset);
      return join(chunks);
    };

    return {
      push: (bytes) => redact(pendingBytes.length === 0 ? bytes : join([pendingBytes, bytes]), false),
      end: () => redact(pendingBytes, true),
      hasReplaced: () => hasReplaced,
    };
  };

  return {
    stream,
    text(text) {
      if (forms.length === 0) return text;
      const redacting = stream();
      const redactedBytes = join([redacting.push(encoder.encode(text)), redacting.end()]);
      // Decoding would repair a malformed text, so return the original if nothing was replaced.
      return redacting.hasReplaced() ? decoder.decode(redactedBytes) : text;
    },
  };
};

const pairAt = (bytes: Uint8Array, offset: number): number => ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);

const headAt = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] ?? 0) << 24) |
  ((bytes[offset + 1] ?? 0) << 16) |
  ((bytes[offset + 2] ?? 0) << 8) |
  (bytes[offset + 3] ?? 0);

const matchAt = ({ bytes: form, wraps }: Form, bytes: Uint8Array, offset: number): Match => {
  let position = offset;
  let breakSize = 0;
  for (let index = 0; index < form.length;) {
    if (position >= bytes.length) return "more";
    if (bytes[position] === form[index]) {
      index += 1;
      position += 1;
      breakSize = 0;
    } else {
      const size = wraps && index >= HEAD_SIZE ? breakAt(bytes, position) : 0;
      breakSize += size;
      if (size === 0 || breakSize > MAX_BREAK) return undefined;
      position += size;
    }
  }
  return position - offset;
};

/** Maximum size of a line break with indentation, in bytes. */
const MAX_BREAK = 16;
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const BACKSLASH = 0x5c;
/** `n`, `r` and `t`, which follow a backslash in JSON. */
const ESCAPED: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74]);

/**
 * Returns the size of one step of a line break, or 0. A backslash at the last byte may begin a
 * step.
 */
const breakAt = (bytes: Uint8Array, offset: number): number => {
  const byte = bytes[offset] ?? 0;
  if (SPACES.has(byte)) return 1;
  if (byte !== BACKSLASH) return 0;
  if (offset + 1 >= bytes.length) return 1;
  return ESCAPED.has(bytes[offset + 1] ?? 0) ? 2 : 0;
};

const join = (chunks: readonly Uint8Array[]): Uint8Array => {
  const joinedBytes = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joinedBytes.set(chunk, offset);
    offset += chunk.length;
  }
  return joinedBytes;
};
