/** Takes values out of what passes by, in every form that they have, wherever the borders of its pieces are. */
import { formsOf } from "./forms.ts";

export interface Known {
  readonly name: string;
  readonly value: string;
}

/** One stream of bytes on its way. What might be the beginning of a value is held back until it is known not to be. */
export interface RedactingStream {
  push(bytes: Uint8Array): Uint8Array;
  /** What was held back. Nothing may be pushed after it. */
  end(): Uint8Array;
}

/**
 * Contract, checked by its tests:
 * - however the bytes are cut into pieces, what comes out is the same
 * - each form of each value is `[secret NAME]`, and all else passes as it is; where several begin at one place the longest counts
 * - a stream holds back less than the longest form, and nothing when nothing could begin there
 */
export interface Redactor {
  stream(): RedactingStream;
  /** The same for a text; itself when there is nothing in it. */
  text(text: string): string;
}

interface Form {
  readonly bytes: Uint8Array;
  readonly mark: Uint8Array;
}

/** No form is shorter: a value has at least eight bytes. */
const HEAD_SIZE = 4;
const PAIRS = 256 * 256;
const NOTHING = new Uint8Array();
const NONE: readonly Form[] = [];

export const createRedactor = (secrets: readonly Known[]): Redactor => {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const forms: readonly Form[] = secrets.flatMap(({ name, value }) => {
    const mark = encoder.encode(`[secret ${name}]`);
    return formsOf(value).map((bytes) => ({ bytes, mark }));
  });
  const byHead = Map.groupBy(forms, ({ bytes }) => headAt(bytes, 0));
  /** Nearly every place is passed by after one look at this: whether any form begins with these two bytes. */
  const begins = new Uint8Array(forms.length === 0 ? 0 : PAIRS);
  for (const { bytes } of forms) begins[pairAt(bytes, 0)] = 1;

  /** Forms that stand at `at`, or might if more came. */
  const candidates = (bytes: Uint8Array, at: number): readonly Form[] => {
    if (at + HEAD_SIZE <= bytes.length)
      return begins[pairAt(bytes, at)] === 1 ? (byHead.get(headAt(bytes, at)) ?? NONE) : NONE;
    return forms.filter((form) => agrees(form.bytes, bytes, at));
  };

  const stream = (): RedactingStream => {
    let held: Uint8Array = NOTHING;

    /** What of it may go on; the rest is held. */
    const pass = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
      const pieces: Uint8Array[] = [];
      let from = 0;
      let at = 0;
      while (at < bytes.length) {
        const near = candidates(bytes, at);
        const here = near.length === 0 ? near : near.filter((form) => agrees(form.bytes, bytes, at));
        if (here.length === 0) {
          at += 1;
          continue;
        }
        const left = bytes.length - at;
        if (!isLast && here.some((form) => form.bytes.length > left)) break;
        const found = here
          .filter((form) => form.bytes.length <= left)
          .reduce<Form | undefined>(
            (best, form) => (best === undefined || form.bytes.length > best.bytes.length ? form : best),
            undefined,
          );
        if (found === undefined) {
          at += 1;
          continue;
        }
        pieces.push(bytes.subarray(from, at), found.mark);
        at += found.bytes.length;
        from = at;
      }
      pieces.push(bytes.subarray(from, at));
      held = bytes.slice(at);
      return join(pieces);
    };

    return {
      push: (bytes) => pass(held.length === 0 ? bytes : join([held, bytes]), false),
      end: () => pass(held, true),
    };
  };

  return {
    stream,
    text(text) {
      if (forms.length === 0) return text;
      const bytes = encoder.encode(text);
      const one = stream();
      const out = join([one.push(bytes), one.end()]);
      // A text that is not well formed comes back as it was, unless there is something in it.
      return out.length === bytes.length && out.every((byte, index) => byte === bytes[index])
        ? text
        : decoder.decode(out);
    },
  };
};

const pairAt = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

const headAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);

/** Whether the form stands at `at`, as far as there are bytes. */
const agrees = (form: Uint8Array, bytes: Uint8Array, at: number): boolean => {
  const length = Math.min(form.length, bytes.length - at);
  for (let index = 0; index < length; index += 1) if (form[index] !== bytes[at + index]) return false;
  return true;
};

const join = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first = NOTHING, ...others] = pieces.filter(({ length }) => length > 0);
  if (others.length === 0) return first;
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
};
