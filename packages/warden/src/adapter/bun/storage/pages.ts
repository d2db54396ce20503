/** Reads rows from pages of a SQLite file without SQLite: a damaged page loses only its own rows. */

export type ColumnValue = string | number | null;

export interface PageFile {
  readonly pageCount: number;
  /**
   * Returns the rows of the page that can be decoded, and the pages below it. Returns undefined if
   * the page does not belong to a b-tree.
   */
  read(page: number): BtreePage | undefined;
}

export interface BtreePage {
  readonly records: readonly (readonly ColumnValue[])[];
  readonly children: readonly number[];
  /** Number of cells that cannot be decoded. */
  readonly damaged: number;
}

const DEFAULT_PAGE_SIZE = 4096;
const HEADER_SIZE = 100;
const INDEX_INTERIOR = 0x02;
const TABLE_INTERIOR = 0x05;
const INDEX_LEAF = 0x0a;
const TABLE_LEAF = 0x0d;

export const createPageFile = (bytes: Uint8Array): PageFile => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = pageSizeOf(view);
  const pageCount = Math.floor(bytes.length / size);

  /** Returns the payload of a cell: the part in its page, and the other parts from overflow pages. */
  const payloadAt = (start: number, end: number, length: number, isTable: boolean): Uint8Array => {
    const maxLocal = isTable ? size - 35 : Math.floor(((size - 12) * 64) / 255) - 23;
    const minLocal = Math.floor(((size - 12) * 32) / 255) - 23;
    if (length > bytes.length) throw new RangeError("the payload is longer than the file");
    const surplus = minLocal + ((length - minLocal) % (size - 4));
    const local = length <= maxLocal ? length : surplus <= maxLocal ? surplus : minLocal;
    if (start + local > end) throw new RangeError("the cell goes beyond its page");
    if (local === length) return bytes.subarray(start, start + length);
    const payload = new Uint8Array(length);
    payload.set(bytes.subarray(start, start + local));
    let nextPage = view.getUint32(start + local);
    for (let filledBytes = local; filledBytes < length;) {
      if (nextPage < 2 || nextPage > pageCount) throw new RangeError("an overflow page is missing");
      const base = (nextPage - 1) * size;
      const takenBytes = Math.min(size - 4, length - filledBytes);
      payload.set(bytes.subarray(base + 4, base + 4 + takenBytes), filledBytes);
      filledBytes += takenBytes;
      nextPage = view.getUint32(base);
    }
    return payload;
  };

  return {
    pageCount,
    read(page) {
      if (page < 1 || page > pageCount) return undefined;
      const base = (page - 1) * size;
      const end = base + size;
      const head = page === 1 ? base + HEADER_SIZE : base;
      const type = view.getUint8(head);
      const isInterior = type === INDEX_INTERIOR || type === TABLE_INTERIOR;
      const isTable = type === TABLE_INTERIOR || type === TABLE_LEAF;
      if (!isInterior && type !== INDEX_LEAF && type !== TABLE_LEAF) return undefined;
      const count = view.getUint16(head + 3);
      const pointers = head + (isInterior ? 12 : 8);
      if (pointers + 2 * count > end) return undefined;
      const children = isInterior ? [view.getUint32(head + 8)] : [];
      const records: (readonly ColumnValue[])[] = [];
      let damagedCount = 0;
      for (let cell = 0; cell < count; cell += 1) {
        try {
          let position = base + view.getUint16(pointers + 2 * cell);
          if (position < pointers + 2 * count || position >= end) throw new RangeError("the cell is not in its page");
          if (isInterior) {
            children.push(view.getUint32(position));
            position += 4;
          }
          if (type === TABLE_INTERIOR) continue;
          const length = readVarint(view, position);
          position = length.next;
          if (isTable) position = readVarint(view, position).next;
          records.push(decodeRecord(payloadAt(position, end, length.value, isTable)));
        } catch (error) {
          if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
          damagedCount += 1;
        }
      }
      return { records, children, damaged: damagedCount };
    },
  };
};

const pageSizeOf = (view: DataView): number => {
  const size = view.byteLength > HEADER_SIZE ? view.getUint16(16) : 0;
  const isPowerOfTwo = size >= 512 && (size & (size - 1)) === 0;
  return isPowerOfTwo ? size : size === 1 ? 65_536 : DEFAULT_PAGE_SIZE;
};

const readVarint = (view: DataView, start: number): { readonly value: number; readonly next: number } => {
  let value = 0n;
  for (let index = 0; index < 9; index += 1) {
    const byte = BigInt(view.getUint8(start + index));
    if (index === 8) return { value: Number((value << 8n) | byte), next: start + 9 };
    value = (value << 7n) | (byte & 0x7fn);
    if ((byte & 0x80n) === 0n) return { value: Number(value), next: start + index + 1 };
  }
  throw new RangeError("a varint has no end");
};

/** Sizes of the serial types 0 to 9. */
const SERIAL_TYPE_SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

/**
 * Decodes a record. Throws unless it holds only text, integers and nulls: no table of the house
 * holds anything else.
 */
const decodeRecord = (payload: Uint8Array): readonly ColumnValue[] => {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const header = readVarint(view, 0);
  if (header.value > payload.length) throw new RangeError("the header goes beyond its record");
  const types: number[] = [];
  for (let typeAt = header.next; typeAt < header.value;) {
    const type = readVarint(view, typeAt);
    types.push(type.value);
    typeAt = type.next;
  }
  let valueAt = header.value;
  return types.map((type) => {
    if (type >= 13 && type % 2 === 1) {
      const length = (type - 13) / 2;
      if (valueAt + length > payload.length) throw new RangeError("a text goes beyond its record");
      const text = decoder.decode(payload.subarray(valueAt, valueAt + length));
      valueAt += length;
      return text;
    }
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    const size = SERIAL_TYPE_SIZES[type];
    if (size === undefined || type === 7) throw new RangeError("a value has a type that no column has");
    let value = BigInt(view.getInt8(valueAt));
    for (let index = 1; index < size; index += 1) value = (value << 8n) | BigInt(view.getUint8(valueAt + index));
    valueAt += size;
    return Number(value);
  });
};

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
