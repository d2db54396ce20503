/** The full-text index of attachments in memory. It reads every attachment for each query. */
import type { EventId, RoomId, UploadId } from "@hearth/protocol";
import { excerptOf } from "./memory-texts.ts";
import {
  FIRST_FILE_NUMBER,
  type FoundPassage,
  type IndexedFile,
  NUMBERS_PER_INSTANT,
  type PassageIndex,
  PASSAGES_PER_FILE,
  type PendingFile,
} from "./passages.ts";
import type { PlainRow } from "./query.ts";
import type { SearchTerm } from "./search-terms.ts";
import type { TextQuery } from "./texts.ts";

/** The rows from which the words of an attachment come. A changed row is another object. */
interface Source {
  readonly key: string;
  readonly room: RoomId;
  readonly upload: UploadId;
  readonly event: EventId;
  readonly rows: readonly (PlainRow | undefined)[];
}

interface IndexEntry {
  readonly rows: Source["rows"];
  readonly revision: number;
  /** Undefined until the words are written. */
  readonly file?: IndexedFile & { readonly position: bigint };
}

type TableOfWords = "attachments" | "transcripts" | "upload_texts";

export const createMemoryPassages = (
  rowsOf: (table: TableOfWords) => readonly PlainRow[],
  isStored: (room: RoomId, event: EventId) => boolean,
  assertOpen: () => void,
): PassageIndex => {
  const entries = new Map<string, IndexEntry>();
  const nextNumbers = new Map<number, number>();

  const listSources = (): readonly Source[] => {
    const mapByUpload = (table: TableOfWords) => new Map(rowsOf(table).map((row) => [row["upload"], row]));
    const [transcripts, texts] = [mapByUpload("transcripts"), mapByUpload("upload_texts")];
    return rowsOf("attachments").map((row) => {
      const { room, upload, event } = row as { room: RoomId; upload: UploadId; event: EventId };
      const rows = [row, transcripts.get(upload), texts.get(upload)];
      return { key: `${room} ${upload} ${event}`, room, upload, event, rows };
    });
  };

  /** Returns the entry for the present rows, without words if the rows have changed. */
  const entryOf = ({ key, rows }: Source): IndexEntry => {
    const existingEntry = entries.get(key);
    if (existingEntry !== undefined && rows.every((row, index) => row === existingEntry.rows[index]))
      return existingEntry;
    const entry = { rows, revision: (existingEntry?.revision ?? -1) + 1 };
    entries.set(key, entry);
    return entry;
  };

  const listFiles = () => listSources().flatMap((source) => entryOf(source).file ?? []);

  return {
    async rooms() {
      assertOpen();
      return [...new Set(listSources().map(({ room }) => room))];
    },

    async pending(limit) {
      assertOpen();
      return listSources()
        .filter((source) => entryOf(source).file === undefined && isStored(source.room, source.event))
        .slice(0, limit)
        .map((source): PendingFile => {
          const { room, upload, event } = source;
          return { room, upload, event, revision: entryOf(source).revision };
        });
    },

    async write(file) {
      assertOpen();
      const { room, upload, event, revision } = file.pending;
      const source = listSources().find(({ key }) => key === `${room} ${upload} ${event}`);
      if (source === undefined) return;
      const entry = entryOf(source);
      if (entry.file !== undefined || entry.revision !== revision) return;
      const fileNumber = nextNumbers.get(file.at) ?? FIRST_FILE_NUMBER;
      nextNumbers.set(file.at, fileNumber + Math.max(file.passages.length, 1));
      const position = BigInt(file.at) * BigInt(NUMBERS_PER_INSTANT) + BigInt(fileNumber);
      entries.set(source.key, { ...entry, file: { ...file, position } });
    },

    async find({ terms, rooms, author, since = 0, until = Infinity, before, limit }: TextQuery) {
      assertOpen();
      if (terms.length === 0) return [];
      return listFiles()
        .filter((file) => file.at >= since && file.at < until && (author === undefined || file.author === author))
        .filter(({ pending }) => rooms?.includes(pending.room) !== false)
        .filter(({ position }) => before === undefined || position < BigInt(before))
        .toSorted((a, b) => (a.position < b.position ? 1 : -1))
        .map((file) => matchesIn(file, terms).slice(0, PASSAGES_PER_FILE))
        .filter(({ length }) => length > 0)
        .slice(0, limit)
        .flat();
    },

    async rank({ terms, rooms, limit }) {
      assertOpen();
      const passages = listFiles()
        .filter(({ pending }) => rooms.includes(pending.room))
        .flatMap((file) => {
          const matchCounts = new Map<
            FoundPassage["text"],
            { readonly passage: FoundPassage; readonly count: number }
          >();
          for (const term of terms)
            for (const passage of matchesIn(file, [term])) {
              const key = `${passage.place} ${passage.text}`;
              matchCounts.set(key, { passage, count: (matchCounts.get(key)?.count ?? 0) + 1 });
            }
          return [...matchCounts.values()];
        });
      return passages
        .toSorted((a, b) => b.count - a.count)
        .slice(0, limit)
        .map(({ passage }) => passage);
    },
  };
};

const matchesIn = (
  { pending: { room, upload, event }, passages, position }: IndexedFile & { readonly position: bigint },
  terms: readonly SearchTerm[],
): readonly FoundPassage[] =>
  passages.flatMap(({ place, text }) => {
    const excerpt = excerptOf(text, terms);
    return excerpt === undefined ? [] : [{ position: String(position), room, upload, event, place, text, excerpt }];
  });
