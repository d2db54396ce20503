/** The full-text index of attachments on SQLite FTS5. */
import type { EventId, RoomId, UploadId } from "@hearth/protocol";
import type { SqlDatabase } from "./database.ts";
import {
  FIRST_FILE_NUMBER,
  type FoundPassage,
  type IndexedFile,
  NUMBERS_PER_INSTANT,
  type PassageIndex,
  PASSAGES_PER_FILE,
} from "./passages.ts";
import type { SearchTerm } from "./search-terms.ts";
import { keyOf, MAX_NAMED_ROOMS, quote, type TextsHost } from "./sqlite-texts.ts";
import type { Value } from "./tables/table.ts";
import { EXCERPT_WORDS, EXCERPT_MARKS, type TextQuery } from "./texts.ts";

/** An agent's file is attached before the message that names it is stored. */
export const PENDING_FILES = `select room, upload, event, revision from passage_files
  where pending = 1 and exists (select 1 from events where stream = 'room:' || room and events.id = event)
  order by event, upload limit ?`;

export const createSqlitePassages = (database: SqlDatabase, { beforeUse, afterWrite }: TextsHost): PassageIndex => ({
  async rooms() {
    beforeUse("read");
    return database.all("select distinct room from passage_files").map(({ room }) => room as RoomId);
  },

  async pending(limit) {
    beforeUse("read");
    const rows = database.all(PENDING_FILES, [limit]);
    return rows.map((row) => ({ ...idsOf(row), revision: Number(row["revision"]) }));
  },

  async write(file) {
    beforeUse("write");
    database.run("begin immediate");
    try {
      writeFile(database, file);
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
    const passages: FoundPassage[] = [];
    let { before } = query;
    for (let files = 0; files < query.limit; files += 1) {
      const file = findFile(database, { ...query, before });
      if (file === undefined) break;
      passages.push(...bestPassagesOf(database, query, file));
      before = file.position;
    }
    return passages;
  },

  async rank({ terms, rooms, limit }) {
    beforeUse("read");
    if (terms.length === 0 || rooms.length === 0) return [];
    const match = matchOf({ terms, rooms, joinedBy: " OR " });
    const conditions = [MATCH_CONDITION];
    const parameters: Value[] = [...EXCERPT, match];
    limitRooms(rooms, conditions, parameters);
    const sql = `${SELECT_PASSAGES} where ${conditions.join(" and ")} order by rank limit ?`;
    return database.all(sql, [...parameters, limit]).map(toFoundPassage);
  },
});

const writeFile = (database: SqlDatabase, { pending, author, at, passages }: IndexedFile): void => {
  const { room, upload, event, revision } = pending;
  const file = [room, upload, event];
  const unchangedCondition = "room = ? and upload = ? and event = ? and pending = 1 and revision = ?";
  const [pendingRow] = database.all(`select 1 from passage_files where ${unchangedCondition}`, [...file, revision]);
  if (pendingRow === undefined) return;
  const firstId =
    BigInt(Math.min(Math.max(at, 0), MAX_INSTANT)) * BigInt(NUMBERS_PER_INSTANT) + BigInt(FIRST_FILE_NUMBER);
  const [lastRow] = database.all(
    "select cast(max(id) as text) as id from passage_index where id >= cast(? as integer) and id < cast(? as integer)",
    [String(firstId), String(firstId + BigInt(NUMBERS_PER_INSTANT - FIRST_FILE_NUMBER))],
  );
  let id = typeof lastRow?.["id"] === "string" ? BigInt(lastRow["id"]) + 1n : firstId;
  for (const { place, text } of passages) {
    database.run("insert into passage_index (id, room, upload, event, place) values (cast(? as integer), ?, ?, ?, ?)", [
      String(id),
      ...file,
      place,
    ]);
    database.run("insert into passage_words (rowid, text, room, author) values (cast(? as integer), ?, ?, ?)", [
      String(id),
      text,
      keyOf(room),
      keyOf(author),
    ]);
    id += 1n;
  }
  database.run("update passage_files set pending = 0 where room = ? and upload = ? and event = ?", file);
};

/** The latest instant whose ids are integers of the database. */
const MAX_INSTANT = 8_000_000_000_000;

const MATCH_CONDITION = "passage_words match ?";
const EXCERPT: readonly Value[] = [...EXCERPT_MARKS, EXCERPT_WORDS];
const SELECT_PASSAGES = `select cast(passage_index.id as text) as position, passage_index.room, upload, event, place,
    passage_words.text, snippet(passage_words, 0, ?, ?, '…', ?) as excerpt
  from passage_words cross join passage_index on passage_index.id = passage_words.rowid`;

type Row = Readonly<Record<string, unknown>>;

const idsOf = (row: Row): Pick<FoundPassage, "room" | "upload" | "event"> => ({
  room: row["room"] as RoomId,
  upload: row["upload"] as UploadId,
  event: row["event"] as EventId,
});

const toFoundPassage = (row: Row): FoundPassage => ({
  position: String(row["position"]),
  ...idsOf(row),
  place: String(row["place"]),
  text: String(row["text"]),
  excerpt: String(row["excerpt"]),
});

/** The ids of the passages of one file. They follow each other, and the first one is its position. */
interface PassageRange {
  readonly position: string;
  readonly last: string;
}

/** Returns the newest file that has a match. */
const findFile = (database: SqlDatabase, query: TextQuery): PassageRange | undefined => {
  const { rooms, since, until, before } = query;
  const conditions = [MATCH_CONDITION];
  const parameters: Value[] = [matchOf({ ...query, joinedBy: " AND " })];
  const add = (condition: string, value: Value): void => {
    conditions.push(condition);
    parameters.push(value);
  };
  if (since !== undefined) add(`passage_words.rowid >= cast(? as integer) * ${NUMBERS_PER_INSTANT}`, since);
  if (until !== undefined) add(`passage_words.rowid < cast(? as integer) * ${NUMBERS_PER_INSTANT}`, until);
  if (before !== undefined) add("passage_words.rowid < cast(? as integer)", before);
  limitRooms(rooms, conditions, parameters);
  const [row] = database.all(
    `select passage_index.room, upload, event
      from passage_words cross join passage_index on passage_index.id = passage_words.rowid
      where ${conditions.join(" and ")} order by passage_words.rowid desc limit 1`,
    parameters,
  );
  if (row === undefined) return undefined;
  const [range] = database.all(
    "select cast(min(id) as text) as first, cast(max(id) as text) as last from passage_index where upload = ? and room = ? and event = ?",
    [row["upload"] as Value, row["room"] as Value, row["event"] as Value],
  );
  return { position: String(range?.["first"]), last: String(range?.["last"]) };
};

const bestPassagesOf = (
  database: SqlDatabase,
  query: TextQuery,
  { position, last }: PassageRange,
): readonly FoundPassage[] =>
  database
    .all(
      `${SELECT_PASSAGES} where ${MATCH_CONDITION} and passage_words.rowid between cast(? as integer) and cast(? as integer) order by rank limit ?`,
      [...EXCERPT, matchOf({ ...query, joinedBy: " AND " }), position, last, PASSAGES_PER_FILE],
    )
    .map(toFoundPassage)
    .toSorted((a, b) => (BigInt(a.position) < BigInt(b.position) ? -1 : 1))
    .map((passage) => ({ ...passage, position }));

interface Match {
  readonly terms: readonly SearchTerm[];
  readonly rooms: readonly RoomId[] | undefined;
  readonly author?: string | undefined;
  readonly joinedBy: " AND " | " OR ";
}

const matchOf = ({ terms, rooms, author, joinedBy }: Match): string => {
  const words = terms.map(({ text, isPrefix }) => `text : ${quote(text)}${isPrefix ? "*" : ""}`);
  const clauses = [`(${words.join(joinedBy)})`];
  if (areFewRooms(rooms)) clauses.push(`room : (${rooms.map((room) => quote(keyOf(room))).join(" OR ")})`);
  if (author !== undefined) clauses.push(`author : ${quote(keyOf(author))}`);
  return clauses.join(" AND ");
};

const areFewRooms = (rooms: readonly RoomId[] | undefined): rooms is readonly RoomId[] =>
  rooms !== undefined && rooms.length <= MAX_NAMED_ROOMS;

const limitRooms = (rooms: readonly RoomId[] | undefined, conditions: string[], parameters: Value[]): void => {
  if (rooms === undefined || areFewRooms(rooms)) return;
  conditions.push("passage_index.room in (select value from json_each(?))");
  parameters.push(JSON.stringify(rooms));
};
