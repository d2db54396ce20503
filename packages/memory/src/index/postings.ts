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

/** The postings of a term. They are valid until the next `read`. */
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
const PAGE_BYTES = 1 << PAGE_BITS;
const MIN_SLICE_BYTES = 8;
const MAX_SLICE_BYTES = 4096;
/** Every slice ends with the address of the next one. */
const POINTER_BYTES = 4;
/**
 * Maximum size of a posting: a varint with the gap and a flag, and then the counts. Counts are
 * omitted in the usual case, a single occurrence in the text.
 */
const MAX_POSTING_BYTES = 6;
/** The counts of a single occurrence in the text. */
const SINGLE_OCCURRENCE: Counts = 1;

export const createPostings = (): Postings => {
  const pages: { readonly bytes: Uint8Array; readonly view: DataView }[] = [];
  let freeAt = PAGE_BYTES;
  const heads = createGrowableArray((length) => new Uint32Array(length));
  const tails = createGrowableArray((length) => new Uint32Array(length));
  const freeBytes = createGrowableArray((length) => new Uint16Array(length));
  const slices = createGrowableArray((length) => new Uint16Array(length));
  const lastChunks = createGrowableArray((length) => new Uint32Array(length));
  const postingCounts = createGrowableArray((length) => new Uint32Array(length));
  const columns = [heads, tails, freeBytes, slices, lastChunks, postingCounts];
  const gathered = createGrowableArray((length) => new Uint8Array(length));
  const chunks = createGrowableArray((length) => new Uint32Array(length));
  const counts = createGrowableArray((length) => new Uint8Array(length));

  const allocate = (size: number): number => {
    if (freeAt + size > PAGE_BYTES) {
      const bytes = new Uint8Array(PAGE_BYTES);
      pages.push({ bytes, view: new DataView(bytes.buffer) });
      freeAt = 0;
    }
    const address = (pages.length - 1) * PAGE_BYTES + freeAt;
    freeAt += size;
    return address;
  };

  /** Allocates the first or next slice of a term. */
  const extend = (term: number): void => {
    const previousSize = slices.array[term] ?? 0;
    const size = previousSize === 0 ? MIN_SLICE_BYTES : Math.min(MAX_SLICE_BYTES, previousSize * 2);
    const address = allocate(size);
    if (previousSize === 0) heads.array[term] = address;
    else {
      const tail = tails.array[term] ?? 0;
      pages[tail >>> PAGE_BITS]?.view.setUint32(tail & (PAGE_BYTES - 1), address);
    }
    tails.array[term] = address;
    slices.array[term] = size;
    freeBytes.array[term] = size - POINTER_BYTES;
  };

  const write = (term: number, byte: number): void => {
    if (freeBytes.array[term] === 0) extend(term);
    const tail = tails.array[term] ?? 0;
    const page = pages[tail >>> PAGE_BITS];
    if (page !== undefined) page.bytes[tail & (PAGE_BYTES - 1)] = byte;
    tails.array[term] = tail + 1;
    freeBytes.array[term] = (freeBytes.array[term] ?? 0) - 1;
  };

  /** Copies all bytes of a term into one array. Returns their number. */
  const gather = (term: number): number => {
    let size = MIN_SLICE_BYTES;
    let address = heads.array[term] ?? 0;
    let gatheredBytes = 0;
    const [end, lastSliceBytes] = [tails.array[term] ?? 0, slices.array[term] ?? 0];
    const begin = end + (freeBytes.array[term] ?? 0) + POINTER_BYTES - lastSliceBytes;
    gathered.reserve((postingCounts.array[term] ?? 0) * MAX_POSTING_BYTES);
    for (;;) {
      const { bytes, view } = pages[address >>> PAGE_BITS] ?? EMPTY;
      const from = address & (PAGE_BYTES - 1);
      const length = address === begin ? end - begin : size - POINTER_BYTES;
      gathered.array.set(bytes.subarray(from, from + length), gatheredBytes);
      gatheredBytes += length;
      if (address === begin) return gatheredBytes;
      address = view.getUint32(from + length);
      size = Math.min(MAX_SLICE_BYTES, size * 2);
    }
  };

  return {
    add(term, chunk, occurrences) {
      for (const column of columns) column.reserve(term + 1);
      let encoded = ((chunk - (lastChunks.array[term] ?? 0)) << 1) | Number(occurrences !== SINGLE_OCCURRENCE);
      lastChunks.array[term] = chunk;
      postingCounts.array[term] = (postingCounts.array[term] ?? 0) + 1;
      for (; encoded > 127; encoded >>>= 7) write(term, (encoded & 127) | 128);
      write(term, encoded);
      if (occurrences !== SINGLE_OCCURRENCE) write(term, occurrences);
    },
    read(term) {
      const count = postingCounts.array[term] ?? 0;
      if (count === 0) return { count, chunks: chunks.array, counts: counts.array };
      gather(term);
      chunks.reserve(count);
      counts.reserve(count);
      decode(gathered.array, count, chunks.array, counts.array);
      return { count, chunks: chunks.array, counts: counts.array };
    },
  };
};

const EMPTY = { bytes: new Uint8Array(0), view: new DataView(new ArrayBuffer(POINTER_BYTES)) };

const decode = (bytes: Uint8Array, count: number, chunks: Uint32Array, counts: Uint8Array): void => {
  let offset = 0;
  let chunk = 0;
  for (let index = 0; index < count; index += 1) {
    let byte = bytes[offset++] ?? 0;
    let encoded = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[offset++] ?? 0;
      encoded |= (byte & 127) << shift;
    }
    chunk += encoded >>> 1;
    chunks[index] = chunk;
    counts[index] = (encoded & 1) === 0 ? SINGLE_OCCURRENCE : (bytes[offset++] ?? 0);
  }
};
