/**
 * Writes protocol buffers. Messages are lists of pieces, so that deep nesting copies bytes only
 * once.
 */

/** A byte string in pieces. */
export interface Pieces {
  readonly size: number;
  readonly pieces: readonly Uint8Array[];
}

const VARINT = 0;
const LENGTH = 2;
const FIXED32 = 5;

const encoder = new TextEncoder();

export const join = (...parts: readonly Pieces[]): Pieces => ({
  size: parts.reduce((sum, { size }) => sum + size, 0),
  pieces: parts.flatMap(({ pieces }) => pieces),
});

export const integer = (field: number, value: number): Pieces => join(varint(field * 8 + VARINT), varint(value));

export const float = (field: number, value: number): Pieces => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return join(varint(field * 8 + FIXED32), onePiece(bytes));
};

export const message = (field: number, body: Pieces): Pieces =>
  join(varint(field * 8 + LENGTH), varint(body.size), body);

export const text = (field: number, value: string): Pieces => message(field, onePiece(encoder.encode(value)));

/** Encodes the bytes as they are in memory, which is little-endian on every machine that Hearth supports. */
export const bytes = (field: number, { buffer, byteOffset, byteLength }: ArrayBufferView): Pieces =>
  message(field, onePiece(new Uint8Array(buffer, byteOffset, byteLength)));

export const toBytes = ({ size, pieces }: Pieces): Uint8Array => {
  const result = new Uint8Array(size);
  let offset = 0;
  for (const part of pieces) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
};

const onePiece = (part: Uint8Array): Pieces => ({ size: part.length, pieces: [part] });

/** Encodes a varint. Negative numbers are 64 bits in two's complement. */
const varint = (value: number): Pieces => {
  let remainder = BigInt.asUintN(64, BigInt(value));
  const groups: number[] = [];
  for (; remainder > 127n; remainder >>= 7n) groups.push(Number(remainder & 127n) | 128);
  groups.push(Number(remainder));
  return onePiece(Uint8Array.from(groups));
};
