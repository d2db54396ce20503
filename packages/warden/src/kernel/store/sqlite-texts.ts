/** The full-text index of messages on SQLite FTS5. */
import type { RoomId } from "@hearth/protocol";
import type { SqlDatabase } from "./database.ts";
import {
  EXCERPT_WORDS,
  type IndexedText,
  EXCERPT_MARKS,
  type PendingText,
  type TextIndex,
  type TextQuery,
} from "./texts.ts";
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
  /** Completes a transaction. The index calls it after each of its transactions. */
  afterWrite(): void;
}

export const createSqliteTexts = (database: SqlDatabase, { beforeUse, afterWrite }: TextsHost): TextIndex => {
  const transact = (work: () => void): void => {
    beforeUse("write");
    database.run("begin immediate");
    try {
      work();
      database.run("commit");
    } catch (error) {
      if (database.inTransaction()) database.run("rollback");
      throw error;
    }
    afterWrite();
  };

  return {
    async pending(limit) {
      for (;;) {
        beforeUse("read");
        const pendingRows = database.all(PENDING, [limit]);
        const unlistedRows = pendingRows.length < limit ? database.all(UNLISTED, [limit]) : [];
        if (unlistedRows.length === 0) return pendingRows.map(toPending);
        transact(() => listEvents(database, unlistedRows));
      }
    },

    async write(texts) {
      transact(() => {
        for (const text of texts) writeText(database, text);
      });
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
  };
};

type SqlRow = Readonly<Record<string, Value>>;

const toPending = ({ id, room, offset, edit }: SqlRow): PendingText => ({
  id: String(id),
  room: room as RoomId,
  offset: Number(offset),
  edit: edit === null || edit === undefined ? undefined : Number(edit),
});

/** The oldest events that the list of messages does not contain. A removed event has no type. */
export const UNLISTED = `select number, unlisted_messages.room, unlisted_messages.offset, type, body is null as is_long
  from unlisted_messages left join events on stream = 'room:' || unlisted_messages.room and events.offset = unlisted_messages.offset
  order by number limit ?`;

/** The id has the instant of the event in its upper bits, so that ids are in the order of time. */
const LIST_MESSAGE = `insert or ignore into message_index (id, room, offset, pending)
  select coalesce((select max(id) + 1 from message_index where id >= first and id < first + 1048576), first), substr(stream, 6), offset, 1
  from (select stream, offset, min(max(at, 0), 8000000000000) * 1048576 as first from events where stream = ? and offset = ?)`;

/** The message that an event changes. */
const CHANGED_MESSAGE = `(select message_index.id from events as change
  join events as message on message.stream = change.stream
    and message.id = case when json_valid(change.body) then change.body ->> '$.message' end
  join message_index on message_index.room = substr(change.stream, 6) and message_index.offset = message.offset
  where change.stream = ? and change.offset = ?)`;

/** Adds messages to the list, and applies the edits and deletions that came after them. */
const listEvents = (database: SqlDatabase, events: readonly SqlRow[]): void => {
  for (const { number, room, offset, type, is_long: isLong } of events) {
    const stream = `room:${String(room)}`;
    const eventKey = [stream, offset ?? null];
    // An edit with a long body does not say which message it changes. Its reader finds out.
    if (type === "message" || (type === "message-edited" && isLong === 1)) database.run(LIST_MESSAGE, eventKey);
    else if (type === "message-edited")
      database.run(
        `update message_index set edit = ?, pending = 1 where id = ${CHANGED_MESSAGE} and ifnull(edit, 0) < ?`,
        [offset ?? null, ...eventKey, offset ?? null],
      );
    else if (type === "message-deleted")
      database.run(`delete from message_index where id = ${CHANGED_MESSAGE}`, eventKey);
    database.run("delete from unlisted_messages where number = ?", [number ?? null]);
  }
};

/** The condition that the row is as it was when its text was read. */
const UNCHANGED_CONDITION = "id = cast(? as integer) and pending = 1 and edit is ?";

const writeText = (database: SqlDatabase, entry: IndexedText): void => {
  const { id, edit, room, offset } = entry.pending;
  const unchangedParameters = [id, edit ?? null];
  const [pendingRow] = database.all(`select 1 from message_index where ${UNCHANGED_CONDITION}`, unchangedParameters);
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
