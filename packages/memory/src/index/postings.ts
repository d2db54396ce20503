/**
 * Posting lists for very many terms. Each term has a chain of slices of growing size in large
 * pages. Postings are never removed, and readers skip chunks that no longer exist.
 */
import type { Counts } from "./columns.ts";
import { createGrowableArray } from "./growing.ts";

export interface Postings {
  /** Adds a posting. Chunks of a term must be added in ascending order. */
  add(term: number, chunk: number, counts: Counts): void;
  read(term: number): PostingList;
}

/** The postings of a term. Valid until the next `read`. */
export interface PostingList {
  readonly count: number;
  readonly chunks: Uint32Array;
  readonly counts: Uint8Array;
}

/** Returns the term's counts in a chunk, 0 if it does not occur. */
export const countsIn = ({ count, chunks, counts }: PostingList, chunk: number): Counts => {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle] ?? 0) < chunk) low = middle + 1;
    else high = middle;
  }
  return low < count && chunks[low] === chunk ? (counts[low] ?? 0) : 0;
};

const PAGE_BITS = 20;
const PAGE = 1 << PAGE_BITS;
const FIRST_SLICE = 8;
const LAST_SLICE = 4096;
/** Every slice ends with the address of the next one. */
const POINTER = 4;
/**
 * Maximum size of a posting: a varint with the gap and a flag, and then the counts. Counts are
 * omitted in the usual case, a single occurrence in the text.
 */
const MAX_POSTING = 6;
/** The counts of a single occurrence in the text. */
const SINGLE_OCCURRENCE: Counts = 1;

export const createPostings = (): Postings => {
  const pages: { readonly bytes: Uint8Array; readonly view: DataView }[] = [];
  let free = PAGE;
  const heads = createGrowableArray((length) => new Uint32Array(length));
  const tails = createGrowableArray((length) => new Uint32Array(length));
  const room = createGrowableArray((length) => new Uint16Array(length));
  const slices = createGrowableArray((length) => new Uint16Array(length));
  const lasts = createGrowableArray((length) => new Uint32Array(length));
  const counted = createGrowableArray((length) => new Uint32Array(length));
  const all = [heads, tails, room, slices, lasts, counted];
  const raw = createGrowableArray((length) => new Uint8Array(length));
  const chunks = createGrowableArray((length) => new Uint32Array(length));
  const counts = createGrowableArray((length) => new Uint8Array(length));

  const allocate = (size: number): number => {
    if (free + size > PAGE) {
      const bytes = new Uint8Array(PAGE);
      pages.push({ bytes, view: new DataView(bytes.buffer) });
      free = 0;
    }
    const address = (pages.length - 1) * PAGE + free;
    free += size;
    return address;
  };

  /** Allocates the first or next slice of a term. */
  const extend = (term: number): void => {
    const before = slices.array[term] ?? 0;
    const size = before === 0 ? FIRST_SLICE : Math.min(LAST_SLICE, before * 2);
    const address = allocate(size);
    if (before === 0) heads.array[term] = address;
    else {
      const tail = tails.array[term] ?? 0;
      pages[tail >>> PAGE_BITS]?.view.setUint32(tail & (PAGE - 1), address);
    }
    tails.array[term] = address;
    slices.array[term] = size;
    room.array[term] = size - POINTER;
  };

  const write = (term: number, byte: number): void => {
    if (room.array[term] === 0) extend(term);
    const tail = tails.array[term] ?? 0;
    const page = pages[tail >>> PAGE_BITS];
    if (page !== undefined) page.bytes[tail & (PAGE - 1)] = byte;
    tails.array[term] = tail + 1;
    room.array[term] = (room.array[term] ?? 0) - 1;
  };

  /** Copies all bytes of a term into one array. Returns their number. */
  const gather = (term: number): number => {
    let size = FIRST_SLICE;
    let address = heads.array[term] ?? 0;
    let at = 0;
    const [end, last] = [tails.array[term] ?? 0, slices.array[term] ?? 0];
    const begin = end + (room.array[term] ?? 0) + POINTER - last;
    raw.reserve((counted.array[term] ?? 0) * MAX_POSTING);
    for (;;) {
      const { bytes, view } = pages[address >>> PAGE_BITS] ?? EMPTY;
      const from = address & (PAGE - 1);
      const length = address === begin ? end - begin : size - POINTER;
      raw.array.set(bytes.subarray(from, from + length), at);
      at += length;
      if (address === begin) return at;
      address = view.getUint32(from + length);
      size = Math.min(LAST_SLICE, size * 2);
    }
  };

  return {
    add(term, chunk, occurrences) {
      for (const column of all) column.reserve(term + 1);
      let written = ((chunk - (lasts.array[term] ?? 0)) << 1) | Number(occurrences !== SINGLE_OCCURRENCE);
      lasts.array[term] = chunk;
      counted.array[term] = (counted.array[term] ?? 0) + 1;
      for (; written > 127; written >>>= 7) write(term, (written & 127) | 128);
      write(term, written);
      if (occurrences !== SINGLE_OCCURRENCE) write(term, occurrences);
    },
    read(term) {
      const count = counted.array[term] ?? 0;
      if (count === 0) return { count, chunks: chunks.array, counts: counts.array };
      gather(term);
      chunks.reserve(count);
      counts.reserve(count);
      decode(raw.array, count, chunks.array, counts.array);
      return { count, chunks: chunks.array, counts: counts.array };
    },
  };
};

const EMPTY = { bytes: new Uint8Array(0), view: new DataView(new ArrayBuffer(POINTER)) };

const decode = (bytes: Uint8Array, count: number, chunks: Uint32Array, counts: Uint8Array): void => {
  let at = 0;
  let chunk = 0;
  for (let index = 0; index < count; index += 1) {
    let byte = bytes[at++] ?? 0;
    let written = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      written |= (byte & 127) << shift;
    }
    chunk += written >>> 1;
    chunks[index] = chunk;
    counts[index] = (written & 1) === 0 ? SINGLE_OCCURRENCE : (bytes[at++] ?? 0);
  }
};
