/** Stores the entries of an outbox, one text per message, which all tabs share. Sends no messages. */
import { type ErrorBody, ErrorBodySchema, RoomId, type EventId } from "@hearth/protocol";
import { PostMessage } from "@hearth/protocol/api";
import type { WaitingFile } from "../files/file-shelf.ts";
import { parseJson } from "../request.ts";
import type { Storage } from "../storage.ts";

export interface Entry {
  readonly key: string;
  readonly room: RoomId;
  /** The order of the message. Later messages have higher numbers. */
  readonly order: number;
  readonly text: string;
  readonly files: readonly WaitingFile[];
  readonly replyTo: EventId | undefined;
  readonly at: number;
  /** Why the house refused the message. */
  readonly error: ErrorBody | undefined;
}

export interface Entries extends Disposable {
  /** Returns the entries of one room, in the order in which they were written. */
  ofRoom(room: RoomId): readonly Entry[];
  get(key: string): Entry | undefined;
  rooms(): ReadonlySet<RoomId>;
  nextOrder(): number;
  /** Stores the entry before it returns. If the storage is full, keeps it in memory. */
  put(entry: Entry): void;
  drop(key: string): void;
}

const PREFIX = "outbox:";

/** Calls `onExternalChange` when another tab changed an entry. */
export const createEntries = (storage: Storage, onExternalChange: () => void): Entries => {
  const entriesByKey = new Map<string, Entry>();
  /** The texts of the entries that are in storage. */
  const storedTexts = new Map<string, string>();

  /** Rereads the storage. Returns whether any entry changed. */
  const rereadStorage = (): boolean => {
    const names = storage.names().filter((name) => name.startsWith(PREFIX));
    let isChanged = false;
    for (const name of names) {
      const key = name.slice(PREFIX.length);
      const text = storage.get(name);
      if (text === undefined || text === storedTexts.get(key)) continue;
      const entry = parseEntry(key, text);
      if (entry === undefined) continue;
      entriesByKey.set(key, entry);
      storedTexts.set(key, text);
      isChanged = true;
    }
    const storedKeys = new Set(names.map((name) => name.slice(PREFIX.length)));
    for (const key of [...storedTexts.keys()]) {
      if (storedKeys.has(key)) continue;
      storedTexts.delete(key);
      entriesByKey.delete(key);
      isChanged = true;
    }
    return isChanged;
  };
  rereadStorage();
  const stopListening = storage.onChange(() => {
    if (rereadStorage()) onExternalChange();
  });

  return {
    ofRoom: (room) => [...entriesByKey.values()].filter((entry) => entry.room === room).sort(byOrder),
    get: (key) => entriesByKey.get(key),
    rooms: () => new Set([...entriesByKey.values()].map((entry) => entry.room)),
    nextOrder: () => Math.max(0, ...[...entriesByKey.values()].map((entry) => entry.order)) + 1,
    put(entry) {
      const text = JSON.stringify(entry);
      entriesByKey.set(entry.key, entry);
      try {
        storage.set(PREFIX + entry.key, text);
        storedTexts.set(entry.key, text);
      } catch {
        // The storage is full. The message is sent unless the page closes first.
      }
    },
    drop(key) {
      entriesByKey.delete(key);
      storedTexts.delete(key);
      storage.remove(PREFIX + key);
    },
    [Symbol.dispose]: stopListening,
  };
};

/** Compares entries by their order, and then by key, because two tabs may assign the same number. */
const byOrder = (a: Entry, b: Entry): number => a.order - b.order || a.at - b.at || (a.key < b.key ? -1 : 1);

/** Parses an entry. Returns undefined for a text in another format, such as that of an older version. */
const parseEntry = (key: string, json: string): Entry | undefined => {
  const value = parseJson(json);
  if (typeof value !== "object" || value === null) return undefined;
  const { room, order, at, error, text, files: fileEntries, replyTo } = value as Readonly<Record<string, unknown>>;
  const files = readFiles(fileEntries);
  const parsedMessage = PostMessage.safeParse({
    // A message with files may have no text.
    text: text === "" && files.length > 0 ? PLACEHOLDER_TEXT : text,
    idempotencyKey: key,
    ...(replyTo === undefined ? {} : { replyTo }),
  });
  const parsedRoom = RoomId.safeParse(room);
  if (!parsedMessage.success || !parsedRoom.success) return undefined;
  if (typeof order !== "number" || typeof at !== "number") return undefined;
  return {
    key,
    room: parsedRoom.data,
    order,
    text: text === "" ? "" : parsedMessage.data.text,
    files,
    replyTo: parsedMessage.data.replyTo,
    at,
    error: ErrorBodySchema.safeParse(error).data,
  };
};

const PLACEHOLDER_TEXT = " ";

/** Parses the files of an entry. Entries of an older version have no files. */
const readFiles = (entries: unknown): readonly WaitingFile[] =>
  Array.isArray(entries)
    ? entries.flatMap(({ key, name, sizeBytes }: Readonly<Record<string, unknown>>) =>
        typeof key === "string" && typeof name === "string" && typeof sizeBytes === "number"
          ? [{ key, name, sizeBytes }]
          : [],
      )
    : [];
