/**
 * The metadata of each chunk: audience, provenance, length, speaker and neighbours. It is available
 * without reading texts.
 */
import type { IndexedChunk, VisibilityFilter } from "./chunk-index.ts";
import { createGrowableArray } from "./growing.ts";
import { isVisible, toVisibilityKey } from "./visibility.ts";

/** The metadata of a new chunk. */
export interface RosterEntry {
  readonly audience: string;
  readonly integrity: IndexedChunk["integrity"];
  readonly speaker: string;
  readonly textLength: number;
  readonly ownLength: number;
}

/** The chunks visible to a search. It stays up to date while it is cached. */
export interface VisibleChunks {
  /** Has 1 for each visible chunk, and 0 for others. */
  readonly mask: Uint8Array;
  /** Number of terms of each visible chunk with its visible neighbours. */
  readonly lengths: Uint32Array;
  readonly total: number;
  readonly meanLength: number;
}

export interface Roster {
  /** Adds the chunks of a file under consecutive numbers. Returns the first number. */
  add(path: string, entries: readonly RosterEntry[]): number;
  remove(first: number, count: number): void;
  /** Number of chunk numbers assigned so far. */
  readonly count: number;
  visibleChunks(visible: VisibilityFilter): VisibleChunks;
  /** Has 1 for each chunk that is the first of its file. Adding chunks may replace the array. */
  readonly firsts: Uint8Array;
  /** Returns the number of terms in the chunk's text. */
  textLengthOf(chunk: number): number;
  pathOf(chunk: number): string;
  kindOf(chunk: number): Pick<IndexedChunk, "audience" | "integrity">;
  /** Returns the speakers of the visible chunks, sorted. */
  speakers(visible: VisibilityFilter): readonly string[];
  has(chunk: number): boolean;
}

interface CachedVisibleChunks {
  readonly visible: VisibilityFilter;
  mask: Uint8Array;
  lengths: Uint32Array;
  filledUpTo: number;
  total: number;
  sum: number;
  /** Undefined after chunks were added or removed. */
  speakers: readonly string[] | undefined;
}

/** Maximum number of cached sets of visible chunks. Few rooms and people search at the same time. */
const MAX_CACHED_VIEWS = 8;

export const createRoster = (): Roster => {
  /** One entry for consecutive chunks of a file with the same audience and integrity. */
  const kinds: { readonly path: string; readonly audience: string; readonly integrity: IndexedChunk["integrity"] }[] =
    [];
  const speakers: string[] = [];
  const speakerNumbers = new Map<string, number>();
  const kindOf = createGrowableArray((length) => new Uint32Array(length));
  const speakerOf = createGrowableArray((length) => new Uint32Array(length));
  const textLengths = createGrowableArray((length) => new Uint16Array(length));
  const ownLengths = createGrowableArray((length) => new Uint16Array(length));
  /** Whether the chunk exists, and whether it is the first of its file. */
  const exists = createGrowableArray((length) => new Uint8Array(length));
  const firsts = createGrowableArray((length) => new Uint8Array(length));
  const columns = [kindOf, speakerOf, textLengths, ownLengths, exists, firsts];
  const cachedSets = new Map<string, CachedVisibleChunks>();
  let count = 0;

  const numberOfSpeaker = (speaker: string): number => {
    const existing = speakerNumbers.get(speaker);
    if (existing !== undefined) return existing;
    speakerNumbers.set(speaker, speakers.length);
    return speakers.push(speaker) - 1;
  };

  const fill = (cachedSet: CachedVisibleChunks): void => {
    if (cachedSet.filledUpTo === count) return;
    cachedSet.speakers = undefined;
    if (cachedSet.mask.length < count) {
      cachedSet.mask = grow(new Uint8Array(Math.ceil(count * 1.2)), cachedSet.mask);
      cachedSet.lengths = grow(new Uint32Array(Math.ceil(count * 1.2)), cachedSet.lengths);
    }
    let kind = -1;
    let isShown = false;
    for (let chunk = cachedSet.filledUpTo; chunk < count; chunk += 1) {
      if (kindOf.array[chunk] !== kind) {
        kind = kindOf.array[chunk] ?? 0;
        const kindEntry = kinds[kind];
        isShown = kindEntry !== undefined && isVisible(kindEntry, cachedSet.visible);
      }
      if (isShown && exists.array[chunk] === 1) cachedSet.mask[chunk] = 1;
    }
    for (let chunk = cachedSet.filledUpTo; chunk < count; chunk += 1) {
      if (cachedSet.mask[chunk] !== 1) continue;
      let length = ownLengths.array[chunk] ?? 0;
      if (firsts.array[chunk] !== 1 && cachedSet.mask[chunk - 1] === 1) length += textLengths.array[chunk - 1] ?? 0;
      if (chunk + 1 < count && firsts.array[chunk + 1] !== 1 && cachedSet.mask[chunk + 1] === 1) {
        length += textLengths.array[chunk + 1] ?? 0;
      }
      cachedSet.lengths[chunk] = length;
      cachedSet.total += 1;
      cachedSet.sum += length;
    }
    cachedSet.filledUpTo = count;
  };

  const openVisibleChunks = (visible: VisibilityFilter): CachedVisibleChunks => {
    const key = toVisibilityKey(visible);
    const cachedSet = cachedSets.get(key) ?? {
      visible,
      mask: new Uint8Array(count),
      lengths: new Uint32Array(count),
      filledUpTo: 0,
      total: 0,
      sum: 0,
      speakers: undefined,
    };
    cachedSets.delete(key);
    cachedSets.set(key, cachedSet);
    const [oldest] = cachedSets.keys();
    if (cachedSets.size > MAX_CACHED_VIEWS && oldest !== undefined) cachedSets.delete(oldest);
    fill(cachedSet);
    return cachedSet;
  };
  const speakersOf = ({ mask }: CachedVisibleChunks): readonly string[] => {
    const speakerIds = new Set<number>();
    for (let chunk = 0; chunk < count; chunk += 1) if (mask[chunk] === 1) speakerIds.add(speakerOf.array[chunk] ?? 0);
    return [...speakerIds]
      .map((number) => speakers[number] ?? "")
      .filter((speaker) => speaker !== "")
      .sort();
  };

  return {
    get count() {
      return count;
    },
    add(path, entries) {
      const firstNumber = count;
      for (const column of columns) column.reserve(count + entries.length);
      for (const [ordinal, { audience, integrity, speaker, textLength, ownLength }] of entries.entries()) {
        const lastKind = kinds.at(-1);
        if (lastKind?.path !== path || lastKind.audience !== audience || lastKind.integrity !== integrity) {
          kinds.push({ path, audience, integrity });
        }
        kindOf.array[count] = kinds.length - 1;
        speakerOf.array[count] = numberOfSpeaker(speaker);
        textLengths.array[count] = textLength;
        ownLengths.array[count] = ownLength;
        exists.array[count] = 1;
        firsts.array[count] = ordinal === 0 ? 1 : 0;
        count += 1;
      }
      return firstNumber;
    },
    remove(first, size) {
      exists.array.fill(0, first, first + size);
      for (const cachedSet of cachedSets.values()) {
        cachedSet.speakers = undefined;
        for (let chunk = first; chunk < first + size; chunk += 1) {
          if (cachedSet.mask[chunk] !== 1) continue;
          cachedSet.mask[chunk] = 0;
          cachedSet.total -= 1;
          cachedSet.sum -= cachedSet.lengths[chunk] ?? 0;
        }
      }
    },
    visibleChunks(visible) {
      const { mask, lengths, total, sum } = openVisibleChunks(visible);
      return { mask, lengths, total, meanLength: sum / total };
    },
    get firsts() {
      return firsts.array;
    },
    textLengthOf: (chunk) => textLengths.array[chunk] ?? 0,
    pathOf: (chunk) => kinds[kindOf.array[chunk] ?? 0]?.path ?? "",
    kindOf(chunk) {
      const kind = kinds[kindOf.array[chunk] ?? 0];
      if (kind === undefined) throw new RangeError(`There is no chunk ${chunk}.`);
      return kind;
    },
    speakers(visible) {
      const cachedSet = openVisibleChunks(visible);
      cachedSet.speakers ??= speakersOf(cachedSet);
      return cachedSet.speakers;
    },
    has: (chunk) => chunk < count && exists.array[chunk] === 1,
  };
};

const grow = <Array extends Uint8Array | Uint32Array>(larger: Array, smaller: Array): Array => {
  larger.set(smaller);
  return larger;
};
