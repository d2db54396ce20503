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
  upTo: number;
  total: number;
  sum: number;
  /** Undefined after chunks were added or removed. */
  speakers: readonly string[] | undefined;
}

/** Maximum number of cached sights. Few rooms and people search at the same time. */
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
  const alive = createGrowableArray((length) => new Uint8Array(length));
  const firsts = createGrowableArray((length) => new Uint8Array(length));
  const columns = [kindOf, speakerOf, textLengths, ownLengths, alive, firsts];
  const sights = new Map<string, CachedVisibleChunks>();
  let count = 0;

  const numberOfSpeaker = (speaker: string): number => {
    const known = speakerNumbers.get(speaker);
    if (known !== undefined) return known;
    speakerNumbers.set(speaker, speakers.length);
    return speakers.push(speaker) - 1;
  };

  const fill = (sight: CachedVisibleChunks): void => {
    if (sight.upTo === count) return;
    sight.speakers = undefined;
    if (sight.mask.length < count) {
      sight.mask = grow(new Uint8Array(Math.ceil(count * 1.2)), sight.mask);
      sight.lengths = grow(new Uint32Array(Math.ceil(count * 1.2)), sight.lengths);
    }
    let kind = -1;
    let seen = false;
    for (let chunk = sight.upTo; chunk < count; chunk += 1) {
      if (kindOf.array[chunk] !== kind) {
        kind = kindOf.array[chunk] ?? 0;
        const known = kinds[kind];
        seen = known !== undefined && isVisible(known, sight.visible);
      }
      if (seen && alive.array[chunk] === 1) sight.mask[chunk] = 1;
    }
    for (let chunk = sight.upTo; chunk < count; chunk += 1) {
      if (sight.mask[chunk] !== 1) continue;
      let length = ownLengths.array[chunk] ?? 0;
      if (firsts.array[chunk] !== 1 && sight.mask[chunk - 1] === 1) length += textLengths.array[chunk - 1] ?? 0;
      if (chunk + 1 < count && firsts.array[chunk + 1] !== 1 && sight.mask[chunk + 1] === 1) {
        length += textLengths.array[chunk + 1] ?? 0;
      }
      sight.lengths[chunk] = length;
      sight.total += 1;
      sight.sum += length;
    }
    sight.upTo = count;
  };

  const openVisibleChunks = (visible: VisibilityFilter): CachedVisibleChunks => {
    const key = toVisibilityKey(visible);
    const sight = sights.get(key) ?? {
      visible,
      mask: new Uint8Array(count),
      lengths: new Uint32Array(count),
      upTo: 0,
      total: 0,
      sum: 0,
      speakers: undefined,
    };
    sights.delete(key);
    sights.set(key, sight);
    const [oldest] = sights.keys();
    if (sights.size > MAX_CACHED_VIEWS && oldest !== undefined) sights.delete(oldest);
    fill(sight);
    return sight;
  };
  const speakersOf = ({ mask }: CachedVisibleChunks): readonly string[] => {
    const found = new Set<number>();
    for (let chunk = 0; chunk < count; chunk += 1) if (mask[chunk] === 1) found.add(speakerOf.array[chunk] ?? 0);
    return [...found]
      .map((number) => speakers[number] ?? "")
      .filter((speaker) => speaker !== "")
      .sort();
  };

  return {
    get count() {
      return count;
    },
    add(path, entries) {
      const first = count;
      for (const column of columns) column.reserve(count + entries.length);
      for (const [ordinal, { audience, integrity, speaker, textLength, ownLength }] of entries.entries()) {
        const last = kinds.at(-1);
        if (last?.path !== path || last.audience !== audience || last.integrity !== integrity) {
          kinds.push({ path, audience, integrity });
        }
        kindOf.array[count] = kinds.length - 1;
        speakerOf.array[count] = numberOfSpeaker(speaker);
        textLengths.array[count] = textLength;
        ownLengths.array[count] = ownLength;
        alive.array[count] = 1;
        firsts.array[count] = ordinal === 0 ? 1 : 0;
        count += 1;
      }
      return first;
    },
    remove(first, size) {
      alive.array.fill(0, first, first + size);
      for (const sight of sights.values()) {
        sight.speakers = undefined;
        for (let chunk = first; chunk < first + size; chunk += 1) {
          if (sight.mask[chunk] !== 1) continue;
          sight.mask[chunk] = 0;
          sight.total -= 1;
          sight.sum -= sight.lengths[chunk] ?? 0;
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
      const sight = openVisibleChunks(visible);
      sight.speakers ??= speakersOf(sight);
      return sight.speakers;
    },
    has: (chunk) => chunk < count && alive.array[chunk] === 1,
  };
};

const grow = <Array extends Uint8Array | Uint32Array>(more: Array, before: Array): Array => {
  more.set(before);
  return more;
};
