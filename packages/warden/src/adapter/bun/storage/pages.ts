/**
 * Reads rows from pages of a SQLite file without SQLite: a damaged page costs its own rows only.
 */

export type ColumnValue = string | number | null;

export interface PageFile {
  readonly pageCount: number;
  /**
   * Rows of the page that can be decoded, and the pages below it. Undefined if the page does not
   * belong to a b-tree.
   */
  read(page: number): BtreePage | undefined;
}

export interface BtreePage {
  readonly records: readonly (readonly ColumnValue[])[];
  readonly children: readonly number[];
  /** Cells that cannot be decoded. */
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

  /** The payload of a cell: the part in its page, and the rest from overflow pages. */
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
    let next = view.getUint32(start + local);
    for (let filled = local; filled < length;) {
      if (next < 2 || next > pageCount) throw new RangeError("an overflow page is missing");
      const base = (next - 1) * size;
      const take = Math.min(size - 4, length - filled);
      payload.set(bytes.subarray(base + 4, base + 4 + take), filled);
      filled += take;
      next = view.getUint32(base);
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
      let damaged = 0;
      for (let cell = 0; cell < count; cell += 1) {
        try {
          let at = base + view.getUint16(pointers + 2 * cell);
          if (at < pointers + 2 * count || at >= end) throw new RangeError("the cell is not in its page");
          if (isInterior) {
            children.push(view.getUint32(at));
            at += 4;
          }
          if (type === TABLE_INTERIOR) continue;
          const length = readVarint(view, at);
          at = length.next;
          if (isTable) at = readVarint(view, at).next;
          records.push(decodeRecord(payloadAt(at, end, length.value, isTable)));
        } catch (error) {
          if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
          damaged += 1;
        }
      }
      return { records, children, damaged };
    },
  };
};

const pageSizeOf = (view: DataView): number => {
  const size = view.byteLength > HEADER_SIZE ? view.getUint16(16) : 0;
  const isPower = size >= 512 && (size & (size - 1)) === 0;
  return isPower ? size : size === 1 ? 65_536 : DEFAULT_PAGE_SIZE;
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
 * Throws unless the record holds only text, integers and nulls: no table of the house holds
 * anything else.
 */
const decodeRecord = (payload: Uint8Array): readonly ColumnValue[] => {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const header = readVarint(view, 0);
  if (header.value > payload.length) throw new RangeError("the header goes beyond its record");
  const types: number[] = [];
  for (let at = header.next; at < header.value;) {
    const type = readVarint(view, at);
    types.push(type.value);
    at = type.next;
  }
  let at = header.value;
  return types.map((type) => {
    if (type >= 13 && type % 2 === 1) {
      const length = (type - 13) / 2;
      if (at + length > payload.length) throw new RangeError("a text goes beyond its record");
      const text = decoder.decode(payload.subarray(at, at + length));
      at += length;
      return text;
    }
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    const size = SERIAL_TYPE_SIZES[type];
    if (size === undefined || type === 7) throw new RangeError("a value has a type that no column has");
    let value = BigInt(view.getInt8(at));
    for (let index = 1; index < size; index += 1) value = (value << 8n) | BigInt(view.getUint8(at + index));
    at += size;
    return Number(value);
  });
};

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
