/** Encodes the terms of a file's chunks as bytes, so that the index opens without reading texts. */
import type { Counts } from "./columns.ts";
import type { RosterEntry } from "./roster.ts";

export interface PackedChunk extends RosterEntry {
  /** Term ids, and at the same positions their counts. */
  readonly terms: readonly number[];
  readonly counts: readonly Counts[];
}

const INTEGRITIES = ["owner", "trusted", "untrusted"] as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export const pack = (chunks: readonly PackedChunk[]): Uint8Array => {
  const names = [...new Set(chunks.flatMap(({ audience, speaker }) => [audience, speaker]))];
  const numbers = new Map(names.map((name, index) => [name, index]));
  const bytes: number[] = [];
  const writeNumber = (value: number): void => {
    let remainder = value;
    for (; remainder > 127; remainder >>>= 7) bytes.push((remainder & 127) | 128);
    bytes.push(remainder);
  };
  writeNumber(names.length);
  for (const name of names) {
    const text = encoder.encode(name);
    writeNumber(text.length);
    bytes.push(...text);
  }
  writeNumber(chunks.length);
  for (const { audience, speaker, integrity, textLength, ownLength, terms, counts } of chunks) {
    writeNumber(numbers.get(audience) ?? 0);
    writeNumber(numbers.get(speaker) ?? 0);
    writeNumber(INTEGRITIES.indexOf(integrity));
    writeNumber(textLength);
    writeNumber(ownLength);
    writeNumber(terms.length);
    for (const term of terms) writeNumber(term);
    bytes.push(...counts);
  }
  return Uint8Array.from(bytes);
};

/** Decodes the bytes. Throws a RangeError if they are malformed. */
export const unpack = (bytes: Uint8Array): readonly PackedChunk[] => {
  let offset = 0;
  const readByte = (): number => {
    const byte = bytes[offset];
    if (byte === undefined) throw new RangeError("The words of a file end early.");
    offset += 1;
    return byte;
  };
  const readNumber = (): number => {
    let byte = readByte();
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = readByte();
      value |= (byte & 127) << shift;
    }
    return value;
  };
  const readText = (): string => {
    const length = readNumber();
    if (offset + length > bytes.length) throw new RangeError("The words of a file end early.");
    offset += length;
    return decoder.decode(bytes.subarray(offset - length, offset));
  };
  const readList = <Item>(make: () => Item): readonly Item[] => {
    const items: Item[] = [];
    for (let leftCount = readNumber(); leftCount > 0; leftCount -= 1) items.push(make());
    return items;
  };
  const names = readList(readText);
  const chunks = readList((): PackedChunk => {
    const audience = nameOf(names, readNumber());
    const speaker = nameOf(names, readNumber());
    const integrity = nameOf(INTEGRITIES, readNumber());
    const textLength = readNumber();
    const ownLength = readNumber();
    const terms = readList(readNumber);
    return { audience, speaker, integrity, textLength, ownLength, terms, counts: terms.map(readByte) };
  });
  if (offset !== bytes.length) throw new RangeError("The words of a file have extra bytes at the end.");
  return chunks;
};

const nameOf = <Name extends string>(names: readonly Name[], index: number): Name => {
  const name = names[index];
  if (name === undefined) throw new RangeError("The words of a file refer to a missing name.");
  return name;
};
