/** The full-text index of messages on SQLite FTS5. */
import type { RoomId } from "@hearth/protocol";
import type { SqlDatabase } from "./database.ts";
import { EXCERPT_WORDS, type IndexedText, EXCERPT_MARKS, type TextIndex, type TextQuery } from "./texts.ts";
import type { Value } from "./tables/table.ts";

/**
 * Maximum number of rooms for which the query reads only their entries. This costs 30 µs for each
 * room.
 */
export const MAX_NAMED_ROOMS = 256;

/** The columns have the table's name, because `id` alone is the text. */
export const PENDING =
  "select cast(id as text) as id, room, offset, edit from message_index where pending = 1 order by message_index.id limit ?";

/** The parts of the store that the index uses. */
export interface TextsHost {
  /** Called before each use of the database. Throws if the store cannot be used. */
  beforeUse(use: "read" | "write"): void;
  /** Called after each transaction. */
  afterWrite(): void;
}

export const createSqliteTexts = (database: SqlDatabase, { beforeUse, afterWrite }: TextsHost): TextIndex => ({
  async pending(limit) {
    beforeUse("read");
    return database.all(PENDING, [limit]).map(({ id, room, offset, edit }) => ({
      id: String(id),
      room: room as RoomId,
      offset: Number(offset),
      edit: edit === null ? undefined : Number(edit),
    }));
  },

  async write(texts) {
    beforeUse("write");
    database.run("begin immediate");
    try {
      for (const text of texts) writeText(database, text);
      database.run("commit");
    } catch (error) {
      if (database.inTransaction()) database.run("rollback");
      throw error;
    }
    afterWrite();
  },

  async find(query) {
    beforeUse("read");
    if (query.terms.length === 0 || query.rooms?.length === 0) return [];
    const { text, parameters } = findSql(query);
    return database.all(text, parameters).map(({ id, room, offset, excerpt }) => ({
      id: String(id),
      room: room as RoomId,
      offset: Number(offset),
      excerpt: String(excerpt),
    }));
  },
});

/** The condition that the row is as it was when its text was read. */
const UNCHANGED = "id = cast(? as integer) and pending = 1 and edit is ?";

const writeText = (database: SqlDatabase, entry: IndexedText): void => {
  const { id, edit, room, offset } = entry.pending;
  const unchanged = [id, edit ?? null];
  const [pendingRow] = database.all(`select 1 from message_index where ${UNCHANGED}`, unchanged);
  if (pendingRow === undefined) return;
  if (entry.kind === "edit") {
    database.run("delete from message_index where id = cast(? as integer)", [id]);
    database.run(
      "update message_index set edit = ?, pending = 1 where room = ? and offset = ? and ifnull(edit, 0) < ?",
      [offset, room, entry.message, offset],
    );
    return;
  }
  database.run("delete from message_words where rowid = cast(? as integer)", [id]);
  if (entry.kind === "words")
    database.run("insert into message_words (rowid, text, room, author) values (cast(? as integer), ?, ?, ?)", [
      id,
      entry.text,
      keyOf(room),
      keyOf(entry.author),
    ]);
  database.run("update message_index set pending = 0 where id = cast(? as integer)", [id]);
};

const findSql = ({ terms, rooms, author, since, until, before, limit }: TextQuery) => {
  const words = terms.map(({ text, isPrefix }) => `text : ${quote(text)}${isPrefix ? "*" : ""}`);
  const isNamed = rooms !== undefined && rooms.length <= MAX_NAMED_ROOMS;
  if (isNamed) words.push(`room : (${rooms.map((room) => quote(keyOf(room))).join(" OR ")})`);
  if (author !== undefined) words.push(`author : ${quote(keyOf(author))}`);
  const parameters: Value[] = [...EXCERPT_MARKS, EXCERPT_WORDS, words.join(" AND ")];
  const conditions = ["message_words match ?"];
  const add = (condition: string, value: Value): void => {
    conditions.push(condition);
    parameters.push(value);
  };
  if (since !== undefined) add("message_words.rowid >= cast(? as integer) * 1048576", since);
  if (until !== undefined) add("message_words.rowid < cast(? as integer) * 1048576", until);
  if (before !== undefined) add("message_words.rowid < cast(? as integer)", before);
  if (rooms !== undefined && !isNamed)
    add("message_index.room in (select value from json_each(?))", JSON.stringify(rooms));
  return {
    text: `select cast(message_index.id as text) as id, message_index.room, message_index.offset,
        snippet(message_words, 0, ?, ?, '…', ?) as excerpt
      from message_words cross join message_index on message_index.id = message_words.rowid
      where ${conditions.join(" and ")} order by message_words.rowid desc limit ?`,
    parameters: [...parameters, limit],
  };
};

/** Returns an id as one word, because the tokenizer would split it at the underscore. */
export const keyOf = (id: string): string => id.slice(id.indexOf("_") + 1);

export const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
