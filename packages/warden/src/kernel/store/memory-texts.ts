/** The full-text index of a store in memory. It reads every event for each query. */
import type { RoomId } from "@hearth/protocol";
import type { EventLists } from "./memory-events.ts";
import type { PlainRow } from "./query.ts";
import type { SearchTerm } from "./search-terms.ts";
import {
  EXCERPT_WORDS,
  type FoundText,
  type IndexedText,
  EXCERPT_MARKS,
  type PendingText,
  type TextIndex,
} from "./texts.ts";

/** A message, or a long edit whose message is not known yet. */
interface Entry extends PendingText {
  readonly at: number;
  /** The events that hold the text. After a replacement, the body is in another row. */
  readonly rows: readonly PlainRow[];
}

interface IndexEntry {
  readonly rows: readonly PlainRow[];
  readonly words: Extract<IndexedText, { kind: "words" }> | undefined;
}

const ROOM_PREFIX = "room:";

export const createMemoryTexts = (events: EventLists, assertOpen: () => void): TextIndex => {
  const indexed = new Map<string, IndexEntry>();
  /** The offset of the message of each long edit. */
  const longEdits = new Map<PlainRow, number>();

  const entriesOf = (stream: string): readonly Entry[] => {
    const rows = events.rows(stream).filter(({ type }) => String(type).startsWith("message"));
    const offsets = new Map(rows.map(({ id, offset }) => [String(id), Number(offset)]));
    const targetOf = (row: PlainRow): number | undefined =>
      row["body"] === null ? longEdits.get(row) : offsets.get(messageOf(row));
    const changes = Map.groupBy(
      rows.filter(({ type }) => type !== "message"),
      targetOf,
    );
    return rows.flatMap((row) => {
      const isUnknownEdit = row["type"] === "message-edited" && row["body"] === null && !longEdits.has(row);
      if (row["type"] !== "message" && !isUnknownEdit) return [];
      const offset = Number(row["offset"]);
      const messageChanges = isUnknownEdit ? [] : (changes.get(offset) ?? []);
      if (messageChanges.some(({ type }) => type === "message-deleted")) return [];
      const edit = messageChanges.at(-1);
      return [
        {
          id: "",
          room: stream.slice(ROOM_PREFIX.length) as RoomId,
          offset,
          edit: edit === undefined ? undefined : Number(edit["offset"]),
          at: Number(row["at"]),
          rows: edit === undefined ? [row] : [row, edit],
        },
      ];
    });
  };

  /** Returns the entries in the order of time. */
  const entries = (): readonly Entry[] => {
    const entryCounts = new Map<number, number>();
    return events
      .names()
      .filter((name) => name.startsWith(ROOM_PREFIX))
      .flatMap(entriesOf)
      .toSorted((a, b) => a.at - b.at)
      .map((entry) => {
        const entryCount = entryCounts.get(entry.at) ?? 0;
        entryCounts.set(entry.at, entryCount + 1);
        return { ...entry, id: String(BigInt(entry.at) * 1_048_576n + BigInt(entryCount)) };
      });
  };

  const keyOf = ({ room, offset }: Pick<PendingText, "room" | "offset">): string => `${room} ${offset}`;
  const isIndexed = (entry: Entry): boolean => {
    const indexedRows = indexed.get(keyOf(entry))?.rows;
    return indexedRows?.length === entry.rows.length && entry.rows.every((row, index) => row === indexedRows[index]);
  };

  return {
    async pending(limit) {
      assertOpen();
      return entries()
        .filter((entry) => !isIndexed(entry))
        .slice(0, limit)
        .map(({ id, room, offset, edit }) => ({ id, room, offset, edit }));
    },

    async write(texts) {
      assertOpen();
      const currentEntries = new Map(entries().map((entry) => [keyOf(entry), entry]));
      for (const text of texts) {
        const entry = currentEntries.get(keyOf(text.pending));
        const [row] = entry?.rows ?? [];
        if (entry === undefined || row === undefined || entry.edit !== text.pending.edit) continue;
        if (text.kind === "edit") longEdits.set(row, text.message);
        else indexed.set(keyOf(entry), { rows: entry.rows, words: text.kind === "words" ? text : undefined });
      }
    },

    async find({ terms, rooms, author, since = 0, until = Infinity, before, limit }) {
      assertOpen();
      if (terms.length === 0) return [];
      const matches: FoundText[] = [];
      for (const entry of entries().toReversed()) {
        const { id, room, offset, at } = entry;
        const words = isIndexed(entry) ? indexed.get(keyOf(entry))?.words : undefined;
        if (words === undefined || at < since || at >= until) continue;
        if (before !== undefined && BigInt(id) >= BigInt(before)) continue;
        if (rooms?.includes(room) === false || (author !== undefined && words.author !== author)) continue;
        const excerpt = excerptOf(words.text, terms);
        if (excerpt !== undefined) matches.push({ id, room, offset, excerpt });
        if (matches.length === limit) break;
      }
      return matches;
    },
  };
};

const messageOf = (row: PlainRow): string => {
  const body: unknown = JSON.parse(String(row["body"]));
  return String((body as { readonly message?: unknown }).message);
};

const WORD = /[\p{L}\p{N}]+/gu;
const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Returns the words around the first match, with marks, or undefined if a term is missing in the
 * text.
 */
export const excerptOf = (text: string, terms: readonly SearchTerm[]): string | undefined => {
  const words = [...text.matchAll(WORD)].map((match) => ({
    text: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const matchedIndexes = new Set<number>();
  for (const { text: term, isPrefix } of terms) {
    const termWords = [...term.matchAll(WORD)].map(([word]) => fold(word));
    const isTermAt = (from: number): boolean =>
      termWords.every((termWord, index) => {
        const word = words[from + index]?.text;
        return word === termWord || (isPrefix && index === termWords.length - 1 && word?.startsWith(termWord) === true);
      });
    const starts = words.flatMap((_, index) => (isTermAt(index) ? [index] : []));
    if (starts.length === 0) return undefined;
    for (const start of starts) for (const index of termWords.keys()) matchedIndexes.add(start + index);
  }
  const firstIndex = Math.max(0, Math.min(...matchedIndexes) - 2);
  const excerptWords = words.slice(firstIndex, firstIndex + EXCERPT_WORDS);
  let excerpt = firstIndex > 0 ? "…" : "";
  let position = firstIndex > 0 ? (excerptWords[0]?.start ?? 0) : 0;
  for (const [index, { start, end }] of excerptWords.entries()) {
    const [open, close] = matchedIndexes.has(firstIndex + index) ? EXCERPT_MARKS : ["", ""];
    excerpt += `${text.slice(position, start)}${open}${text.slice(start, end)}${close}`;
    position = end;
  }
  return firstIndex + EXCERPT_WORDS < words.length ? `${excerpt}…` : excerpt + text.slice(position);
};
